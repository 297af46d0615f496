import { type Static, Type } from "typebox";
import { identifier } from "./text.ts";
import { Preview, PreviewOrder } from "./trial.ts";

const { canvas, storeId, draft, colors, item, images, fonts } = PreviewOrder.properties;

/** Maximum number of pictures per call: an editor does not show more at a time. */
export const MAX_PREVIEWS = 100;

/** Body of POST /designs/previews. */
export const PreviewMatrixOrder = Type.Object(
  {
    ...{ canvas, storeId, draft, colors, images, fonts },
    itemIds: Type.Optional(
      Type.Array(identifier(128, "Id of a stored item"), { maxItems: MAX_PREVIEWS, description: "Stored items" }),
    ),
    items: Type.Optional(
      Type.Array(item, {
        maxItems: MAX_PREVIEWS,
        description: "Items that are not stored, drawn after the stored ones",
      }),
    ),
    labelTypes: Type.Array(Type.Integer({ description: "Label type, such as 1328" }), {
      ...{ minItems: 1, maxItems: MAX_PREVIEWS, uniqueItems: true },
      description: `Each item is drawn on each of these label types; at most ${MAX_PREVIEWS} pictures`,
    }),
  },
  { title: "PreviewMatrixOrder" },
);
export type PreviewMatrixOrder = Static<typeof PreviewMatrixOrder>;

/** The pictures of items on label types, pictures with faults first. */
export const PreviewMatrix = Type.Object(
  {
    faults: Type.Integer({ description: "Number of labels that would show their background instead" }),
    previews: Type.Array(
      Type.Object({
        itemId: Type.String({ description: "The item" }),
        itemIndex: Type.Integer({ description: "Index of the item in the call, from 0: stored items first" }),
        labelType: Type.Integer({ description: "The label type" }),
        ...Preview.properties,
      }),
      {
        description:
          "Pictures with faults first, then pictures with errors or warnings; otherwise by item and label type in the order of the call",
      },
    ),
  },
  { title: "PreviewMatrix" },
);
export type PreviewMatrix = Static<typeof PreviewMatrix>;
