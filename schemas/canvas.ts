import { type Static, Type } from "typebox";
import { Color, type LabelType } from "./tenant.ts";

/** Version of the form of canvas designs. A design of a later version is refused. */
export const CANVAS_SCHEMA_VERSION = 1;

/** Limits of a canvas design, which bound the time and the memory of a drawing. */
export const canvasLimits = {
  elements: 200,
  /** In a design and its variants together. */
  elementsInAll: 1000,
  variants: 20,
  template: 4096,
  /** Covered by all image elements together. */
  imagePixels: 4_000_000,
} as const;

/**
 * A colour, or several in order of preference: the first that the label type can show is used, else black.
 * So one design is red on labels that have red, and black on all others.
 */
const ColorChoice = Type.Union([Color, Type.Array(Color, { minItems: 1, maxItems: 4 })]);
export type ColorChoice = Static<typeof ColorChoice>;

const Pixel = Type.Integer({ minimum: -4096, maximum: 4096 });
const Extent = Type.Integer({ minimum: 1, maximum: 4096 });
const FontSize = Type.Integer({ minimum: 4, maximum: 1024 });
const Thickness = Type.Integer({ minimum: 1, maximum: 64 });
const Percent = Type.Integer({ minimum: 20, maximum: 100 });
/** A typeface with its weight; each is one font file. */
const Font = Type.Enum(["regular", "bold", "condensed", "condensed-bold"]);
const Align = Type.Enum(["left", "center", "right"]);
const VerticalAlign = Type.Enum(["top", "middle", "bottom", "baseline"], {
  description:
    "Default top; with baseline the last line stands on the lower edge of the area, and commas hang below it",
});
/** Such as `de-CH`; every text of this form is accepted by Intl. */
const Locale = Type.String({
  pattern: "^[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2})?$",
  description: "BCP 47 tag of its language; default the store's",
  examples: ["de-CH"],
});

/** A text in which every `${...}` is a CEL expression over item, link, device and store. */
const Template = Type.String({ maxLength: canvasLimits.template });

const area = {
  x: Pixel,
  y: Pixel,
  width: Extent,
  height: Extent,
  /** A CEL expression; the element is drawn only where it is true. */
  visible: Type.Optional(Type.String({ maxLength: canvasLimits.template })),
};

const type = {
  font: Font,
  /** Height of the em square in pixels. */
  size: FontSize,
  /** A text that does not fit shrinks down to this size, at which it is still readable. */
  minimumSize: Type.Optional(FontSize),
  align: Type.Optional(Align),
  verticalAlign: Type.Optional(VerticalAlign),
  color: ColorChoice,
};

const Struck = Type.Union([Type.Boolean(), Type.Enum(["middle", "diagonal"])], {
  description:
    "With a line through it, for what holds no longer: diagonal (true, of a price) or through the middle (true, of a text)",
});
const strike = {
  struck: Type.Optional(Struck),
  struckColor: Type.Optional(
    Type.Unsafe<ColorChoice>({ ...ColorChoice, description: "Colour of that line; default the element's own" }),
  ),
};

export const TextElement = Type.Object({
  kind: Type.Literal("text"),
  ...area,
  ...type,
  text: Template,
  /** At most this many lines; default 1. What does not fit at the minimum size ends in an ellipsis. */
  lines: Type.Optional(Type.Integer({ minimum: 1, maximum: 20 })),
  /** Distance of two baselines in percent of the size; default 117. */
  lineHeight: Type.Optional(Type.Integer({ minimum: 80, maximum: 300 })),
  /** For a text that the law requires: where it does not fit, the picture has a fault instead of a cut text. */
  whole: Type.Optional(Type.Boolean()),
  hyphenate: Type.Optional(
    Type.Boolean({
      description: "Whether words are parted by the rules of the language before the text shrinks; default false",
    }),
  ),
  locale: Type.Optional(Locale),
  balance: Type.Optional(Type.Boolean({ description: "Whether its lines are made equally long; default false" })),
  ellipsis: Type.Optional(
    Type.Enum(["character", "word", "middle"], {
      description:
        "Where a text that does not fit is cut: behind any letter (the default), behind a word, or in the middle, so that the net content at its end stays",
    }),
  ),
  letterSpacing: Type.Optional(
    Type.Integer({
      minimum: -10,
      maximum: 100,
      description: "Added between letters, in percent of the size; default 0",
    }),
  ),
  ...strike,
});
export type TextElement = Static<typeof TextElement>;

const CurrencyCode = Type.String({ pattern: "^[A-Z]{3}$", description: "ISO 4217 code; default the store's currency" });

/** The same amount in another currency, such as the one that a country gives up. */
const SecondCurrency = Type.Object(
  {
    currencyCode: Type.String({ pattern: "^[A-Z]{3}$", description: "ISO 4217 code of the second currency" }),
    rate: Type.String({
      pattern: "^\\d{1,9}(\\.\\d{1,9})?$",
      description: "How much of it one unit of the price's currency is; the product is rounded to its decimals",
      examples: ["1.95583"],
    }),
    position: Type.Optional(
      Type.Enum(["beside", "below"], { description: "Where it stands from the price; default below" }),
    ),
    percent: Type.Optional(
      Type.Integer({ minimum: 20, maximum: 100, description: "Its size in percent of the price's; default 40" }),
    ),
  },
  { description: "The same amount in another currency" },
);

/** A price is drawn whole or not at all: it may shrink, but never ends in an ellipsis. */
export const PriceElement = Type.Object({
  kind: Type.Literal("price"),
  ...area,
  ...type,
  value: Template,
  /** Size of the decimals in percent of the size; default 50. */
  decimalsPercent: Type.Optional(Percent),
  /** How the currency is shown: by its sign (the default), its code, or not. */
  currency: Type.Optional(Type.Enum(["symbol", "code", "none"])),
  /** Size of the currency in percent of the size; default that of the decimals. */
  currencyPercent: Type.Optional(Percent),
  decimals: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 6,
      description: "Exactly so many decimals; default those that were sent, and at least those of the currency",
    }),
  ),
  zeroDecimals: Type.Optional(
    Type.Enum(["show", "hide", "dash"], {
      description: "What stands for decimals that are all zero: they (the default), nothing, or a dash (12.–)",
    }),
  ),
  separator: Type.Optional(
    Type.Enum([".", ",", "none"], {
      description: "Between the integer and the decimals; default as the locale has it. none wants small decimals",
    }),
  ),
  currencyCode: Type.Optional(CurrencyCode),
  currencyPosition: Type.Optional(
    Type.Enum(["before", "after"], { description: "Where the currency stands; default as the locale has it" }),
  ),
  locale: Type.Optional(Locale),
  second: Type.Optional(SecondCurrency),
  ...strike,
});
export type PriceElement = Static<typeof PriceElement>;

export const BoxElement = Type.Object({
  kind: Type.Literal("box"),
  ...area,
  fill: Type.Optional(ColorChoice),
  stroke: Type.Optional(ColorChoice),
  thickness: Type.Optional(Thickness),
  /** Radius of its corners; default 0. */
  radius: Type.Optional(Type.Integer({ minimum: 0, maximum: 2048 })),
});
export type BoxElement = Static<typeof BoxElement>;

/** From (x, y) to (x + width - 1, y + height - 1). */
export const LineElement = Type.Object({
  kind: Type.Literal("line"),
  ...area,
  color: ColorChoice,
  thickness: Type.Optional(Thickness),
});
export type LineElement = Static<typeof LineElement>;

export const ImageElement = Type.Object({
  kind: Type.Literal("image"),
  ...area,
  /** SHA-256 of an image file of the tenant. It is fitted into the area, keeping its shape. */
  image: Type.String({ pattern: "^[0-9a-f]{64}$" }),
  /** Dithering, for photographs; none by default, and `true` means `diffusion`. */
  dither: Type.Optional(Type.Union([Type.Boolean(), Type.Enum(["ordered", "diffusion"])])),
});
export type ImageElement = Static<typeof ImageElement>;

/** Codes are always black on white with their quiet zones, because scanners need both. */
const code = {
  ...area,
  value: Template,
  /** Minimum width of a module in pixels; default 2. A code that does not fit at this width is left out. */
  smallestModule: Type.Optional(Type.Integer({ minimum: 1, maximum: 20 })),
};

export const LinearCodeElement = Type.Object({
  kind: Type.Enum(["ean13", "ean8", "upca", "code128", "gs1-128"]),
  ...code,
  /** Whether its text is drawn below the bars, where there is room; default true. */
  text: Type.Optional(Type.Boolean()),
});
export type LinearCodeElement = Static<typeof LinearCodeElement>;

export const MatrixCodeElement = Type.Object({
  kind: Type.Enum(["qr", "gs1-datamatrix"]),
  ...code,
  /** Minimum error correction of a QR code, from L (7 %) to H (30 %); default M. Higher where that needs no room. */
  errorCorrection: Type.Optional(Type.Enum(["L", "M", "Q", "H"])),
});
export type MatrixCodeElement = Static<typeof MatrixCodeElement>;

const Element = Type.Union([
  TextElement,
  PriceElement,
  BoxElement,
  LineElement,
  ImageElement,
  LinearCodeElement,
  MatrixCodeElement,
]);
export type Element = Static<typeof Element>;

const exampleElements: Element[] = [
  {
    kind: "text",
    x: 8,
    y: 4,
    width: 280,
    height: 40,
    font: "bold",
    size: 32,
    color: "black",
    text: "${item.itemName}",
  },
  {
    kind: "price",
    x: 8,
    y: 48,
    width: 280,
    height: 76,
    font: "bold",
    size: 72,
    color: "black",
    value: "${item.price}",
  },
];

/** The layout of labels of one size. */
const layout = {
  width: Type.Integer({ minimum: 1, maximum: 4096, description: "In pixels; that of the labels that show it" }),
  height: Type.Integer({ minimum: 1, maximum: 4096, description: "In pixels; that of the labels that show it" }),
  background: Type.Enum(Color.enum, { description: "What is seen between the elements" }),
  elements: Type.Array(Element, {
    maxItems: canvasLimits.elements,
    description: "Drawn in their order, each over those before it",
    examples: [exampleElements],
  }),
  labelTypes: Type.Optional(
    Type.Array(Type.Integer(), {
      minItems: 1,
      maxItems: 100,
      description: "The label types that it is for; absent: all of its size",
    }),
  ),
};

/** A layout, which is drawn on labels of exactly its size. */
export const CanvasLayout = Type.Object(layout, { title: "CanvasLayout" });
export type CanvasLayout = Static<typeof CanvasLayout>;

/** Body of PUT /canvas-designs/{canvasId}. */
export const CanvasOrder = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 256, description: "What it is called" }),
    schemaVersion: Type.Optional(
      Type.Literal(CANVAS_SCHEMA_VERSION, { description: "The form of the design; absent is 1" }),
    ),
    ...layout,
    variants: Type.Optional(
      Type.Array(CanvasLayout, {
        maxItems: canvasLimits.variants,
        description: "Layouts for labels of another size or type",
      }),
    ),
  },
  { title: "CanvasOrder" },
);

/** canvasdesign.v1: a layout, and others for labels of another size or type. */
export const CanvasDesign = Type.Object({
  ...CanvasOrder.properties,
  /** Set on a tombstone. */
  deleted: Type.Optional(Type.Literal(true)),
});
export type CanvasDesign = Static<typeof CanvasDesign>;

/** Whether labels of a type can show a canvas: it has a layout of their size, for their type or for all. */
export const hasLayout = (
  canvas: CanvasDesign,
  { type, width, height }: Pick<LabelType, "type" | "width" | "height">,
): boolean =>
  [canvas, ...(canvas.variants ?? [])].some(
    (variant) => variant.width === width && variant.height === height && (variant.labelTypes?.includes(type) ?? true),
  );
