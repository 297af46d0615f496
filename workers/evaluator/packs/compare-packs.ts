import type { CommunicationPack, Design, Scenario, StudioLink } from "../../../schemas/design.ts";
import type { PackDifference } from "../../../schemas/trial.ts";
import { decide, type LinkFacts } from "./decide-studio-link.ts";
import type { ChooseScenario } from "./pack-evaluator.ts";

/** A link's facts and its present design. */
export interface ComparedLink {
  /** Key of the label that shows the link. */
  label: string;
  facts: LinkFacts;
  present: Pick<StudioLink, "design_id" | "scenarioId"> | undefined;
}

/** The pack that is compared with the present choices. */
export interface ProposedPack {
  chooseScenario: ChooseScenario;
  /** Every design of the tenant. */
  designs: ReadonlyMap<string, Pick<Design, "compatible_esltype_ids">>;
  nameOf(scenarioId: string | undefined): string | null;
}

type Change = Omit<PackDifference["changes"][number], "labels">;

/**
 * Counts the labels whose design would change under a pack, by scenario and design. Links that are inactive or have no
 * design yet do not count.
 */
export function createComparison(proposed: ProposedPack, nameOf: ProposedPack["nameOf"]) {
  const changes = new Map<string, Change & { shownOn: Set<string> }>();
  const labels = new Set<string>();
  let checked = 0;
  return {
    add({ label, facts, present }: ComparedLink): void {
      if (present === undefined) return;
      const { chooseScenario, designs } = proposed;
      const next = decide({ ...facts, chooseScenario, designs }, undefined);
      if (next === undefined) return;
      checked += 1;
      if (next.design_id === present.design_id) return;
      const from = { scenario: nameOf(present.scenarioId), design_id: present.design_id };
      const to = { scenario: proposed.nameOf(next.scenarioId), design_id: next.design_id };
      const key = JSON.stringify([from, to]);
      const change = changes.get(key) ?? { from, to, shownOn: new Set<string>() };
      change.shownOn.add(label);
      labels.add(label);
      changes.set(key, change);
    },
    result: (): Omit<PackDifference, "next"> => ({
      checked,
      labels: labels.size,
      changes: [...changes.values()]
        .map(({ shownOn, ...change }) => ({ ...change, labels: shownOn.size }))
        .sort((a, b) => b.labels - a.labels),
    }),
  };
}

/** Names of a pack's scenarios, by their ids. */
export function scenarioNames(pack: Pick<CommunicationPack, "scenarios"> | undefined): ProposedPack["nameOf"] {
  const names = new Map<string, string>();
  const addNames = (scenarios: readonly Scenario[]): void => {
    for (const { id, name, children } of scenarios) {
      names.set(id, name);
      addNames(children);
    }
  };
  addNames(pack?.scenarios ?? []);
  return (id) => (id === undefined ? null : (names.get(id) ?? id));
}
