import type { LawLevel } from "../../schemas/law.ts";

const EU = "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(" ");
/** The directives apply in the European Economic Area. */
const EEA: ReadonlySet<string> = new Set([...EU, "IS", "LI", "NO"]);

/** What a country's law requires, the source of that law, and when it begins to apply. */
export interface Provision {
  /** The country in which it applies, as its ISO 3166-1 code, or `EEA`. */
  countries: "EEA" | string;
  source: string;
  /** Date from which it applies, YYYY-MM-DD. */
  since: string;
}

/** A check of the law: what it requires, and the provisions that require it. A country's own provision comes before the EEA's. */
export interface LawCheck {
  /** What the check examines. */
  of: "design" | "item" | "store";
  level: LawLevel;
  requires: string;
  provisions: readonly Provision[];
}

const eea = (source: string, since: string): Provision => ({ countries: "EEA", source, since });
const priorPrice = eea("Directive 98/6/EC, article 6a(1)", "2022-05-28");
const lowestPrice = eea("Directive 98/6/EC, article 6a(2)", "2022-05-28");
const aldi = eea("Court of Justice, C-330/23 (Aldi Süd), on Directive 98/6/EC, article 6a", "2024-09-26");
const german = (source: string): Provision => ({ countries: "DE", source: `PAngV, ${source}`, since: "2022-05-28" });
const british = (source: string): Provision => ({ countries: "GB", source, since: "2004-07-22" });
const ORDER = "Price Marking Order 2004";
const amended = (source: string): Provision => ({
  countries: "GB",
  source: `${ORDER} as amended by SI 2024/1055, ${source}`,
  since: "2026-04-06",
});

/** All checks by name. They find what a program can detect. None of them replaces the advice of a lawyer. */
export const lawChecks = {
  PRIOR_PRICE: {
    of: "design",
    level: "breach",
    requires:
      "A layout that announces a reduction also shows the prior price (`item.priorPrice` or `item.lowestPrice30`).",
    provisions: [german("section 11(1)"), priorPrice],
  },
  PERCENT_BASE: {
    of: "design",
    level: "breach",
    requires: "A percentage is calculated from the prior price: it is the second argument of `discount`.",
    provisions: [aldi],
  },
  STRUCK_PRICE: {
    of: "design",
    level: "warning",
    requires:
      "A price that is struck through is the prior price; no other price may look like the basis of the reduction.",
    provisions: [aldi],
  },
  UNIT_PRICE: {
    of: "design",
    level: "warning",
    requires: "A layout that shows a price also shows the unit price, unless that equals the price.",
    provisions: [
      german("section 4(1)"),
      british(`${ORDER}, article 5`),
      eea("Directive 98/6/EC, article 3(1)", "2000-03-18"),
    ],
  },
  LOYALTY_PRICE: {
    of: "design",
    level: "breach",
    requires: "Next to a price for members the layout shows the price for everybody (`item.price`).",
    provisions: [amended("on reduced selling prices with conditions")],
  },
  LOYALTY_CONDITION: {
    of: "design",
    level: "warning",
    requires: "A layout with a price for members says in words who gets it.",
    provisions: [amended("on reduced selling prices with conditions")],
  },
  DEPOSIT_APART: {
    of: "design",
    level: "breach",
    requires: "A deposit is shown separately, not added to the price.",
    provisions: [german("section 7"), amended("on the definition of selling price")],
  },
  DEPOSIT_SHOWN: {
    of: "design",
    level: "warning",
    requires: "If items have a deposit, a layout that shows their price also shows the deposit.",
    provisions: [german("section 7")],
  },
  LEGIBLE_SIZE: {
    of: "design",
    level: "warning",
    requires: "Prices, unit prices and prior prices are clearly legible: their letters have a size of at least 3 mm.",
    provisions: [
      german("section 1(3)"),
      british(`${ORDER}, article 7`),
      eea("Directive 98/6/EC, article 4(1)", "2000-03-18"),
    ],
  },
  LEGIBLE_CONTRAST: {
    of: "design",
    level: "warning",
    requires: "Prices, unit prices and prior prices have a contrast to their background of at least 3 : 1.",
    provisions: [
      german("section 1(3)"),
      british(`${ORDER}, article 7`),
      eea("Directive 98/6/EC, article 4(1)", "2000-03-18"),
    ],
  },
  SENT_PRIOR_PRICE: {
    of: "item",
    level: "breach",
    requires:
      "The property `lowestPrice30` is not higher than the lowest price that was charged in the 30 days before.",
    provisions: [german("section 11(1)"), lowestPrice],
  },
  NO_REDUCTION: {
    of: "item",
    level: "breach",
    requires: "An item with a `formerPrice` costs less than its prior price.",
    provisions: [aldi],
  },
  QUANTITY: {
    of: "item",
    level: "warning",
    requires:
      "An item with a price has a `quantity`, from which its unit price is computed, unless it is sold by the piece.",
    provisions: [
      german("section 4(1)"),
      british(`${ORDER}, article 5`),
      eea("Directive 98/6/EC, article 3(1)", "2000-03-18"),
    ],
  },
  METRIC: {
    of: "item",
    level: "breach",
    requires: "A `quantity` is metric; another unit may only be added to it.",
    provisions: [british(`${ORDER}, article 1(2)`), eea("Directive 80/181/EEC, article 1", "2010-01-01")],
  },
  UNIT_OF_UNIT_PRICE: {
    of: "store",
    level: "breach",
    requires: "Unit prices are per kilogram or litre (`UNIT_PRICE_PER_100` is not set).",
    provisions: [german("section 5(1)"), amended("on the definition of unit price")],
  },
} as const satisfies Readonly<Record<string, LawCheck>>;

export type LawCheckName = keyof typeof lawChecks;

/** Returns the provision by which a check applies in a country on a date (YYYY-MM-DD). Undefined if none applies yet. */
export function provisionOf(check: LawCheckName, country: string, date: string): Provision | undefined {
  const { provisions }: LawCheck = lawChecks[check];
  return provisions.find(
    ({ countries, since }) => since <= date && (countries === "EEA" ? EEA.has(country) : countries === country),
  );
}
