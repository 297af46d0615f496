import { type Static, Type } from "typebox";
import { Cause } from "./explanation.ts";
import { countsBy, PlState } from "./label.ts";
import { known } from "./text.ts";

const text = (description: string) => Type.String({ description });

/** The states in which a comparison counts labels. */
const Verdicts = countsBy(
  PlState.enum,
  "Number of labels per state, by the most serious cause in their explanation; the numbers add up to all labels. ERROR: they " +
    "are faulty, or wait for something that will not resolve by itself, such as a process that is not running. PENDING: " +
    "a picture or an accepted change is in progress",
);

/** Which labels a report lists, instead of the labels that do not show the newest picture. */
export const AskedVerdict = Type.Enum([...PlState.enum, "WARNED"], {
  description:
    "Lists in `found` the labels that `verdicts` counts in this state, or that `warned` counts, instead of the labels that do not " +
    "show the newest picture",
});
export type AskedVerdict = Static<typeof AskedVerdict>;

/** A label that does not show the newest picture of its items, links and designs. */
export const LabelBehind = Type.Object(
  {
    barcode: Type.String(),
    itemIds: Type.Array(Type.String(), { description: "The items linked to the label" }),
    cause: Cause,
    since: known(text("When this began; null if unknown")),
    reason: text("The reason, as the end of a sentence"),
  },
  { title: "LabelBehind" },
);
export type LabelBehind = Static<typeof LabelBehind>;

const seconds = (description: string) => Type.Number({ description: `${description}, in seconds` });
const Times = Type.Object(
  {
    pictures: Type.Integer({ description: "Number of labels that received a new picture" }),
    p50: known(seconds("Median")),
    p90: known(seconds("90th percentile")),
    p99: known(seconds("99th percentile")),
    longest: known(seconds("Maximum")),
  },
  {
    title: "TimesToGlass",
    description:
      "Time from the change to an item, link or design to the acknowledged picture; percentiles are accurate to five percent",
  },
);
export type Times = Static<typeof Times>;

const { pictures, p50, p90 } = Times.properties;
const TimesStep = Type.Object(
  {
    from: Type.String({ description: "Start of the interval", examples: ["2026-03-02 08:00:00"] }),
    pictures,
    p50,
    p90,
  },
  { title: "TimesStep", description: "Delivery times of one interval" },
);
export type TimesStep = Static<typeof TimesStep>;
const stepsOf = (count: number, length: string) =>
  Type.Array(TimesStep, { description: `The last ${count} intervals of ${length}, oldest first` });

/** What a page of a label showed at a given time. */
export const ShownThen = Type.Object(
  {
    barcode: Type.String(),
    page: Type.Integer({ description: "Page of the label, from 0" }),
    since: known(text("When the label acknowledged it; null if what the label showed is unknown")),
    items: Type.Array(
      Type.Object({
        itemId: Type.String(),
        price: known(
          text("Price of the item when the picture was drawn; null if it had none or the picture is an uploaded image"),
        ),
      }),
      { description: "The items shown; empty for the background" },
    ),
    image: known(text("SHA-256 of the picture's pixels")),
    uploaded: Type.Boolean({ description: "Whether it is an uploaded image of the item, which may show any price" }),
    fault: known(text("Why the label showed its background; null if it did not")),
  },
  { title: "ShownThen" },
);
export type ShownThen = Static<typeof ShownThen>;

export const LawCounts = Type.Object(
  {
    country: Type.String({ description: "The store's country", examples: ["HR"] }),
    breaches: Type.Integer({ description: "Findings of level breach" }),
    warnings: Type.Integer({ description: "Findings of level warning" }),
    isCut: Type.Boolean({ description: "Whether the store has more items than were checked" }),
  },
  { title: "LawCounts" },
);
export type LawCounts = Static<typeof LawCounts>;

/** Whether a store's labels show what they should; with `at`, what they showed at that time. */
export const IntegrityReport = Type.Object(
  {
    behind: Type.Optional(
      Type.Array(LabelBehind, { description: "The labels that do not show the newest picture, by barcode" }),
    ),
    found: Type.Optional(
      Type.Array(LabelBehind, { description: "With `verdict`: the labels in that state, each with its cause" }),
    ),
    shown: Type.Optional(Type.Array(ShownThen, { description: "With `at`: what the labels showed at that time" })),
    labels: Type.Integer({ description: "Number of labels checked" }),
    upToDate: Type.Optional(Type.Integer({ description: "How many of them show the newest picture" })),
    verdicts: Type.Optional(Verdicts),
    warned: Type.Optional(
      Type.Integer({
        description:
          "Labels whose drawing reported an error or a warning, whatever their state, such as a text that was cut",
      }),
    ),
    isCut: Type.Optional(
      Type.Boolean({
        description: "Whether more accepted requests are waiting than were examined; the other counts ignore the rest",
      }),
    ),
    law: Type.Optional(
      Type.Union([LawCounts, Type.Null()], {
        description:
          "Findings of the legal checks of the store's country in its designs and items; null if the store names no country",
      }),
    ),
    timeToGlass: Type.Optional(
      Type.Object(
        {
          lastHour: Times,
          lastDay: Times,
          byMinutes: stepsOf(12, "five minutes"),
          byHours: stepsOf(24, "one hour"),
        },
        {
          description:
            "How long changes took to reach the glass, for the pictures that were acknowledged in each interval",
        },
      ),
    ),
  },
  { title: "IntegrityReport" },
);
export type IntegrityReport = Static<typeof IntegrityReport>;
