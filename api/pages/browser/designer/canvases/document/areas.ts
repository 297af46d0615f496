import type { LayoutElement } from "../../../../../../schemas/canvas.ts";
import { elementAt, isGroup, type Layout, type Path } from "./elements.ts";
import { inUnitOf, pixelsOf } from "./lengths.ts";

/** A rectangle on the canvas, in pixels. */
export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Returns the area in an element's own fields, within its group. */
export const ownArea = ({ x, y, width, height }: Area, dpi: number): Area => ({
  x: pixelsOf(x, dpi),
  y: pixelsOf(y, dpi),
  width: pixelsOf(width, dpi),
  height: pixelsOf(height, dpi),
});

/** Returns an element's area on the canvas as its fields place it; rotated groups and stacks may draw it elsewhere. */
export function areaAt(layout: Layout, path: Path, dpi: number): Area | undefined {
  const element = elementAt(layout, path);
  if (element === undefined) return undefined;
  const parents = path.slice(0, -1).map((_, depth) => elementAt(layout, path.slice(0, depth + 1)));
  const areas = parents.flatMap((parent) => (parent ? ownArea(parent, dpi) : []));
  const sumOf = (side: "x" | "y", own: number) => areas.reduce((sum, area) => sum + area[side], own);
  const area = ownArea(element, dpi);
  return { ...area, x: sumOf("x", area.x), y: sumOf("y", area.y) };
}

/** Returns an element with a different area; each of its lengths keeps its unit. */
export function withArea<E extends LayoutElement>(element: E, area: Partial<Area>, dpi: number): E {
  const entries = Object.entries(area).map(([name, pixels]): [string, number | string] => {
    const former = element[name as keyof Area];
    const least = name === "width" || name === "height" ? Math.max(1, pixels) : pixels;
    return [name, pixelsOf(former, dpi) === least ? former : inUnitOf(former, least, dpi)];
  });
  return { ...element, ...Object.fromEntries(entries) };
}

/** Returns the smallest area that contains the others. */
export function around(areas: readonly Area[]): Area {
  const x = Math.min(...areas.map((area) => area.x));
  const y = Math.min(...areas.map((area) => area.y));
  const right = Math.max(...areas.map((area) => area.x + area.width));
  const bottom = Math.max(...areas.map((area) => area.y + area.height));
  return { x, y, width: right - x, height: bottom - y };
}

/** Names of fields that scale with the width, with the height, and with the smaller of the two. */
const WIDE: ReadonlySet<string> = new Set(["x", "width"]);
const HIGH: ReadonlySet<string> = new Set(["y", "height"]);
const LETTERS: ReadonlySet<string> = new Set(["size", "minimumSize", "textSize", "radius", "padding", "gap"]);

/** Returns a layout's elements for a label of a different size: areas in proportion, font sizes by the smaller factor. */
export function scaledElements(elements: readonly LayoutElement[], across: number, down: number): LayoutElement[] {
  const both = Math.min(across, down);
  const scaled = (value: unknown, name: string): unknown => {
    if (typeof value === "number" && WIDE.has(name)) return Math.round(value * across);
    if (typeof value === "number" && HIGH.has(name)) return Math.round(value * down);
    if (typeof value === "number" && LETTERS.has(name)) return Math.max(4, Math.round(value * both));
    if (Array.isArray(value) && name === "runs") return value.map((run) => scaledFields(run));
    if (name === "box" || name === "repeat") return scaledFields(value);
    return value;
  };
  const scaledFields = (fields: unknown): unknown => {
    if (typeof fields !== "object" || fields === null) return fields;
    return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, scaled(value, name)]));
  };
  return elements.map((element) => {
    const made = scaledFields(element) as LayoutElement;
    const { width, height } = made;
    const least = { ...made, width: leastSide(width), height: leastSide(height) } as LayoutElement;
    return isGroup(least) ? { ...least, elements: scaledElements(least.elements, across, down) } : least;
  });
}

const leastSide = (side: number): number => (typeof side === "number" ? Math.max(1, side) : side);
