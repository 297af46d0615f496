import { type Static, Type } from "typebox";
import { CanvasOrder } from "./canvas.ts";
import { oneOf } from "./canvas-parts.ts";
import { ValidityPeriod } from "./design.ts";
import { ItemPatch } from "./item.ts";
import { Facings } from "./link.ts";
import { PackOrder } from "./pack.ts";
import { PreviewElement, PreviewNotice } from "./preview-element.ts";
import { previewFiles } from "./preview-files.ts";
import { count, identifier, known } from "./text.ts";

/** The item and the label of a trial: a stored item, or one in the body. */
const tried = {
  storeId: Type.Optional(identifier(64, "The store of the item; required with itemId")),
  itemId: Type.Optional(identifier(128, "Id of a stored item")),
  /** Used instead of a stored item. */
  item: Type.Optional(ItemPatch),
  labelType: Type.Integer({ description: "Label type, such as 1328", examples: [1328] }),
};

const namesItem = {
  anyOf: [{ required: ["item"] }, { required: ["storeId", "itemId"] }],
  errorMessage: "requires an item, or storeId and itemId of a stored one",
};
const Trial = Type.Object(tried);
export type Trial = Static<typeof Trial>;

/** The time and the fields of the link, for rules that use them. */
const linkFields = {
  at: Type.Optional(
    Type.String({
      format: "instant",
      description:
        "ISO 8601 with an offset; now if absent. Periods are evaluated in the store's time zone, or in UTC without a store",
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
  name: Type.String({ description: "Name of the scenario" }),
  ancestors: Type.Array(Type.String(), { description: "Ids of the scenario's ancestors, from the root" }),
  expression: Type.String({ description: "Its own expression; `true` if it has none" }),
  isAsked: Type.Boolean({ description: "Whether the evaluation reached it" }),
  isDormant: Type.Optional(
    Type.Literal(true, {
      description: "Outside its validityPeriod: it does not apply, whatever its expression returns",
    }),
  ),
  validityPeriod: Type.Optional(ValidityPeriod),
  value: Type.Boolean({ description: "Whether its own expression is true" }),
  missing: Type.Array(Type.String(), { description: "Fields that the expression uses but the item or label lacks" }),
  error: Type.Optional(
    Type.String({ description: "Why the expression could not be evaluated, such as a string that is not a number" }),
  ),
});

/** How a pack chooses the design of a link. */
export const PackTrace = Type.Object(
  {
    design_id: known(
      Type.String({ description: "The design; null if no scenario applies or none of its designs fits" }),
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
        isChosen: Type.Boolean({ description: "Whether this design is chosen" }),
        reason: Type.Optional(Type.String({ description: "Why it is not chosen" })),
      }),
      { description: "The designs that the scenario names, in the scenario's order" },
    ),
    scenarios: Type.Array(Scenario, { description: "Every scenario of the pack, each before its children" }),
  },
  { title: "PackTrace" },
);

const Side = Type.Object({
  scenario: known(Type.String({ description: "Name of the scenario; null if none applies or the design is forced" })),
  design_id: known(Type.String({ description: "The design; null if none fits" })),
});

const ExampleLabel = Type.Object(
  {
    storeId: Type.String({ examples: ["main"] }),
    barcode: Type.String({ description: "The label", examples: ["A4X00000100413282"] }),
    itemId: Type.String({ description: "Item of the label" }),
    labelType: Type.Integer({ description: "Label type of the label, such as 1328" }),
  },
  { title: "ExampleLabel" },
);
export type ExampleLabel = Static<typeof ExampleLabel>;

/** The changes that activating a pack would make. */
export const PackDifference = Type.Object(
  {
    checked: count("Number of links evaluated so far"),
    labels: count("Labels of these links that would show a different design"),
    changes: Type.Array(
      Type.Object({
        from: { ...Side, description: "What the labels show now" },
        to: { ...Side, description: "What the labels would show" },
        labels: count("Number of labels that would change in this way"),
        examples: Type.Array(ExampleLabel, { description: "The first of these labels, at most 3" }),
      }),
      {
        description: "By scenario and design, largest number of labels first",
      },
    ),
    scenarios: Type.Array(
      Type.Object({
        id: known(Type.String({ description: "Id of the scenario; null if none applies or the design is forced" })),
        labels: count("Number of labels whose design it chooses"),
      }),
      { description: "The labels of these links by the scenario that applies" },
    ),
    next: known(
      Type.String({
        description:
          "Present if one call could not cover all links: repeat the call with `after` set to this value and add up the counts",
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
    storeId: identifier(64, "The store whose language, currency and time zone are used"),
    ...linkFields,
    displayPosition: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 255, description: "For a label with several items" }),
    ),
    scale: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 8, description: "Scale: pixels of the PNG per pixel of the label" }),
    ),
    draft: Type.Optional(
      Type.Boolean({
        description:
          "true: an element with a fault, or with an expression that does not compile, is left out and reported, and the rest is drawn; default false",
      }),
    ),
    colors: Type.Optional(
      oneOf(
        ["pure", "measured"],
        "Colours of the PNG: those of the label's file (the default), or as e-paper shows them",
      ),
    ),
    ...previewFiles,
  },
  { title: "PreviewOrder", ...namesItem },
);
export type PreviewOrder = Static<typeof PreviewOrder>;

const messages = (description: string) => Type.Array(Type.String(), { description });

/** A design drawn for a label. */
export const Preview = Type.Object(
  {
    png: Type.String({ contentEncoding: "base64", contentMediaType: "image/png", description: "The picture" }),
    width: Type.Integer({ description: "Width of the PNG" }),
    height: Type.Integer({ description: "Height of the PNG" }),
    text: known(Type.String({ description: "The text on a segment label; null for other labels" })),
    fault: known(
      Type.String({ description: "Why a label would show its background instead; null if it would show the picture" }),
    ),
    errors: messages("What is left out because it is invalid, such as a code with a wrong check digit"),
    warnings: messages("What is drawn differently from what the design or item specifies"),
    notices: Type.Array(PreviewNotice, {
      description: "The faults, errors and warnings by their codes, each with its element",
    }),
    elements: Type.Array(PreviewElement, {
      description: "How each shown element was drawn, in drawing order; empty for a segment label",
    }),
  },
  { title: "Preview" },
);
export type Preview = Static<typeof Preview>;

/** Options for the trial of a replacement file or canvas on the labels that show it. */
export const ReplacementQuery = Type.Object({
  dryRun: Type.Optional(
    Type.Boolean({ description: "true: nothing is saved, and the response reports what would get worse" }),
  ),
  force: Type.Optional(
    Type.Boolean({ description: "true: replace it even if labels would get new faults, errors or warnings" }),
  ),
});
export type ReplacementQuery = Static<typeof ReplacementQuery>;

/** Faults, errors and warnings that a replacement would add. */
export const ReplacementCount = Type.Object(
  {
    labels: Type.Integer({
      description: "Number of labels whose designs use the file or canvas, as far as they were counted",
      examples: [1200],
    }),
    drawn: Type.Integer({
      description:
        "Number of these labels that were drawn with both the stored and the new version. If there are too many, a sample is chosen from 2,000 links across all designs and stores: for each design on each label type in turn, the links with the longest names and prices",
      examples: [240],
    }),
    worse: Type.Integer({
      description: "How many of these would get a fault, an error or a warning that they do not have now",
      examples: [3],
    }),
    isBounded: Type.Boolean({
      description: "Whether some labels were not drawn because there are too many or drawing took too long",
    }),
    examples: Type.Array(
      Type.Object({
        storeId: Type.String({ examples: ["main"] }),
        barcode: Type.String({ description: "The label", examples: ["A4X00000100413282"] }),
        told: messages("The faults, errors and warnings that would be new"),
      }),
      { description: "The first of these labels, at most 5" },
    ),
  },
  {
    title: "ReplacementCount",
    description: "What a replacement would make worse (in a dry run) or made worse, if this was counted",
  },
);
export type ReplacementCount = Static<typeof ReplacementCount>;
