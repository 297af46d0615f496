import { type Static, Type } from "typebox";
import { type Color as ColorName, colors } from "./color.ts";

/** A colour of a label: one of the colours in `color.ts`. */
export const Color = Type.Enum(Object.keys(colors) as ColorName[]);

/** Largest number of a label type: a barcode has at most nine digits for it. */
const MAX_TYPE = 999_999_999;
export const TypeNumber = Type.Integer({
  minimum: 1,
  maximum: MAX_TYPE,
  description: "Number of the label type, as contained in barcodes",
});

const ofType = {
  width: Type.Integer({ minimum: 1, maximum: 4096, description: "Width in pixels", examples: [296] }),
  height: Type.Integer({ minimum: 1, maximum: 4096, description: "Height in pixels", examples: [128] }),
  dpi: Type.Optional(
    Type.Integer({
      minimum: 40,
      maximum: 600,
      description:
        "Pixels per inch, used to convert millimetres in designs; defaults to the resolution of the usual panel of this size",
      examples: [112],
    }),
  ),
  colors: Type.Array(Color, {
    minItems: 2,
    maxItems: 7,
    uniqueItems: true,
    description: "Colours that the label can show, in the order of its palette",
    examples: [["white", "black", "red"]],
  }),
  display: Type.Enum(["matrix", "segment"], { description: "Whether the label shows pictures or a line of text" }),
  flash: Type.Boolean({ description: "Whether the label can flash" }),
  button: Type.Optional(
    Type.Boolean({ description: "Whether the label has a button whose presses are reported; default false" }),
  ),
  pages: Type.Integer({ minimum: 1, maximum: 128, description: "Number of pages that the label stores" }),
  images: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 256,
      default: 1,
      description:
        "Number of pictures that the label stores for each page: with more than 1, it can keep a picture for a switch while it shows another",
      examples: [2],
    }),
  ),
  hardwareType: Type.Optional(
    Type.String({
      pattern: "^[0-9A-F]{2}$",
      errorMessage: 'must be two hex digits in capitals, such as "4C"',
      description: "Number of the hardware type in the OpenEPaperLink firmware, in hex",
      examples: ["33"],
    }),
  ),
  fullRefreshAfter: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10_000,
      description:
        "Interval of full refreshes: with n, every n-th refresh of a label is full, which removes the ghosts of earlier pictures; if absent, the label decides",
      examples: [20],
    }),
  ),
  batteryRefreshes: Type.Optional(
    Type.Integer({
      minimum: 100,
      maximum: 1_000_000,
      description: "Number of refreshes that a battery lasts, for its forecast; 10,000 if absent",
      examples: [10_000],
    }),
  ),
};

/** A label type as the operator configures it. */
export const LabelTypeOrder = Type.Object(ofType, {
  title: "LabelTypeOrder",
  description: "Size, colours and features of a label type",
});
export type LabelTypeOrder = Static<typeof LabelTypeOrder>;

export const LabelType = Type.Object({ type: TypeNumber, ...ofType }, { title: "LabelType" });
export type LabelType = Static<typeof LabelType>;

/** Whether labels of this type can keep a picture for a switch while they show a different one. */
export const keepsPictures = ({ images = 1, display }: Pick<LabelType, "images" | "display">): boolean =>
  images > 1 && display === "matrix";
