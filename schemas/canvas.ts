import { type Static, Type } from "typebox";
import { Color } from "./tenant.ts";

/**
 * A colour, or several in order of preference: the first that the label can show is taken,
 * else black. So one design is red where the label has red, and still right where it has not.
 */
const ColorChoice = Type.Union([Color, Type.Array(Color, { minItems: 1, maxItems: 4 })]);
export type ColorChoice = Static<typeof ColorChoice>;

const Pixel = Type.Integer({ minimum: -4096, maximum: 4096 });
const Extent = Type.Integer({ minimum: 1, maximum: 4096 });
const FontSize = Type.Integer({ minimum: 4, maximum: 1024 });
const Font = Type.Enum(["regular", "bold", "condensed", "condensed-bold"]);
const Align = Type.Enum(["left", "center", "right"]);
const VerticalAlign = Type.Enum(["top", "middle", "bottom"]);

/** A text in which every `${...}` is a CEL expression over item, link, device and store. */
const Template = Type.String({ maxLength: 4096 });

const area = {
  x: Pixel,
  y: Pixel,
  width: Extent,
  height: Extent,
  /** CEL; the element is left out where it is false. */
  visible: Type.Optional(Type.String({ maxLength: 4096 })),
};

const type = {
  font: Font,
  /** Height of the em square in pixels. */
  size: FontSize,
  /** The smallest size that is still readable: down to it a text shrinks to fit. */
  minimumSize: Type.Optional(FontSize),
  align: Type.Optional(Align),
  verticalAlign: Type.Optional(VerticalAlign),
  color: ColorChoice,
};

export const TextElement = Type.Object({
  kind: Type.Literal("text"),
  ...area,
  ...type,
  text: Template,
  /** At most this many lines; default 1. What does not fit at the minimum size ends in an ellipsis. */
  lines: Type.Optional(Type.Integer({ minimum: 1, maximum: 20 })),
});
export type TextElement = Static<typeof TextElement>;

/** A price is drawn whole or not at all: it may shrink, never end in an ellipsis. */
export const PriceElement = Type.Object({
  kind: Type.Literal("price"),
  ...area,
  ...type,
  value: Template,
  /** Size of the decimals and the currency, in percent of the size; default 50. */
  decimalsPercent: Type.Optional(Type.Integer({ minimum: 20, maximum: 100 })),
  struck: Type.Optional(Type.Boolean()),
});
export type PriceElement = Static<typeof PriceElement>;

export const BoxElement = Type.Object({
  kind: Type.Literal("box"),
  ...area,
  fill: Type.Optional(ColorChoice),
  stroke: Type.Optional(ColorChoice),
  thickness: Type.Optional(Type.Integer({ minimum: 1, maximum: 64 })),
});
export type BoxElement = Static<typeof BoxElement>;

/** From (x, y) to (x + width - 1, y + height - 1). */
export const LineElement = Type.Object({
  kind: Type.Literal("line"),
  ...area,
  color: ColorChoice,
  thickness: Type.Optional(Type.Integer({ minimum: 1, maximum: 64 })),
});
export type LineElement = Static<typeof LineElement>;

export const ImageElement = Type.Object({
  kind: Type.Literal("image"),
  ...area,
  /** SHA-256 of an image file of the tenant. It is fitted into the area, keeping its shape. */
  image: Type.String({ pattern: "^[0-9a-f]{64}$" }),
  dither: Type.Optional(Type.Boolean()),
});
export type ImageElement = Static<typeof ImageElement>;

export const Ean13Element = Type.Object({
  kind: Type.Literal("ean13"),
  ...area,
  value: Template,
  color: Type.Optional(ColorChoice),
});
export type Ean13Element = Static<typeof Ean13Element>;

const Element = Type.Union([TextElement, PriceElement, BoxElement, LineElement, ImageElement, Ean13Element]);
export type Element = Static<typeof Element>;

/** canvasdesign.v1: a picture with blanks, for labels of exactly its size. */
export const CanvasDesign = Type.Object({
  name: Type.String(),
  width: Extent,
  height: Extent,
  background: Color,
  elements: Type.Array(Element, { maxItems: 200 }),
});
export type CanvasDesign = Static<typeof CanvasDesign>;
