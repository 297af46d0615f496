import { type Static, Type } from "typebox";
import { CanvasOrder } from "./canvas.ts";
import { EccLinkBody } from "./link-metadata.ts";
import { PreviewNotice } from "./preview-element.ts";
import { Preview, PreviewOrder } from "./trial.ts";

const { storeId, item, itemId, labelType, location, facings, draft, scale, colors, images, fonts } =
  PreviewOrder.properties;

/** Maximum number of positions on a label; the largest models have fewer. */
const MAX_POSITIONS = 16;

const PreviewPosition = Type.Object(
  {
    displayPosition: Type.Integer({ minimum: 0, maximum: 255, description: "The position on the label" }),
    ...{ item, itemId, location, facings },
    canvas: Type.Optional(CanvasOrder),
    ecclink: Type.Optional(EccLinkBody),
  },
  {
    title: "PreviewPosition",
    description: "What one position shows: an item, drawn by a canvas or by an ECC model",
    anyOf: [{ required: ["item"] }, { required: ["itemId"] }],
    errorMessage: "requires an item or an itemId",
  },
);
export type PreviewPosition = Static<typeof PreviewPosition>;

/** Body of POST /labels/preview. */
export const LabelPreviewOrder = Type.Object(
  {
    ...{ storeId, labelType },
    positions: Type.Array(PreviewPosition, {
      minItems: 1,
      maxItems: MAX_POSITIONS,
      description: "What each position shows",
    }),
    ...{ draft, scale, colors, images, fonts },
  },
  { title: "LabelPreviewOrder" },
);
export type LabelPreviewOrder = Static<typeof LabelPreviewOrder>;

const { png, width, height, text, fault } = Preview.properties;

/** A label with all of its positions. */
export const LabelPreview = Type.Object(
  {
    ...{ png, width, height, text, fault },
    notices: Type.Array(PreviewNotice, { description: "What is reported about the label as a whole" }),
    positions: Type.Array(
      Type.Object({
        displayPosition: Type.Integer({ description: "The position" }),
        isLeftOut: Type.Boolean({
          description:
            "Whether this picture is missing from the label, because of a fault or because it would cover another one",
        }),
        ...Preview.properties,
      }),
      { description: "The separate picture of each position, in the order of the call" },
    ),
  },
  { title: "LabelPreview" },
);
export type LabelPreview = Static<typeof LabelPreview>;
