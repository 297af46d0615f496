import { type Static, Type } from "typebox";
import { area, colorChoice, kindOf, oneOf, radius, thickness } from "./canvas-parts.ts";
import { length } from "./lengths.ts";

/** Outline and fill of a shape; the stroke is inside its area. */
const surface = {
  fill: Type.Optional(colorChoice("Fill colour; no fill if absent")),
  stroke: Type.Optional(colorChoice("Outline colour; no outline if absent")),
  thickness: Type.Optional(thickness("Width of the outline")),
};

const Dash = Type.Array(
  Type.Integer({ minimum: 1, maximum: 4096, description: "Length of a dash or a gap in pixels" }),
  {
    minItems: 2,
    maxItems: 2,
    description: "Lengths of dash and gap in pixels; a solid line if absent",
  },
);

export const BoxElement = Type.Object(
  { kind: kindOf("box"), ...area, ...surface, radius: Type.Optional(radius) },
  { title: "BoxElement" },
);
export type BoxElement = Static<typeof BoxElement>;

/** A box sized to its content. */
export const Frame = Type.Object(
  {
    ...surface,
    radius: Type.Optional(radius),
    padding: Type.Optional(length({ minimum: 0, maximum: 256 }, "Space between the text and the box; default 2")),
  },
  { description: "A box drawn behind the text, sized to the text and kept inside the element's area" },
);
export type Frame = Static<typeof Frame>;

/** A line between two opposite corners of its area. */
export const LineElement = Type.Object(
  {
    kind: kindOf("line"),
    ...area,
    color: colorChoice("Colour of the line"),
    thickness: Type.Optional(thickness("Width of the line")),
    direction: Type.Optional(
      oneOf(
        ["down", "up"],
        "Direction, seen from the left: to the bottom right corner (the default) or to the top right corner",
      ),
    ),
    dash: Type.Optional(Dash),
  },
  { title: "LineElement" },
);
export type LineElement = Static<typeof LineElement>;

export const EllipseElement = Type.Object(
  { kind: kindOf("ellipse"), ...area, ...surface },
  { title: "EllipseElement", description: "An ellipse that fills its area; a circle if the area is square" },
);
export type EllipseElement = Static<typeof EllipseElement>;

const Point = Type.Array(Type.Integer({ minimum: 0, maximum: 4096, description: "Pixels from the area's edge" }), {
  minItems: 2,
  maxItems: 2,
  description: "Pixels from the left and top edge of the area; the point must be inside the area",
});

export const PolygonElement = Type.Object(
  {
    kind: kindOf("polygon"),
    ...area,
    ...surface,
    points: Type.Array(Point, { minItems: 3, maxItems: 32, description: "The corners in order" }),
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
    thickness: Type.Optional(thickness("Width of the arc, drawn inside its area")),
    from: angle("Start angle"),
    to: angle("End angle; smaller than `from` if the arc passes the top"),
  },
  { title: "ArcElement", description: "Part of the outline of an ellipse that fills its area" },
);
export type ArcElement = Static<typeof ArcElement>;

/** Elements that have a shape but no content. */
export const shapeElements = [BoxElement, LineElement, EllipseElement, PolygonElement, ArcElement] as const;
export type ShapeElement = BoxElement | LineElement | EllipseElement | PolygonElement | ArcElement;
