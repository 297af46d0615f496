import { type PackFinding, PackOrder, type ScenarioOrder } from "../../schemas/pack.ts";
import { unknownFields } from "../../schemas/unknown-fields.ts";

/**
 * Returns a finding for each field of a pack that its schema does not define, with the nearest defined name. A scenario with
 * a `cel_expresion` would always hold.
 */
export const unknownPackFields = (order: PackOrder): PackFinding[] =>
  unknownFields(PackOrder, order, ["/packId", "/active", "/warnings"]).map(({ pointer, detail }) => ({
    pointer,
    scenario: scenarioAt(order, pointer),
    detail,
  }));

/** Returns the name of the scenario to which a pointer leads. Empty if it is a field of the pack itself. */
function scenarioAt({ scenarios }: PackOrder, pointer: string): string {
  // The pointer is `/scenarios/0/children/1/…`: each second part is an index.
  const indexes = pointer.split("/").filter((_, part) => part > 0 && part % 2 === 0);
  let among: readonly ScenarioOrder[] = scenarios;
  let name = "";
  for (const index of indexes) {
    const scenario = among[Number(index)];
    name = scenario?.name ?? name;
    among = scenario?.children ?? [];
  }
  return name;
}
