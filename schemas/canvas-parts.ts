import { type Static, Type } from "typebox";
import type { Color as ColorName } from "./color.ts";
import { Color } from "./label-type.ts";
import { length } from "./lengths.ts";

/** Limits of a canvas design, which bound the time and the memory of a drawing. */
export const canvasLimits = {
  /** Elements of one layout; elements in repeated groups count once per copy. */
  elements: 200,
  /** Maximum number of elements in a design and all its variants. */
  elementsInAll: 1000,
  variants: 20,
  template: 4096,
  /** Nesting depth of groups. */
  depth: 4,
  repetitions: 50,
  /** Maximum number of pixels that all image elements cover together. */
  imagePixels: 4_000_000,
} as const;

/** The built-in typefaces with their weights. */
export const typefaces = ["regular", "bold", "condensed", "condensed-bold", "narrow"] as const;
export type Typeface = (typeof typefaces)[number];
/** The built-in typefaces that have a bold weight; `narrow` has one weight, which is nearly bold. */
export const hasBold = (name: string): boolean => isTypeface(name) && name !== "narrow";
/** Whether a name refers to a built-in typeface; any other name refers to a font of the tenant. */
export const isTypeface = (name: string): name is Typeface => (typefaces as readonly string[]).includes(name);

/**
 * A colour, or several in order of preference: the first that the label type supports is used, otherwise black. One design can
 * thus be red on labels with red, and black on all others.
 */
export type ColorChoice = ColorName | ColorName[];
export const colorChoice = (description: string) =>
  Type.Union([Color, Type.Array(Color, { minItems: 1, maxItems: 4 })], {
    description: `${description}: a colour, or a list from which the first colour that the label supports is used, otherwise black`,
  });

/** A text colour, or `contrast`: the label's colour that contrasts most with the background. */
export type InkChoice = ColorChoice | "contrast";
export const inkChoice = (description: string) =>
  Type.Union([Color, Type.Literal("contrast"), Type.Array(Color, { minItems: 1, maxItems: 4 })], {
    description: `${description}: a colour; a list from which the first colour that the label supports is used, otherwise black; or \`contrast\`, the label's colour that contrasts most with the background`,
  });

const pixels = (description: string) => length({ minimum: 1, maximum: 4096 }, description);
export const offset = (description: string) => length({ minimum: -4096, maximum: 4096 }, description);
export const thickness = (of: string) => length({ minimum: 1, maximum: 64 }, `${of}; default 1`);
export const percent = (description: string) => Type.Integer({ minimum: 20, maximum: 100, description });
export const radius = length({ minimum: 0, maximum: 2048 }, "Corner radius; default 0");

/** Text in which every `${...}` is a CEL expression over item, link, device, store and group. */
export const template = (description: string) =>
  Type.String({ maxLength: canvasLimits.template, description: `${description}; each \`\${...}\` is an expression` });

/** Quarter turns, clockwise, in degrees. */
export const Rotation = Type.Unsafe<0 | 90 | 180 | 270>({ type: "integer", enum: [0, 90, 180, 270] });
export type Rotation = Static<typeof Rotation>;

/** Whether a rotation swaps width and height. */
export const isSideways = (rotate: Rotation | undefined): boolean => rotate === 90 || rotate === 270;

export const rotation = (description: string) =>
  Type.Optional(Type.Unsafe<Rotation>({ ...Rotation, description: `Degrees clockwise: ${description}; default 0` }));

/** Fields of every element. */
export const area = {
  name: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: "Name for people who edit the design; not drawn" }),
  ),
  x: offset("Left edge of the area, relative to the label or group; may be outside"),
  y: offset("Top edge of the area, relative to the label or group; may be outside"),
  width: pixels("Width of the area"),
  height: pixels("Height of the area"),
  visible: Type.Optional(
    Type.String({
      maxLength: canvasLimits.template,
      description:
        "A condition (CEL). The element is left out unless it is true; if absent or blank, the element is always shown",
    }),
  ),
  rotate: rotation("rotation of the content within its area"),
};

/** The field that distinguishes the kinds of elements. */
export const kindOf = <Kind extends string>(kind: Kind) => Type.Literal(kind, { description: "Type of element" });

/** One of several strings. */
export const oneOf = <const Value extends string>(values: readonly Value[], description: string) =>
  Type.Unsafe<Value>(Type.Enum([...values], { description }));

export const fontSize = (description: string) => length({ minimum: 4, maximum: 1024 }, description);
