import { type Static, Type } from "typebox";
import { LinearCodeElement, MatrixCodeElement } from "./canvas-codes.ts";
import { ImageElement } from "./canvas-images.ts";
import { area, canvasLimits, isSideways, kindOf, offset, oneOf, rotation } from "./canvas-parts.ts";
import { type ShapeElement, shapeElements } from "./canvas-shapes.ts";
import { PriceElement, TextElement } from "./canvas-texts.ts";
import type { LabelType } from "./label-type.ts";
import { Color } from "./label-type.ts";
import { lengthsInPixels } from "./lengths.ts";
import { dpiOf } from "./panels.ts";
import { VersionMark } from "./version.ts";

/** Version of the canvas format. Designs of a later version are rejected. */
export const CANVAS_SCHEMA_VERSION = 1;

/** An element that is drawn. */
export type Element = TextElement | PriceElement | ShapeElement | ImageElement | LinearCodeElement | MatrixCodeElement;

const members = Type.Array(Type.Ref("CanvasElement"), {
  maxItems: canvasLimits.elements,
  description: "The elements in drawing order",
});

const Repeat = Type.Object(
  {
    count: Type.Integer({ minimum: 1, maximum: canvasLimits.repetitions, description: "Number of copies" }),
    x: Type.Optional(offset("Horizontal offset from one copy to the next; default 0")),
    y: Type.Optional(offset("Vertical offset from one copy to the next; default 0")),
  },
  { description: "Draws the group several times; expressions read the copy's index, from 0, as `group.index`" },
);

export const GroupElement = Type.Object(
  { kind: kindOf("group"), ...area, repeat: Type.Optional(Repeat), elements: members },
  { title: "GroupElement", description: "Elements that are moved, rotated, shown and repeated together" },
);

export const StackElement = Type.Object(
  {
    kind: kindOf("stack"),
    ...area,
    repeat: Type.Optional(Repeat),
    direction: Type.Optional(oneOf(["down", "right"], "Where the next element is placed; default down")),
    gap: Type.Optional(offset("Gap between two elements; default 0")),
    align: Type.Optional(
      oneOf(["start", "center", "end"], "Alignment of the elements along the direction of the stack; default start"),
    ),
    flow: Type.Optional(
      oneOf(
        ["areas", "content"],
        "The space that an element takes along the stack: its area (the default), or only the part that its text or price fills",
      ),
    ),
    elements: members,
  },
  {
    title: "StackElement",
    description:
      "Places elements one after another, each offset by its own `x` and `y`. A hidden element leaves no gap",
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
/** Elements that are moved, rotated, shown and repeated together. */
export type GroupElement = Omit<Static<typeof GroupElement>, "elements"> & Members;
/** Elements one after another. */
export type StackElement = Omit<Static<typeof StackElement>, "elements"> & Members;
export type LayoutElement = Element | GroupElement | StackElement;

/** Whether an element contains others. */
export const hasMembers = (element: LayoutElement): element is GroupElement | StackElement =>
  element.kind === "group" || element.kind === "stack";

/** The elements that are drawn, including those in groups, each as often as it occurs in the design. */
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

const side = (description: string) => Type.Integer({ minimum: 1, maximum: 4096, description });

/** The layout of labels of one size. */
const layout = {
  width: side(
    "Width in pixels; must match the labels that show it, or their height if the canvas is rotated by 90 or 270 degrees",
  ),
  height: side(
    "Height in pixels; must match the labels that show it, or their width if the canvas is rotated by 90 or 270 degrees",
  ),
  rotate: rotation("rotation of the canvas on the label, such as 90 for a label mounted upright"),
  background: Type.Enum(Color.enum, { description: "Background colour" }),
  elements: Type.Array(Type.Unsafe<LayoutElement>(CanvasElement), {
    maxItems: canvasLimits.elements,
    description: "The elements in drawing order: each is drawn over the previous ones",
    examples: [exampleElements],
  }),
  labelTypes: Type.Optional(
    Type.Array(Type.Integer(), {
      minItems: 1,
      maxItems: 100,
      description: "The label types that the layout is for; all types of its size if absent",
    }),
  ),
};

/** A layout is drawn only on labels of exactly its size. */
export const CanvasLayout = Type.Object(layout, { title: "CanvasLayout" });
export type CanvasLayout = Static<typeof CanvasLayout>;

/** Body of PUT /canvas-designs/{canvasId}. */
export const CanvasOrder = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 256, description: "Display name" }),
    schemaVersion: Type.Optional(
      Type.Literal(CANVAS_SCHEMA_VERSION, { description: "Version of the canvas format; 1 if absent" }),
    ),
    ...layout,
    variants: Type.Optional(
      Type.Array(CanvasLayout, {
        maxItems: canvasLimits.variants,
        description: "Layouts for labels of other sizes or types",
      }),
    ),
  },
  {
    title: "CanvasOrder",
    description:
      "A canvas design: what is drawn where. Absent fields take their defaults. `$schema`, and `$comment` in any object, are accepted and not stored",
  },
);

/** canvasdesign.v1: a layout, and variants for labels of other sizes or types. */
export const CanvasDesign = Type.Object({
  ...CanvasOrder.properties,
  /** Set on a tombstone. */
  deleted: Type.Optional(Type.Literal(true)),
  version: Type.Optional(VersionMark),
});
export type CanvasDesign = Static<typeof CanvasDesign>;

/**
 * Converts all lengths of a valid design to pixels, at the given dpi or else at the dpi of the known panel of each size.
 * Returns the design itself if it contains no millimetres.
 */
export function inPixels(canvas: CanvasDesign, dpi?: number): CanvasDesign {
  const layoutInPixels = <Layout extends CanvasLayout>(layout: Layout): Layout => {
    const elements = lengthsInPixels(layout.elements, dpi ?? dpiOf(labelSizeOf(layout)));
    return elements === layout.elements ? layout : { ...layout, elements };
  };
  const { variants = [] } = canvas;
  const made = variants.map(layoutInPixels);
  const own = layoutInPixels(canvas);
  return made.every((variant, index) => variant === variants[index]) ? own : { ...own, variants: made };
}

/** Whether labels of a type can show a canvas: the canvas needs a layout of their size, for their type or for all types. */
export const hasLayout = (
  canvas: CanvasDesign,
  { type, width, height }: Pick<LabelType, "type" | "width" | "height">,
): boolean =>
  [canvas, ...(canvas.variants ?? [])].some(
    (variant) => isForSize(variant, { width, height }) && (variant.labelTypes?.includes(type) ?? true),
  );

/** Whether a layout, after its rotation, has the size of a label. */
export function isForSize(layout: LayoutSize, { width, height }: Pick<LabelType, "width" | "height">): boolean {
  const size = labelSizeOf(layout);
  return size.width === width && size.height === height;
}

type LayoutSize = Pick<CanvasLayout, "width" | "height" | "rotate">;

/** The size of the labels that show a layout. */
export const labelSizeOf = ({ width, height, rotate }: LayoutSize): { width: number; height: number } =>
  isSideways(rotate) ? { width: height, height: width } : { width, height };
