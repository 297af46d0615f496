import { type Static, Type } from "typebox";
import { CanvasOrder } from "./canvas.ts";
import { ValidityPeriod } from "./design.ts";
import { ItemPatch } from "./item.ts";
import { Facings } from "./link.ts";
import { PackOrder } from "./pack.ts";
import { identifier, known } from "./text.ts";

/** The item and the label of a trial: a stored item, or one that the body contains. */
const tried = {
  storeId: Type.Optional(identifier(64, "The store that the item is in; needed with itemId")),
  itemId: Type.Optional(identifier(128, "An item that is stored")),
  /** Used instead of a stored item. */
  item: Type.Optional(ItemPatch),
  labelType: Type.Integer({ description: "Type of the label, such as 1328" }),
};

const namesItem = {
  anyOf: [{ required: ["item"] }, { required: ["storeId", "itemId"] }],
  errorMessage: "needs an item, or storeId and itemId of a stored one",
};
const Trial = Type.Object(tried);
export type Trial = Static<typeof Trial>;

/** The time, and fields of the link, for rules that use them. */
const linkFields = {
  at: Type.Optional(
    Type.String({
      format: "instant",
      description:
        "When: ISO 8601 with an offset; now where it is absent. Periods are those of the store's zone, UTC without one",
    }),
  ),
  location: Type.Optional(identifier(128, "The label's location (plLocation)")),
  facings: Type.Optional(Facings),
};

/** Body of POST /communication-packs/{packId}/evaluate. */
export const PackTrial = Type.Object({ ...tried, ...linkFields }, { title: "PackTrial", ...namesItem });
export type PackTrial = Static<typeof PackTrial>;

/** Body of POST /communication-packs/evaluate: a trial of a pack that is not stored. */
export const UnsavedPackTrial = Type.Object(
  { pack: PackOrder, ...tried, ...linkFields },
  { title: "UnsavedPackTrial", ...namesItem },
);

const Scenario = Type.Object({
  id: Type.String({ description: "Id of the scenario" }),
  name: Type.String({ description: "Its name" }),
  ancestors: Type.Array(Type.String(), { description: "Ids of the scenarios that it is below, from the root" }),
  expression: Type.String({ description: "Its own expression; `true` where it has none" }),
  isAsked: Type.Boolean({ description: "Whether the search came to it" }),
  isDormant: Type.Optional(
    Type.Literal(true, { description: "Outside its validityPeriod: it does not hold, whatever its expression says" }),
  ),
  validityPeriod: Type.Optional(ValidityPeriod),
  value: Type.Boolean({ description: "Whether its own expression holds" }),
  missing: Type.Array(Type.String(), { description: "What it needs and the item or the label does not have" }),
  error: Type.Optional(Type.String({ description: "Why it could not be evaluated, such as a text that is no number" })),
});

/** How a pack chooses the design of a link. */
export const PackTrace = Type.Object(
  {
    design_id: known(
      Type.String({ description: "The design; null where no scenario holds or none of its designs fits" }),
    ),
    match: known(
      Type.Object(
        { id: Type.String({ description: "Id of the scenario" }), name: Type.String({ description: "Its name" }) },
        { description: "The scenario that applies" },
      ),
    ),
    designs: Type.Array(
      Type.Object({
        design_id: Type.String({ description: "A design that the scenario names" }),
        isChosen: Type.Boolean({ description: "Whether it is the one" }),
        reason: Type.Optional(Type.String({ description: "Why it is not" })),
      }),
      { description: "The designs that it names, in its order" },
    ),
    scenarios: Type.Array(Scenario, { description: "Every scenario of the pack, each before its children" }),
  },
  { title: "PackTrace" },
);

const count = (description: string) => Type.Integer({ minimum: 0, description });
const Side = Type.Object({
  scenario: known(
    Type.String({ description: "Name of the scenario; null where none applies, or a forced design does" }),
  ),
  design_id: known(Type.String({ description: "The design; null where none fits" })),
});

/** The changes that activating a pack would make. */
export const PackDifference = Type.Object(
  {
    checked: count("Links that were looked at"),
    labels: count("Labels of these links that would show another design"),
    changes: Type.Array(
      Type.Object({
        from: { ...Side, description: "What they show" },
        to: { ...Side, description: "What they would show" },
        labels: count("Labels that would change so"),
      }),
      {
        description: "By scenario and design, the most labels first",
      },
    ),
    next: known(
      Type.String({
        description: "Where there is more than fits one call: go on with `after` set to this. Add the counts up",
      }),
    ),
  },
  { title: "PackDifference" },
);
export type PackDifference = Static<typeof PackDifference>;

/** Body of POST /designs/preview. */
export const PreviewOrder = Type.Object(
  {
    canvas: CanvasOrder,
    ...tried,
    storeId: identifier(64, "The store in whose language, currency and time zone it is drawn"),
    ...linkFields,
    displayPosition: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 255, description: "Of a label of several items" }),
    ),
    scale: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 8, description: "Pixels of the PNG for a pixel of the label" }),
    ),
  },
  { title: "PreviewOrder", ...namesItem },
);
export type PreviewOrder = Static<typeof PreviewOrder>;

const messages = (description: string) => Type.Array(Type.String(), { description });

/** A design drawn for a label. */
export const Preview = Type.Object(
  {
    png: Type.String({ contentEncoding: "base64", contentMediaType: "image/png", description: "The picture" }),
    width: Type.Integer({ description: "Of the PNG" }),
    height: Type.Integer({ description: "Of the PNG" }),
    text: known(Type.String({ description: "What a segment label shows; null of others" })),
    fault: known(
      Type.String({ description: "Why a label would show its background instead; null where it would not" }),
    ),
    errors: messages("What is left out because it is wrong, such as a code with a wrong check digit"),
    warnings: messages("What is shown otherwise than the design or the item has it"),
  },
  { title: "Preview" },
);

/** How a file or canvas that is replaced is tried on the labels that show it. */
export const ReplacementQuery = Type.Object({
  dryRun: Type.Optional(
    Type.Boolean({ description: "true: nothing is saved, and the answer says what would get worse" }),
  ),
  force: Type.Optional(
    Type.Boolean({ description: "true: it is replaced although labels would have new faults, errors or warnings" }),
  ),
});
export type ReplacementQuery = Static<typeof ReplacementQuery>;

/** What would be told of labels that is not told of them now. */
export const ReplacementCount = Type.Object(
  {
    labels: Type.Integer({
      description: "Labels whose designs name it, as far as they were counted",
      examples: [1200],
    }),
    drawn: Type.Integer({
      description:
        "How many of them were drawn with what is there now, and with what was sent. Where there are more, of each design on each label type in turns those with the longest names and prices, of 2,000 links of all designs and stores",
      examples: [240],
    }),
    worse: Type.Integer({
      description: "How many of these would have a fault, an error or a warning that they do not have now",
      examples: [3],
    }),
    isBounded: Type.Boolean({
      description: "Whether some labels were not drawn: there are too many, or drawing them took too long",
    }),
    examples: Type.Array(
      Type.Object({
        storeId: Type.String({ examples: ["main"] }),
        barcode: Type.String({ description: "The label", examples: ["A4X00000100413282"] }),
        told: messages("What would be told of it, and is not now"),
      }),
      { description: "The first of them, at most 5" },
    ),
  },
  {
    title: "ReplacementCount",
    description:
      "What a replacement would make worse, or made, where that was counted: in a dry run, and where something was replaced",
  },
);
export type ReplacementCount = Static<typeof ReplacementCount>;
