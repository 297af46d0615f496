import { type Static, Type } from "typebox";
import { area, colorChoice, kindOf, oneOf, radius, thickness } from "./canvas-parts.ts";
import { length } from "./lengths.ts";

/** The outline and the inside of a shape; its stroke lies inside its area. */
const surface = {
  fill: Type.Optional(colorChoice("Colour of the inside; absent: none")),
  stroke: Type.Optional(colorChoice("Colour of the outline; absent: none")),
  thickness: Type.Optional(thickness("the outline")),
};

const Dash = Type.Array(Type.Integer({ minimum: 1, maximum: 4096, description: "Pixels of a stroke or of a gap" }), {
  minItems: 2,
  maxItems: 2,
  description: "Pixels of a stroke and of the gap behind it; absent: no gaps",
});

export const BoxElement = Type.Object(
  { kind: kindOf("box"), ...area, ...surface, radius: Type.Optional(radius) },
  { title: "BoxElement" },
);
export type BoxElement = Static<typeof BoxElement>;

/** A box that is as large as what it is around. */
export const Frame = Type.Object(
  {
    ...surface,
    radius: Type.Optional(radius),
    padding: Type.Optional(length({ minimum: 0, maximum: 256 }, "Between the text and the box; default 2")),
  },
  { description: "A box that is as large as what is written, behind it and inside the element's area" },
);
export type Frame = Static<typeof Frame>;

/** Between two opposite corners of its area. */
export const LineElement = Type.Object(
  {
    kind: kindOf("line"),
    ...area,
    color: colorChoice("Colour of the line"),
    thickness: Type.Optional(thickness("the line")),
    direction: Type.Optional(
      oneOf(["down", "up"], "Seen from the left: to the right lower corner (the default), or to the right upper one"),
    ),
    dash: Type.Optional(Dash),
  },
  { title: "LineElement" },
);
export type LineElement = Static<typeof LineElement>;

export const EllipseElement = Type.Object(
  { kind: kindOf("ellipse"), ...area, ...surface },
  { title: "EllipseElement", description: "The ellipse that fills its area; a circle where the area is a square" },
);
export type EllipseElement = Static<typeof EllipseElement>;

const Point = Type.Array(Type.Integer({ minimum: 0, maximum: 4096, description: "Pixels from the area's edge" }), {
  minItems: 2,
  maxItems: 2,
  description: "Pixels from the left and from the upper edge of the area, in which it lies",
});

export const PolygonElement = Type.Object(
  {
    kind: kindOf("polygon"),
    ...area,
    ...surface,
    points: Type.Array(Point, { minItems: 3, maxItems: 32, description: "Its corners, one after the other" }),
  },
  { title: "PolygonElement" },
);
export type PolygonElement = Static<typeof PolygonElement>;

const angle = (description: string) =>
  Type.Integer({ minimum: 0, maximum: 360, description: `${description}, in degrees clockwise from the top` });

export const ArcElement = Type.Object(
  {
    kind: kindOf("arc"),
    ...area,
    color: colorChoice("Colour of the arc"),
    thickness: Type.Optional(thickness("the arc, inside its area")),
    from: angle("Where it begins"),
    to: angle("Where it ends; smaller than `from` where it passes the top"),
  },
  { title: "ArcElement", description: "A part of the outline of the ellipse that fills its area" },
);
export type ArcElement = Static<typeof ArcElement>;

/** Elements that have a form and no content. */
export const shapeElements = [BoxElement, LineElement, EllipseElement, PolygonElement, ArcElement] as const;
export type ShapeElement = BoxElement | LineElement | EllipseElement | PolygonElement | ArcElement;
