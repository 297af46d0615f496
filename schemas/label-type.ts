import { type Static, Type } from "typebox";
import { type Color as ColorName, colors } from "./color.ts";

/** A colour of a label, of those that `color.ts` lists. */
export const Color = Type.Enum(Object.keys(colors) as ColorName[]);

/** Longer than any barcode's part that tells it. */
const MAX_TYPE = 999_999_999;
export const TypeNumber = Type.Integer({
  minimum: 1,
  maximum: MAX_TYPE,
  description: "Its number, which a label's barcode tells",
});

const ofType = {
  width: Type.Integer({ minimum: 1, maximum: 4096, description: "In pixels", examples: [296] }),
  height: Type.Integer({ minimum: 1, maximum: 4096, description: "In pixels", examples: [128] }),
  dpi: Type.Optional(
    Type.Integer({
      minimum: 40,
      maximum: 600,
      description:
        "Pixels per inch, by which millimetres of designs are counted; default that of the usual panel of its size",
      examples: [112],
    }),
  ),
  colors: Type.Array(Color, {
    minItems: 2,
    maxItems: 7,
    uniqueItems: true,
    description: "What it can show, in the order of its palette",
    examples: [["white", "black", "red"]],
  }),
  display: Type.Enum(["matrix", "segment"], { description: "Whether it shows pictures, or a line of text" }),
  flash: Type.Boolean({ description: "Whether it can flash" }),
  pages: Type.Integer({ minimum: 1, maximum: 128, description: "How many pages it keeps" }),
};

/** What the operator says of a label type. */
export const LabelTypeOrder = Type.Object(ofType, { title: "LabelTypeOrder" });
export type LabelTypeOrder = Static<typeof LabelTypeOrder>;

export const LabelType = Type.Object({ type: TypeNumber, ...ofType }, { title: "LabelType" });
export type LabelType = Static<typeof LabelType>;
