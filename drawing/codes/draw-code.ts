import type { LinearCodeElement, MatrixCodeElement } from "../../schemas/canvas-codes.ts";
import { notice } from "../../schemas/drawing-notice.ts";
import { type Area, type Framebuffer, fillRectangle, repeatRow } from "../pixels/framebuffer.ts";
import { offsetOf } from "../text/offset.ts";
import { shortened } from "../text/shortened.ts";
import { CodeError } from "./code-error.ts";
import { type CodeColors, type DrawnCode, drawLinear, MIN_MODULE } from "./draw-bars.ts";
import { matrixSymbol } from "./encode-codes.ts";

export type CodeElement = LinearCodeElement | MatrixCodeElement;

/** Draws a code. Throws CodeError if it cannot be drawn. */
export function drawCode(target: Framebuffer, element: CodeElement, value: string): DrawnCode {
  const colors = { dark: target.palette.indexOf("black"), light: target.palette.indexOf("white") };
  if (colors.dark < 0 || colors.light < 0) throw new CodeError(notice("CODE_COLORS", { text: shortened(value) }));
  if (!isMatrix(element)) return drawLinear(target, element, value, colors);
  return { covered: drawMatrix(target, element, value, colors), warnings: [] };
}

const isMatrix = (element: CodeElement): element is MatrixCodeElement =>
  element.kind === "qr" || element.kind === "datamatrix" || element.kind === "gs1-datamatrix";

/** Draws the largest symbol that fits, in the middle of the area's height. */
function drawMatrix(target: Framebuffer, element: MatrixCodeElement, value: string, { dark, light }: CodeColors): Area {
  const { kind, x, y, width, height, smallestModule = MIN_MODULE, errorCorrection = "M", align = "center" } = element;
  const symbol = matrixSymbol(kind, value, errorCorrection);
  const { columns, rows } = symbol;
  const module = Math.min(Math.floor(width / columns), Math.floor(height / rows));
  if (module < smallestModule) {
    const [needed, has] = [`${columns * smallestModule} x ${rows * smallestModule}`, `${width} x ${height}`];
    throw new CodeError(notice("CODE_NO_ROOM", { text: shortened(value), needed, has }));
  }
  const covered = {
    x: x + Math.floor(offsetOf(align, width, columns * module)),
    y: y + Math.floor((height - rows * module) / 2),
    width: columns * module,
    height: rows * module,
  };
  fillRectangle(target, covered.x, covered.y, covered.width, covered.height, light);
  for (let at = 0; at < symbol.dark.length; at += 3) {
    const [row, from, to] = [symbol.dark[at] as number, symbol.dark[at + 1] as number, symbol.dark[at + 2] as number];
    fillRectangle(target, covered.x + from * module, covered.y + row * module, (to - from) * module, 1, dark);
  }
  for (let row = 0; row < rows; row += 1) {
    repeatRow(target, { ...covered, y: covered.y + row * module, height: module });
  }
  return covered;
}
