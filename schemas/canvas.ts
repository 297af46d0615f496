import { type Static, Type } from "typebox";
import {
  area,
  canvasLimits,
  colorChoice,
  kindOf,
  offset,
  oneOf,
  percent,
  pixels,
  type Turn,
  template,
  turn,
} from "./canvas-parts.ts";
import { Frame, type ShapeElement, shapeElements } from "./canvas-shapes.ts";
import { Color, type LabelType } from "./tenant.ts";

/** Version of the form of canvas designs. A design of a later version is refused. */
export const CANVAS_SCHEMA_VERSION = 1;

const fontSize = (description: string) => Type.Integer({ minimum: 4, maximum: 1024, description });

const type = {
  font: oneOf(["regular", "bold", "condensed", "condensed-bold"], "The typeface with its weight"),
  size: fontSize("Height of the letters' square, in pixels"),
  minimumSize: Type.Optional(
    fontSize("What does not fit shrinks down to this size, at which it is still readable; default 8, or `size`"),
  ),
  align: Type.Optional(oneOf(["left", "center", "right"], "Where it stands in its area; default left")),
  verticalAlign: Type.Optional(
    oneOf(
      ["top", "middle", "bottom", "baseline"],
      "Where it stands in its area; default top. With baseline its last line stands on the lower edge, and commas hang below",
    ),
  ),
  color: colorChoice("Colour of the letters"),
  box: Type.Optional(Frame),
};

/** Such as `de-CH`; every text of this form is accepted by Intl. */
const Locale = Type.String({
  pattern: "^[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2})?$",
  description: "BCP 47 tag of its language; default the store's",
  examples: ["de-CH"],
});

const strike = {
  struck: Type.Optional(
    Type.Union([Type.Boolean(), Type.Enum(["middle", "diagonal"])], {
      description:
        "With a line through it, for what holds no longer: diagonal (true, of a price) or through the middle (true, of a text)",
    }),
  ),
  struckColor: Type.Optional(colorChoice("Colour of that line; default the element's own")),
};

export const TextElement = Type.Object(
  {
    kind: kindOf("text"),
    ...area,
    ...type,
    text: template("What is written"),
    lines: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 20,
        description: "At most this many; default 1. What does not fit at the minimum size ends in an ellipsis",
      }),
    ),
    lineHeight: Type.Optional(
      Type.Integer({
        minimum: 80,
        maximum: 300,
        description: "Distance of two lines in percent of the size; default 117",
      }),
    ),
    whole: Type.Optional(
      Type.Boolean({
        description: "For what the law asks for: where it does not fit, the picture is a fault and the text is not cut",
      }),
    ),
    hyphenate: Type.Optional(
      Type.Boolean({
        description: "Whether words are parted by the rules of the language before the text shrinks; default false",
      }),
    ),
    locale: Type.Optional(Locale),
    balance: Type.Optional(Type.Boolean({ description: "Whether its lines are made equally long; default false" })),
    ellipsis: Type.Optional(
      oneOf(
        ["character", "word", "middle"],
        "Where a text that does not fit is cut: behind any letter (the default), behind a word, or in the middle, so that the net content at its end stays",
      ),
    ),
    letterSpacing: Type.Optional(
      Type.Integer({
        minimum: -10,
        maximum: 100,
        description: "Added between letters, in percent of the size; default 0",
      }),
    ),
    ...strike,
  },
  { title: "TextElement" },
);
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
    position: Type.Optional(oneOf(["beside", "below"], "Where it stands from the price; default below")),
    percent: Type.Optional(percent("Its size in percent of the price's; default 40")),
  },
  { description: "The same amount in another currency" },
);

export const PriceElement = Type.Object(
  {
    kind: kindOf("price"),
    ...area,
    ...type,
    value: template("The price"),
    decimalsPercent: Type.Optional(percent("Size of the decimals in percent of the size; default 50")),
    currency: Type.Optional(
      oneOf(["symbol", "code", "none"], "How the currency is shown: by its sign (the default), its code, or not"),
    ),
    currencyPercent: Type.Optional(
      percent("Size of the currency in percent of the size; default that of the decimals"),
    ),
    decimals: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 6,
        description: "Exactly so many decimals; default those that were sent, and at least those of the currency",
      }),
    ),
    zeroDecimals: Type.Optional(
      oneOf(
        ["show", "hide", "dash"],
        "What stands for decimals that are all zero: they (the default), nothing, or a dash (12.–)",
      ),
    ),
    separator: Type.Optional(
      oneOf(
        [".", ",", "none"],
        "Between the integer and the decimals; default as the locale has it. none wants small decimals",
      ),
    ),
    currencyCode: Type.Optional(CurrencyCode),
    currencyPosition: Type.Optional(
      oneOf(["before", "after"], "Where the currency stands; default as the locale has it"),
    ),
    locale: Type.Optional(Locale),
    second: Type.Optional(SecondCurrency),
    ...strike,
  },
  { title: "PriceElement", description: "Drawn whole or not at all: it may shrink, but never ends in an ellipsis" },
);
export type PriceElement = Static<typeof PriceElement>;

export const ImageElement = Type.Object(
  {
    kind: kindOf("image"),
    ...area,
    image: Type.String({
      pattern: "^[0-9a-f]{64}$",
      description: "SHA-256 of an image file of the tenant. It is fitted into the area and keeps its shape",
    }),
    dither: Type.Optional(
      Type.Union([Type.Boolean(), Type.Enum(["ordered", "diffusion"])], {
        description: "Shades made of dots, for photographs; none by default, and `true` means `diffusion`",
      }),
    ),
  },
  { title: "ImageElement" },
);
export type ImageElement = Static<typeof ImageElement>;

const code = {
  ...area,
  value: template("What is encoded"),
  smallestModule: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 20,
      description: "Pixels of a module at least; default 2. A code that does not fit so is left out",
    }),
  ),
  align: Type.Optional(oneOf(["left", "center", "right"], "Where it stands in its area; default center")),
};

export const LinearCodeElement = Type.Object(
  {
    kind: oneOf(
      ["ean13", "ean8", "upca", "code128", "gs1-128", "code39", "itf14", "databar", "databar-expanded"],
      "What kind of code it is",
    ),
    ...code,
    text: Type.Optional(
      Type.Boolean({ description: "Whether its text is drawn below the bars, where there is room; default true" }),
    ),
    textSize: Type.Optional(
      fontSize("Of the text, in pixels; default a fifth of the height, from 10 to 24. What has no room is left away"),
    ),
    guardBars: Type.Optional(
      Type.Boolean({
        description: "Of an EAN or UPC: the digits in groups, between longer bars, as shops know it; default false",
      }),
    ),
  },
  { title: "LinearCodeElement", description: "Black on white with quiet zones, because scanners need both" },
);
export type LinearCodeElement = Static<typeof LinearCodeElement>;

export const MatrixCodeElement = Type.Object(
  {
    kind: oneOf(["qr", "datamatrix", "gs1-datamatrix"], "What kind of code it is"),
    ...code,
    errorCorrection: Type.Optional(
      oneOf(["L", "M", "Q", "H"], "Of a QR code, at least: from L (7 %) to H (30 %); default M"),
    ),
  },
  { title: "MatrixCodeElement", description: "Black on white with quiet zones, because scanners need both" },
);
export type MatrixCodeElement = Static<typeof MatrixCodeElement>;

/** An element that is drawn. */
export type Element = TextElement | PriceElement | ShapeElement | ImageElement | LinearCodeElement | MatrixCodeElement;

const members = Type.Array(Type.Ref("CanvasElement"), {
  maxItems: canvasLimits.elements,
  description: "Its elements, drawn in their order",
});

const Repeat = Type.Object(
  {
    count: Type.Integer({ minimum: 1, maximum: canvasLimits.repetitions, description: "How often it is drawn" }),
    x: Type.Optional(offset("Pixels by which each is right of the one before; default 0")),
    y: Type.Optional(offset("Pixels by which each is below the one before; default 0")),
  },
  { description: "Draws it several times; expressions see which one it is as `group.index`, from 0" },
);

const GroupElement = Type.Object(
  { kind: kindOf("group"), ...area, repeat: Type.Optional(Repeat), elements: members },
  { title: "GroupElement", description: "Elements that are moved, turned, shown and repeated together" },
);

const StackElement = Type.Object(
  {
    kind: kindOf("stack"),
    ...area,
    repeat: Type.Optional(Repeat),
    direction: Type.Optional(oneOf(["down", "right"], "Where the next element stands; default down")),
    gap: Type.Optional(offset("Pixels between two elements; default 0")),
    align: Type.Optional(
      oneOf(["start", "center", "end"], "Where the elements stand in its area, along its direction; default start"),
    ),
    elements: members,
  },
  {
    title: "StackElement",
    description:
      "Elements one after the other, each moved by its own `x` and `y`. One that is not shown leaves no hole",
  },
);

/** An element of a layout, of any kind. */
const CanvasElement = Type.Cyclic(
  {
    CanvasElement: Type.Union([
      TextElement,
      PriceElement,
      ...shapeElements,
      ImageElement,
      LinearCodeElement,
      MatrixCodeElement,
      GroupElement,
      StackElement,
    ]),
  },
  "CanvasElement",
);

type Members = { elements: LayoutElement[] };
/** Elements that are moved, turned, shown and repeated together. */
export type GroupElement = Omit<Static<typeof GroupElement>, "elements"> & Members;
/** Elements one after the other. */
export type StackElement = Omit<Static<typeof StackElement>, "elements"> & Members;
export type LayoutElement = Element | GroupElement | StackElement;

/** Whether an element is made of others. */
export const hasMembers = (element: LayoutElement): element is GroupElement | StackElement =>
  element.kind === "group" || element.kind === "stack";

/** The elements that are drawn, those in groups included, each as often as it stands in the design. */
export const drawnElements = (elements: readonly LayoutElement[]): Element[] =>
  elements.flatMap((element) => (hasMembers(element) ? drawnElements(element.elements) : [element]));

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
  width: pixels("In pixels; that of the labels that show it, or their height where it is turned by 90 or 270 degrees"),
  height: pixels("In pixels; that of the labels that show it, or their width where it is turned by 90 or 270 degrees"),
  rotate: turn("how it is turned onto the label, such as 90 for a label that hangs upright"),
  background: Type.Enum(Color.enum, { description: "What is seen between the elements" }),
  elements: Type.Array(Type.Unsafe<LayoutElement>(CanvasElement), {
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
    (variant) => isForSize(variant, { width, height }) && (variant.labelTypes?.includes(type) ?? true),
  );

/** Whether a layout, turned as it says, has the size of a label. */
export function isForSize(layout: LayoutSize, { width, height }: Pick<LabelType, "width" | "height">): boolean {
  const size = labelSizeOf(layout);
  return size.width === width && size.height === height;
}

type LayoutSize = Pick<CanvasLayout, "width" | "height" | "rotate">;

/** The size of the labels that show a layout. */
export const labelSizeOf = ({ width, height, rotate }: LayoutSize): { width: number; height: number } =>
  isSideways(rotate) ? { width: height, height: width } : { width, height };

/** Whether a turn exchanges width and height. */
export const isSideways = (rotate: Turn | undefined): boolean => rotate === 90 || rotate === 270;
