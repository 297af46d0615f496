import type { Design, StudioLink } from "../../schemas/design.ts";
import type { Item } from "../../schemas/item.ts";
import type { Link } from "../../schemas/link.ts";
import { type CompiledScenario, chooseScenario } from "./choose-design.ts";
import { scenarioVariables } from "./variables.ts";

/** All that decides which design a link shows. */
export interface LinkFacts {
  link: Pick<Link, "status" | "facings" | "location" | "forced_design_id">;
  item: Item | undefined;
  /** The label's type, from its barcode. */
  type: number;
  scenarios: readonly CompiledScenario[];
  designs: ReadonlyMap<string, Pick<Design, "compatible_esltype_ids">>;
}

/** The studio link to write, or undefined where the present one stands (rules 2, 3, 7, 8 and 9). */
export function decide(
  { link, item, type, scenarios, designs }: LinkFacts,
  current: StudioLink | undefined,
): StudioLink | undefined {
  if (link.status !== "ACTIVE" || item === undefined) return undefined;
  const forced = link.forced_design_id;
  const match = forced === undefined ? chooseScenario(scenarios, scenarioVariables(item, link, type)) : undefined;
  const candidates = forced === undefined ? (match?.scenario.design_ids ?? []) : [forced];
  const fits = (id: string) => designs.get(id)?.compatible_esltype_ids.includes(type) ?? false;
  const design_id = candidates.find(fits) ?? null;
  if (current !== undefined && current.design_id === design_id) return undefined;
  const { id, priority, validityPeriod } = match?.scenario ?? {};
  return {
    design_id,
    conditions: match?.conditions ?? [],
    ...(id !== undefined && { scenarioId: id }),
    ...(priority !== undefined && { priority }),
    ...(validityPeriod !== undefined && { validityPeriod }),
  };
}
