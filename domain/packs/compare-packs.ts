import type { CommunicationPack, Scenario, StudioLink } from "../../schemas/design.ts";
import type { ExampleLabel, PackDifference } from "../../schemas/trial.ts";

/** Maximum number of example labels for a change, so that an author can check them. */
const MAX_EXAMPLES = 3;

/** A link's current design, and the design that the link would get. */
export interface ComparedLink {
  /** Key of the label that shows the link. */
  label: string;
  /** The same label, as an author knows it. */
  example: ExampleLabel;
  /** Undefined if the link is not active. */
  next: Pick<StudioLink, "design_id" | "scenarioId"> | undefined;
  present: Pick<StudioLink, "design_id" | "scenarioId"> | undefined;
}

/** Returns the name of a scenario by its id: the id itself if the scenario is unknown, and null without an id. */
type NameOf = (scenarioId: string | undefined) => string | null;

type Change = Omit<PackDifference["changes"][number], "labels">;

/**
 * Counts the labels of each scenario of a pack, and the labels whose design the pack would change, by scenario and design.
 * Links that are inactive or have no design yet do not count.
 */
export function createComparison(proposedName: NameOf, nameOf: NameOf) {
  const changes = new Map<string, Change & { shownOn: Set<string> }>();
  const labels = new Set<string>();
  const ofScenario = new Map<string | null, Set<string>>();
  let checked = 0;
  return {
    add({ label, example, next, present }: ComparedLink): void {
      if (present === undefined || next === undefined) return;
      checked += 1;
      const scenarioId = next.scenarioId ?? null;
      ofScenario.set(scenarioId, (ofScenario.get(scenarioId) ?? new Set()).add(label));
      if (next.design_id === present.design_id) return;
      const from = { scenario: nameOf(present.scenarioId), design_id: present.design_id };
      const to = { scenario: proposedName(next.scenarioId), design_id: next.design_id };
      const key = JSON.stringify([from, to]);
      const change = changes.get(key) ?? { from, to, shownOn: new Set<string>(), examples: [] };
      if (change.shownOn.size < MAX_EXAMPLES && !change.shownOn.has(label)) change.examples.push(example);
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
      scenarios: [...ofScenario].map(([id, shownOn]) => ({ id, labels: shownOn.size })),
    }),
  };
}

/** Returns the names of a pack's scenarios, by their ids. */
export function scenarioNames(pack: Pick<CommunicationPack, "scenarios"> | undefined): NameOf {
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
