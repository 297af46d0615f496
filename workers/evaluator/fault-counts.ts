import type { Scenario } from "../../schemas/design.ts";

/** Counts of failed evaluations of a pack's expressions since the last report. */
export interface PackFaults {
  pack: string;
  evaluations: number;
  /**
   * The scenarios with the most faults, largest count first. Error messages are left out, since they quote item values; a dry
   * run of the pack shows them.
   */
  scenarios: readonly ScenarioFaults[];
}
interface ScenarioFaults extends Pick<Scenario, "id" | "name"> {
  evaluations: number;
}

export interface FaultCounts {
  count(pack: string, scenario: Pick<Scenario, "id" | "name">): void;
  /** Returns the counts since the last call, and resets them. */
  take(): PackFaults[];
  /** Returns the number of faults counted since the process started. */
  total(): number;
}

/** Maximum number of scenarios that a report names per pack. */
const MAX_SCENARIOS = 20;

/** Counts faults by scenario: a price list full of values that are not numbers produces one log line, not one line per link. */
export function createFaultCounts(): FaultCounts {
  const packs = new Map<string, Map<string, ScenarioFaults>>();
  let total = 0;
  return {
    total: () => total,
    count(pack, { id, name }) {
      total += 1;
      const scenarios = packs.get(pack) ?? new Map<string, ScenarioFaults>();
      packs.set(pack, scenarios);
      scenarios.set(id, { id, name, evaluations: (scenarios.get(id)?.evaluations ?? 0) + 1 });
    },
    take() {
      const counts = [...packs].map(([pack, scenarios]): PackFaults => {
        const counted = [...scenarios.values()].toSorted((a, b) => b.evaluations - a.evaluations);
        const evaluations = counted.reduce((sum, scenario) => sum + scenario.evaluations, 0);
        return { pack, evaluations, scenarios: counted.slice(0, MAX_SCENARIOS) };
      });
      packs.clear();
      return counts;
    },
  };
}
