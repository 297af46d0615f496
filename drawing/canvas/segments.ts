import type { Element } from "../../schemas/canvas.ts";
import type { PriceElement, TextElement } from "../../schemas/canvas-texts.ts";
import { type DrawingNotice, notice } from "../../schemas/drawing-notice.ts";
import type { LabelType } from "../../schemas/label-type.ts";
import { blankPicture } from "../pixels/blank-picture.ts";
import { type Framebuffer, fillRectangle } from "../pixels/framebuffer.ts";
import { colorIndex } from "../pixels/nearest-color.ts";
import { DrawingError } from "../text/drawing-error.ts";
import { DASH, styledPrice } from "../values/styled-price.ts";
import { type CompiledCanvas, type CompiledElement, type CompiledNode, compiledElements } from "./compile-canvas.ts";
import { type DrawingFacts, layoutOf } from "./draw.ts";
import { fillLayout } from "./fill-canvas.ts";

/** Number of characters that a segment label shows. */
const CELLS = 8;
const SHOWABLE = /^[0-9.,\- ]*$/;

/** The content of a segment label: text instead of a picture, and a picture of that text. */
export interface SegmentDrawing {
  text: string;
  picture: Framebuffer;
  warnings: DrawingNotice[];
}

/**
 * Formats the text of a design's only text or price element for the label's cells. Throws DrawingError if the text has
 * characters that segments cannot show, or more than eight.
 */
export function drawSegments(canvas: CompiledCanvas, facts: DrawingFacts): SegmentDrawing {
  const layout = layoutOf(canvas, facts.labelType);
  const all = compiledElements(layout.elements);
  const lines = all.filter(({ element }) => isLine(element));
  const [line] = lines;
  if (line === undefined || lines.length > 1) throw new DrawingError(notice("SEGMENTS_LINES", { lines: lines.length }));
  const others = all.filter((element) => element !== line);
  const unshown = others.map(({ element: { kind } }) => notice("SEGMENTS_KIND", { kind }));
  const { elements, warnings } = fillLayout({ ...layout, elements: only(line, layout.elements) }, facts.variables);
  const [shown] = elements.flatMap(({ element, text }) =>
    isLine(element) ? { element, ...fitCells(element, text.trim(), facts.store) } : [],
  );
  const cells = shown ? align(shown.text, shown.element.align) : "";
  const told = [...unshown, ...warnings, ...(shown?.warnings ?? [])];
  return { text: cells, picture: pictureOf(cells, facts.labelType), warnings: told };
}

/** Keeps an element and the groups around it, but not the groups' other elements. */
const only = (element: CompiledElement, nodes: readonly CompiledNode[]): CompiledNode[] =>
  nodes.flatMap((node): CompiledNode[] => {
    if (!("members" in node)) return node === element ? [node] : [];
    const members = only(element, node.members);
    return members.length > 0 ? [{ ...node, members }] : [];
  });

type Line = TextElement | PriceElement;

const isLine = (element: Element): element is Line => element.kind === "text" || element.kind === "price";

/**
 * Formats a price in the store's locale, without its currency, and without grouping if it would not fit. Its decimals are as
 * large as its integer, so a separator that the design omits is shown.
 */
function fitCells(line: Line, text: string, store: DrawingFacts["store"]): { text: string; warnings: DrawingNotice[] } {
  const { kind } = line;
  const { parts, warnings } = styledPrice(text, kind === "price" ? line : {}, store);
  const { integer, separator, omittedSeparator = "", decimals, isVerbatim } = parts;
  const price = (whole: string) => plain(`${whole}${separator || omittedSeparator}${decimals}`);
  const grouped = kind === "price" && !isVerbatim ? price(integer) : plain(text);
  const isFit = grouped.length <= CELLS;
  const shown = isFit || kind !== "price" || isVerbatim ? grouped : price(plain(integer).replace(/[^\d-]/g, ""));
  if (shown.length > CELLS || !SHOWABLE.test(shown))
    throw new DrawingError(notice("SEGMENTS_TEXT", { text: shown, cells: CELLS }));
  return { text: shown, warnings };
}

const MINUSES = new RegExp(`[\u2212${DASH}]`, "g");

/** Replaces minus signs and spaces with the ones that segments can show. */
const plain = (text: string): string => text.replace(MINUSES, "-").replace(/[\u00a0\u202f]/g, " ");

function align(text: string, to: Line["align"]): string {
  if (to === "right") return text.padStart(CELLS);
  return to === "center" ? text.padStart(text.length + Math.floor((CELLS - text.length) / 2)) : text;
}

/**
 * Segments of each character, by their usual letters: a at the top, then clockwise b to f, and g in the middle. p is the point, q
 * its tail.
 */
const segments: Readonly<Record<string, string>> = {
  "0": "abcdef",
  "1": "bc",
  "2": "abged",
  "3": "abgcd",
  "4": "fgbc",
  "5": "afgcd",
  "6": "afgedc",
  "7": "abc",
  "8": "abcdefg",
  "9": "abcdfg",
  "-": "g",
  ".": "p",
  ",": "pq",
};

/** Draws text as a segment label's cells show it. */
function pictureOf(text: string, labelType: Pick<LabelType, "width" | "height" | "colors">): Framebuffer {
  const picture = blankPicture(labelType);
  const ink = colorIndex("black", labelType.colors);
  const cell = Math.floor(labelType.width / CELLS);
  const gap = Math.max(1, Math.floor(cell / 6));
  const area = { width: cell - 2 * gap, height: labelType.height - 2 * gap };
  const thickness = Math.max(1, Math.floor(area.width / 4));
  for (const [index, character] of [...text].entries()) {
    for (const segment of segments[character] ?? "") {
      const [x, y, width, height] = barOf(segment, area, thickness);
      fillRectangle(picture, index * cell + gap + x, gap + y, width, height, ink);
    }
  }
  return picture;
}

function barOf(segment: string, { width, height }: { width: number; height: number }, thick: number) {
  const half = Math.floor(height / 2);
  const [right, bottom, middle] = [width - thick, height - thick, half - Math.floor(thick / 2)];
  const bars: Readonly<Record<string, readonly [x: number, y: number, width: number, height: number]>> = {
    a: [0, 0, width, thick],
    b: [right, 0, thick, half],
    c: [right, half, thick, height - half],
    d: [0, bottom, width, thick],
    e: [0, half, thick, height - half],
    f: [0, 0, thick, half],
    g: [0, middle, width, thick],
    p: [0, bottom, thick, thick],
    q: [0, bottom - thick, thick, thick],
  };
  return bars[segment] ?? [0, 0, 0, 0];
}
