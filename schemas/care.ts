import { type Static, Type } from "typebox";

/**
 * What a refresh of a page changed: the items that it shows, the price of one, its design or other values, or nothing, when the
 * picture that it showed was sent once more.
 */
export const refreshKinds = ["link", "price", "design", "repeat"] as const;
export type RefreshKind = (typeof refreshKinds)[number];

const count = Type.Optional(Type.Integer());

/** The refreshes of a label in a day; a count of 0 is absent. */
const RefreshDay = Type.Object({
  /** Days since 1970 in UTC. */
  day: Type.Integer(),
  link: count,
  price: count,
  design: count,
  repeat: count,
});
export type RefreshDay = Static<typeof RefreshDay>;

/** What a label's state keeps about the wear of its panel and battery, written with its reports. */
export const Care = Type.Object({
  /** When the first refresh was counted, in epoch milliseconds. */
  since: Type.Integer(),
  /** All refreshes since then. */
  refreshes: Type.Integer(),
  /** The last days with refreshes, oldest first. */
  days: Type.Array(RefreshDay),
});
export type Care = Static<typeof Care>;

/** How many days are counted. */
export const REFRESH_DAYS = 31;
export const DAY_MS = 86_400_000;

/** The care of a label before its first report. */
export const newCare = (at: Date): Care => ({ since: at.getTime(), refreshes: 0, days: [] });

/** The day of a moment, in days since 1970 in UTC. */
export const dayOf = (at: Date): number => Math.floor(at.getTime() / DAY_MS);

const counted = (description: string) => Type.Integer({ minimum: 0, description });
const kinds = {
  link: counted("Refreshes that showed other items, or the first picture"),
  price: counted("Refreshes that changed a price"),
  design: counted("Refreshes that changed the design, or other values of the items"),
  repeat: counted("Refreshes with the picture that the page showed already, sent once more"),
};
export const RefreshCounts = Type.Object(kinds, {
  title: "RefreshCounts",
  description: "Refreshes of the last 31 days",
});
export type RefreshCounts = Static<typeof RefreshCounts>;

const CountedDay = Type.Object(
  { date: Type.String({ description: "Day in UTC", examples: ["2026-03-02"] }), ...kinds },
  { title: "CountedDay", description: "The refreshes of a day" },
);
export type CountedDay = Static<typeof CountedDay>;
const days = Type.Array(CountedDay, { description: "Days with refreshes among the last 31, newest first" });

/** Response to GET /labels/{barcode}/care. */
export const LabelCare = Type.Object(
  {
    barcode: Type.String(),
    refreshes: RefreshCounts,
    refreshesPerDay: Type.Number({ description: "Mean of the days that were counted, 31 at most", examples: [1.3] }),
    days,
  },
  { title: "LabelCare", description: "Refreshes of a label, with what caused them" },
);
export type LabelCare = Static<typeof LabelCare>;

/** Response to GET /labels/care. */
export const StoreCare = Type.Object(
  { labels: counted("The labels of the store"), refreshes: RefreshCounts, days },
  { title: "StoreCare", description: "Refreshes of all labels of a store, with what caused them" },
);
export type StoreCare = Static<typeof StoreCare>;
