import type { Scenario } from "../../schemas/design.ts";

/** How often the expressions of a pack could not be evaluated, since this was last told. */
export interface PackFaults {
  pack: string;
  evaluations: number;
  /** Those with the most faults first, each with one of its errors. */
  scenarios: readonly ScenarioFaults[];
}
interface ScenarioFaults extends Pick<Scenario, "id" | "name"> {
  evaluations: number;
  error: string;
}

export interface FaultCounts {
  count(pack: string, scenario: Pick<Scenario, "id" | "name">, error: string): void;
  /** What was counted since the last call. */
  take(): PackFaults[];
}

/** Scenarios of a pack that are told by name. */
const TOLD = 20;

/** Counts by scenario, so that a price list full of texts that are no numbers is one line in the log, not one a link. */
export function createFaultCounts(): FaultCounts {
  const packs = new Map<string, Map<string, ScenarioFaults>>();
  return {
    count(pack, { id, name }, error) {
      const scenarios = packs.get(pack) ?? new Map<string, ScenarioFaults>();
      packs.set(pack, scenarios);
      scenarios.set(id, { id, name, evaluations: (scenarios.get(id)?.evaluations ?? 0) + 1, error });
    },
    take() {
      const taken = [...packs].map(([pack, scenarios]): PackFaults => {
        const counted = [...scenarios.values()].toSorted((one, other) => other.evaluations - one.evaluations);
        const evaluations = counted.reduce((sum, one) => sum + one.evaluations, 0);
        return { pack, evaluations, scenarios: counted.slice(0, TOLD) };
      });
      packs.clear();
      return taken;
    },
  };
}
