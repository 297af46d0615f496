import { type Static, Type } from "typebox";
import { CanvasOrder } from "./canvas.ts";
import { identifier } from "./text.ts";

/** A design that ships with Shelfwire, as a starting point. */
export const DesignTemplate = Type.Object(
  {
    templateId: Type.String({ description: "Id of the template", examples: ["standard"] }),
    means: Type.String({ description: "Purpose of the template, and the item properties that it shows" }),
  },
  { title: "DesignTemplate" },
);

/** Body of POST /design-templates/{templateId}/canvas. */
export const TemplateOrder = Type.Object(
  {
    storeId: identifier(64, "The store whose language the captions use"),
    labelTypes: Type.Array(Type.Integer({ description: "Label type, such as 1328" }), {
      ...{ minItems: 1, maxItems: 100, uniqueItems: true },
      description: "The canvas gets a layout for each of their sizes",
    }),
  },
  { title: "TemplateOrder" },
);
export type TemplateOrder = Static<typeof TemplateOrder>;

/** A template laid out for label types. */
export const TemplateCanvas = Type.Object(
  {
    labelTypes: Type.Array(Type.Integer(), {
      description: "The label types on which all that the law requires fits; the canvas has layouts for these only",
    }),
    canvas: Type.Optional(CanvasOrder),
  },
  { title: "TemplateCanvas", description: "The canvas is absent if `labelTypes` is empty" },
);
export type TemplateCanvas = Static<typeof TemplateCanvas>;
