import { type Static, Type } from "typebox";
import { BatteryState } from "./label.ts";
import { known } from "./text.ts";

/**
 * What a refresh changed on its page: the items, an item's price, the design or other values, or nothing if the same picture
 * was sent again.
 */
export const refreshKinds = ["link", "price", "design", "repeat"] as const;
export type RefreshKind = (typeof refreshKinds)[number];

const count = Type.Optional(Type.Integer());

/** The refreshes of a label on one day; a count of 0 is absent. */
const RefreshDay = Type.Object({
  /** Days since 1970 in UTC. */
  day: Type.Integer(),
  link: count,
  price: count,
  design: count,
  repeat: count,
  /** How many of these refreshes were full. */
  full: count,
});
export type RefreshDay = Static<typeof RefreshDay>;

/** A voltage measured at a battery. */
const VoltageSample = Type.Object({
  /** Epoch milliseconds. */
  at: Type.Integer(),
  millivolts: Type.Integer(),
  /** Degrees Celsius; absent if no temperature was reported with the voltage. */
  temperature: Type.Optional(Type.Number()),
});
export type VoltageSample = Static<typeof VoltageSample>;

/** What a label's state keeps about the wear of its panel and battery; reports update it. */
export const Care = Type.Object({
  /** When counting began, in epoch milliseconds. */
  since: Type.Integer(),
  /** All refreshes since then. */
  refreshes: Type.Integer(),
  /** The last days with refreshes, oldest first. */
  days: Type.Array(RefreshDay),
  /** Voltages of the current battery, oldest first; absent if none was reported. */
  voltages: Type.Optional(Type.Array(VoltageSample)),
  /** When the battery became due for replacement, in epoch milliseconds; absent if it is not due. */
  replaceSince: Type.Optional(Type.Integer()),
});
export type Care = Static<typeof Care>;

/** labelbattery.v1: a label's battery that is due for replacement, as it was announced. */
export const LabelBattery = Type.Object({ replaceSince: Type.Unsafe<Date>({}) });
export type LabelBattery = Static<typeof LabelBattery>;

/** Below this voltage, a tag counts as LOW, and will soon fail to start its radio. */
export const LOW_MILLIVOLTS = 2_400;

/** Number of days for which refreshes are counted. */
export const REFRESH_DAYS = 31;
export const DAY_MS = 86_400_000;

/** The care of a label before its first report. */
export const newCare = (at: Date): Care => ({ since: at.getTime(), refreshes: 0, days: [] });

/** The day of a moment, in days since 1970 in UTC. */
export const dayOf = (at: Date): number => Math.floor(at.getTime() / DAY_MS);

const counted = (description: string) => Type.Integer({ minimum: 0, description, examples: [3] });
const kinds = {
  link: counted("Refreshes that showed different items, or the first picture"),
  price: counted("Refreshes that changed a price"),
  design: counted("Refreshes that changed the design, or other values of the items"),
  repeat: counted("Refreshes with the picture that the page already showed"),
};
const full = counted("How many of these refreshes were full, which removes the ghosts of earlier pictures");
export const RefreshCounts = Type.Object(
  { ...kinds, full },
  {
    title: "RefreshCounts",
    description: "Refreshes of the last 31 days",
  },
);
export type RefreshCounts = Static<typeof RefreshCounts>;

const CountedDay = Type.Object(
  { date: Type.String({ description: "Day in UTC", examples: ["2026-03-02"] }), ...kinds, full },
  { title: "CountedDay", description: "The refreshes of a day" },
);
export type CountedDay = Static<typeof CountedDay>;
const days = Type.Array(CountedDay, { description: "Days with refreshes among the last 31, newest first" });

const daysFromNow = (description: string) => known(Type.Integer({ minimum: 0, description, examples: [210] }));
const BatteryCare = Type.Object(
  {
    batteryState: BatteryState,
    millivolts: known(
      Type.Integer({ description: "Latest voltage that was kept; null if none was reported", examples: [2870] }),
    ),
    measuredAt: known(
      Type.String({ description: "When it was measured, in UTC", examples: ["2026-03-02T08:15:30.000Z"] }),
    ),
    daysLeft: daysFromNow("Forecast in days; null if the battery's charge is unknown"),
    earliest: daysFromNow("Earliest expected end of the battery, in days"),
    latest: daysFromNow("Latest expected end of the battery, in days"),
    basis: Type.Unsafe<"low" | "voltage" | "trend" | null>({
      type: ["string", "null"],
      enum: ["low", "voltage", "trend", null],
      description: "What the forecast is based on: the reported state LOW, the voltage, or how fast the voltage falls",
    }),
    replace: Type.Boolean({ description: "Whether the battery must be replaced within 30 days" }),
  },
  { title: "BatteryCare", description: "How long the battery lasts" },
);

/** Response to GET /labels/{barcode}/care. */
export const LabelCare = Type.Object(
  {
    barcode: Type.String(),
    refreshes: RefreshCounts,
    refreshesPerDay: Type.Number({ description: "Mean per day over the counted days, at most 31", examples: [1.3] }),
    days,
    battery: BatteryCare,
  },
  { title: "LabelCare", description: "Refreshes of a label by cause, and how long its battery lasts" },
);
export type LabelCare = Static<typeof LabelCare>;

/** Response to GET /labels/care. */
export const StoreCare = Type.Object(
  {
    labels: counted("The labels of the store"),
    refreshes: RefreshCounts,
    days,
    forecasts: counted("Labels with a forecast"),
    replace: counted("Labels whose battery must be replaced within 30 days"),
  },
  { title: "StoreCare", description: "Refreshes of all labels of a store by cause, and the state of their batteries" },
);
export type StoreCare = Static<typeof StoreCare>;
