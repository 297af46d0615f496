import type { Element } from "../../../../schemas/canvas.ts";

/** Boxes and lines. */
export const shapes: Record<string, Element[]> = {
  "shape-boxes": [0, 4, 12, 40].flatMap((radius, index): Element[] => [
    { kind: "box", x: 4 + index * 72, y: 4, width: 66, height: 56, fill: "red", radius },
    { kind: "box", x: 4 + index * 72, y: 66, width: 66, height: 56, stroke: "black", thickness: 1 + 2 * index, radius },
  ]),
  "shape-lines": [1, 2, 3, 5, 8].flatMap((thickness, index): Element[] => [
    { kind: "line", x: 10, y: 10 + index * 24, width: 120, height: 1, thickness, color: "black" },
    { kind: "line", x: 150 + index * 12, y: 10, width: 80, height: 108, thickness, color: index % 2 ? "red" : "black" },
  ]),
};
