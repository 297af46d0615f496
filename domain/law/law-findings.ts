import type { CanvasDesign } from "../../schemas/canvas.ts";
import type { Item } from "../../schemas/item.ts";
import type { LawFinding } from "../../schemas/law.ts";
import type { Store } from "../../schemas/store.ts";
import { type DesignContext, designChecks } from "./design-checks.ts";
import { itemChecks } from "./item-checks.ts";
import { layoutFacts } from "./layout-facts.ts";
import { type LawCheckName, lawChecks, type Provision, provisionOf } from "./provisions.ts";

/** The law of a country on a date, as YYYY-MM-DD. */
export interface LawOf {
  country: string;
  date: string;
}

/** Maximum number of findings of one check in a design. A longer list would not help anybody. */
const MAX_OF_CHECK = 20;

/** Returns where a design violates the law of a country, breaches first. */
export function designFindings(
  law: LawOf,
  { id, canvas }: { id: string; canvas: CanvasDesign },
  context: DesignContext,
): LawFinding[] {
  const layouts = layoutFacts(canvas);
  const found = namesOf(designChecks).flatMap((check) => {
    const provision = provisionOf(check, law.country, law.date);
    if (provision === undefined) return [];
    const all = layouts.flatMap((layout) => designChecks[check](layout, context));
    return all.slice(0, MAX_OF_CHECK).map((one) => finding(check, provision, { kind: "canvas-design", id }, one));
  });
  return found.toSorted(breachesFirst);
}

/**
 * Returns where an item violates the law of a country, breaches first. `isPerishable` means that the store has declared
 * special rules for goods that go off soon, so reductions are not checked.
 */
export function itemFindings(law: LawOf, item: Item, isPerishable: boolean): LawFinding[] {
  const found = namesOf(itemChecks).flatMap((check) => {
    if (isPerishable && ABOUT_REDUCTIONS.has(check)) return [];
    const provision = provisionOf(check, law.country, law.date);
    const detail = provision && itemChecks[check](item);
    if (provision === undefined || detail === undefined) return [];
    return [finding(check, provision, { kind: "item", id: item.itemId }, { pointer: "", detail })];
  });
  return found.toSorted(breachesFirst);
}

/** Returns where the settings of a store violate the law of a country. */
export function storeFindings(law: LawOf, id: string, { parameters }: Pick<Store, "parameters">): LawFinding[] {
  const provision = provisionOf("UNIT_OF_UNIT_PRICE", law.country, law.date);
  if (provision === undefined || parameters?.UNIT_PRICE_PER_100 !== true) return [];
  const detail = "shows unit prices per 100 g or 100 ml; remove the parameter UNIT_PRICE_PER_100";
  return [finding("UNIT_OF_UNIT_PRICE", provision, { kind: "store", id }, { pointer: "", detail })];
}

/** Whether a store has declared that an item goes off soon. */
export function isPerishable({ priorPrice }: Pick<Store, "priorPrice">, item: Pick<Item, "properties">): boolean {
  const named = priorPrice?.perishable;
  return (
    named !== undefined && item.properties.some(({ key, value }) => key === named.property && value === named.value)
  );
}

const ABOUT_REDUCTIONS: ReadonlySet<LawCheckName> = new Set(["SENT_PRIOR_PRICE", "NO_REDUCTION"]);

const namesOf = <Name extends string>(checks: Readonly<Record<Name, unknown>>): Name[] => Object.keys(checks) as Name[];

const finding = (
  check: LawCheckName,
  { source, since }: Provision,
  subject: LawFinding["subject"],
  { pointer, detail }: { pointer: string; detail: string },
): LawFinding => ({ check, level: lawChecks[check].level, subject, pointer, detail, source, since });

const breachesFirst = (one: LawFinding, other: LawFinding): number =>
  Number(one.level === "warning") - Number(other.level === "warning");
