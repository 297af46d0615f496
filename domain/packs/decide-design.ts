import type { Design, StudioLink } from "../../schemas/design.ts";
import type { Item } from "../../schemas/item.ts";
import type { Link } from "../../schemas/link.ts";
import type { Envelope } from "../../schemas/record.ts";
import { shownOffer } from "../campaigns/offers.ts";
import { BudgetError } from "../expression/meter.ts";
import { fits as fitsLabel } from "../linking/design-fault.ts";
import type { Match } from "./choose-scenario.ts";
import type { LoadedPack } from "./compile-pack.ts";
import type { ChooseScenario } from "./pack-evaluator.ts";

/** Returns the id of one rev of a stored pack. */
export const packIdOf = ({ _id, rev }: Pick<Envelope, "_id" | "rev">): string => `${_id}#${rev}`;

/** The facts that decide which design a link shows. */
export interface LinkFacts {
  link: Pick<Link, "status" | "facings" | "location" | "forced_design_id">;
  /** The item, with its rev if it is stored. */
  item: (Item & Partial<Pick<Envelope, "rev">>) | undefined;
  /** The label's type. */
  type: number;
  /** Full key of the design that the item's store-level link names. */
  storeDesign?: string | undefined;
  /** Searches the tenant's active communication pack. Undefined if the tenant has none. */
  chooseScenario: ChooseScenario | undefined;
  /** The pack that `chooseScenario` searches, for a search in another thread. */
  pack?: LoadedPack | undefined;
  designs: ReadonlyMap<string, Pick<Design, "compatible_esltype_ids" | "deleted">>;
}

/**
 * Returns the studio link to write, or undefined if the current one stays (docs/rules.md#the-eleven-rules, rules 2, 3, 7, 8 and
 * 9). A forced design comes first, then the design of the campaign that the item shows, then the design of the item's store-level
 * link, and then the choice of the communication pack. The campaign's design and the store-level link's design count only if they
 * fit the label.
 */
export function decide(
  facts: LinkFacts,
  current: Pick<StudioLink, "design_id" | "fault"> | undefined,
): StudioLink | undefined {
  if (facts.link.status !== "ACTIVE" || facts.item === undefined) return undefined;
  const chosen = choose(facts, facts.item);
  const isSame = current !== undefined && current.design_id === chosen.design_id && current.fault === chosen.fault;
  return isSame ? undefined : chosen;
}

function choose({ link, type, storeDesign, chooseScenario, designs }: LinkFacts, item: Item): StudioLink {
  const fits = (id: string) => fitsLabel(designs.get(id), type);
  const forced = link.forced_design_id;
  if (forced !== undefined) return { design_id: fits(forced) ? forced : null, conditions: [] };
  const { designId } = shownOffer(item) ?? {};
  if (designId !== undefined && fits(designId)) return { design_id: designId, conditions: [] };
  if (storeDesign !== undefined && fits(storeDesign)) return { design_id: storeDesign, conditions: [] };
  let match: Match | undefined;
  try {
    match = chooseScenario?.({ item, link, type });
  } catch (error) {
    if (!(error instanceof BudgetError)) throw error;
    // A scenario that was not reached could be the correct one, so no design is chosen and the label shows why.
    return { design_id: null, conditions: [], fault: error.message };
  }
  const { id, design_ids = [], priority, validityPeriod } = match?.scenario ?? {};
  return {
    design_id: design_ids.find(fits) ?? null,
    conditions: match?.conditions ?? [],
    ...(id !== undefined && { scenarioId: id }),
    ...(priority !== undefined && { priority }),
    ...(validityPeriod !== undefined && { validityPeriod }),
  };
}
