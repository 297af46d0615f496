import { type Static, Type } from "typebox";
import { Cause } from "./explanation.ts";
import { countsBy, PlState } from "./label.ts";
import { known } from "./text.ts";

const text = (description: string) => Type.String({ description });

/** The states in which a comparison counts labels. */
const Verdicts = countsBy(
  PlState.enum,
  "How many labels are in which state by the gravest cause of their explanation; together they are all. ERROR: they " +
    "wait for something that does not go on by itself, such as a process that does not run, or have a fault. PENDING: " +
    "a picture or an accepted change of theirs is under way",
);

/** Of which labels a report has the rows, instead of those that do not show the newest picture. */
export const AskedVerdict = Type.Enum([...PlState.enum, "WARNED"], {
  description:
    "The labels that `verdicts` counts in this state, or that `warned` counts, as `found`; instead of those that do not " +
    "show the newest picture",
});
export type AskedVerdict = Static<typeof AskedVerdict>;

/** A label that does not show the newest picture of its items, links and designs. */
export const LabelBehind = Type.Object(
  {
    barcode: Type.String(),
    itemIds: Type.Array(Type.String(), { description: "The items that it is linked to" }),
    cause: Cause,
    since: known(text("Since when; null where that is not known")),
    reason: text("Why, as a sentence's end"),
  },
  { title: "LabelBehind" },
);
export type LabelBehind = Static<typeof LabelBehind>;

const seconds = (description: string) => Type.Number({ description: `${description}, in seconds` });
const Times = Type.Object(
  {
    pictures: Type.Integer({ description: "How many labels got another picture" }),
    p50: known(seconds("Half of them took no longer")),
    p90: known(seconds("Nine in ten took no longer")),
    p99: known(seconds("99 in a hundred took no longer")),
    longest: known(seconds("The longest took this")),
  },
  {
    title: "TimesToGlass",
    description:
      "From the change of an item, link or design to the acknowledged picture; percentiles to five in a hundred",
  },
);
export type Times = Static<typeof Times>;

const { pictures, p50, p90 } = Times.properties;
const TimesStep = Type.Object(
  { from: Type.String({ description: "When it begins", examples: ["2026-03-02 08:00:00"] }), pictures, p50, p90 },
  { title: "TimesStep", description: "The times to the glass of a step of time" },
);
export type TimesStep = Static<typeof TimesStep>;
const stepsOf = (count: number, length: string) =>
  Type.Array(TimesStep, { description: `The ${count} steps of ${length} up to now, the oldest first` });

/** What a page of a label showed at a time. */
export const ShownThen = Type.Object(
  {
    barcode: Type.String(),
    page: Type.Integer({ description: "Page of the label, from 0" }),
    since: known(text("When the label acknowledged it; null where it is not known what it showed")),
    items: Type.Array(
      Type.Object({
        itemId: Type.String(),
        price: known(
          text("The item's price as the picture was drawn with it; null where it had none, and of an uploaded image"),
        ),
      }),
      { description: "What it showed; empty for its background" },
    ),
    image: known(text("SHA-256 of the picture's pixels")),
    uploaded: Type.Boolean({ description: "Whether it was an uploaded image of the item, which may show any price" }),
    fault: known(text("Why it showed its background; null where it did not")),
  },
  { title: "ShownThen" },
);
export type ShownThen = Static<typeof ShownThen>;

/** Whether a store's labels show what they should; with `at`, what they showed then. */
export const IntegrityReport = Type.Object(
  {
    behind: Type.Optional(
      Type.Array(LabelBehind, { description: "The labels that do not show the newest picture, by barcode" }),
    ),
    found: Type.Optional(
      Type.Array(LabelBehind, { description: "With `verdict`: the labels that have it, each with its cause" }),
    ),
    shown: Type.Optional(Type.Array(ShownThen, { description: "With `at`: what the labels showed then" })),
    labels: Type.Integer({ description: "How many labels were looked at" }),
    upToDate: Type.Optional(Type.Integer({ description: "How many of them show the newest picture" })),
    verdicts: Type.Optional(Verdicts),
    warned: Type.Optional(
      Type.Integer({
        description:
          "Labels whose drawing reported an error or a warning, whatever their state, such as a text that is cut",
      }),
    ),
    isCut: Type.Optional(
      Type.Boolean({
        description:
          "Whether more accepted requests wait than were looked at: what the others name counts as if none of them waited",
      }),
    ),
    timeToGlass: Type.Optional(
      Type.Object(
        {
          lastHour: Times,
          lastDay: Times,
          byMinutes: stepsOf(12, "five minutes"),
          byHours: stepsOf(24, "an hour"),
        },
        { description: "How long changes took to the glass, of the pictures that were acknowledged then" },
      ),
    ),
  },
  { title: "IntegrityReport" },
);
export type IntegrityReport = Static<typeof IntegrityReport>;
