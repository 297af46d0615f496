import type { LayoutElement } from "../../../../../../schemas/canvas.ts";
import { type Area, ownArea, withArea } from "../document/areas.ts";
import { changed, elementAt, type Layout, outermost, type Path } from "../document/elements.ts";

/** A change to an element's area on the canvas, in pixels. */
export interface Move {
  path: Path;
  x?: number;
  y?: number;
  width?: number;
  height?: number;
}

/** Returns how far the groups around an element turn it, in degrees. */
export const turnOf = (layout: Layout, path: Path): number =>
  path
    .slice(0, -1)
    .map((_, depth) => elementAt(layout, path.slice(0, depth + 1))?.rotate ?? 0)
    .reduce((sum: number, rotate) => (sum + rotate) % 360, 0);

/** Converts a movement on the canvas to the coordinates of an element's group. */
function wayInGroup(x: number, y: number, turn: number): { x: number; y: number } {
  switch (turn) {
    case 90:
      return { x: y, y: -x };
    case 180:
      return { x: -x, y: -y };
    case 270:
      return { x: -y, y: x };
    default:
      return { x, y };
  }
}

/** Moves and resizes elements by this many canvas pixels, starting from their state in `from`. */
export function moved(layout: Layout, from: Layout, moves: readonly Move[], dpi: number): Layout {
  return moves.reduce((rest, { path, x = 0, y = 0, width = 0, height = 0 }) => {
    const before = elementAt(from, path);
    if (before === undefined) return rest;
    const own = ownArea(before, dpi);
    const way = wayInGroup(x, y, turnOf(from, path));
    const area: Area = {
      x: own.x + way.x,
      y: own.y + way.y,
      width: Math.max(1, own.width + width),
      height: Math.max(1, own.height + height),
    };
    return changed(rest, path, (element) => withArea(withOwn(element, before), area, dpi));
  }, layout);
}

/** Uses the element's original lengths, so that a length in millimetres is not rounded at every step. */
const withOwn = (element: LayoutElement, { x, y, width, height }: LayoutElement): LayoutElement => ({
  ...element,
  ...{ x, y, width, height },
});

/** Moves or resizes all selected elements by the same amount; elements inside a selected group move with it. */
export const nudged = (layout: Layout, selection: readonly Path[], way: Omit<Move, "path">, dpi: number): Layout =>
  moved(
    layout,
    layout,
    outermost(selection).map((path) => ({ path, ...way })),
    dpi,
  );
