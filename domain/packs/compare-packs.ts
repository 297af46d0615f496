import type { CommunicationPack, Scenario, StudioLink } from "../../schemas/design.ts";
import type { PackDifference } from "../../schemas/trial.ts";

/** A link's current design and the design that it would get. */
export interface ComparedLink {
  /** Key of the label that shows the link. */
  label: string;
  /** Undefined if the link is not active. */
  next: Pick<StudioLink, "design_id" | "scenarioId"> | undefined;
  present: Pick<StudioLink, "design_id" | "scenarioId"> | undefined;
}

/** The name of a scenario by its id; null if there is none. */
type NameOf = (scenarioId: string | undefined) => string | null;

type Change = Omit<PackDifference["changes"][number], "labels">;

/**
 * Counts the labels whose design would change under a pack, by scenario and design. Links that are inactive or have no
 * design yet do not count.
 */
export function createComparison(proposedName: NameOf, nameOf: NameOf) {
  const changes = new Map<string, Change & { shownOn: Set<string> }>();
  const labels = new Set<string>();
  let checked = 0;
  return {
    add({ label, next, present }: ComparedLink): void {
      if (present === undefined || next === undefined) return;
      checked += 1;
      if (next.design_id === present.design_id) return;
      const from = { scenario: nameOf(present.scenarioId), design_id: present.design_id };
      const to = { scenario: proposedName(next.scenarioId), design_id: next.design_id };
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
