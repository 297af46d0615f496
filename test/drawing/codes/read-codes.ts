import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { scanGrayBuffer, ZBarScanner } from "@undecaf/zbar-wasm";
import fc from "fast-check";
import { prepareZXingModule, type ReaderOptions, type ReadResult, readBarcodes } from "zxing-wasm/reader";
import { linearSymbol, matrixSymbol } from "../../../drawing/codes/encode-codes.ts";
import type { Framebuffer } from "../../../drawing/pixels/framebuffer.ts";
import { encodePng } from "../../../drawing/pixels/png.ts";
import type { Element } from "../../../schemas/canvas.ts";
import type { LinearCodeElement, MatrixCodeElement } from "../../../schemas/canvas-codes.ts";
import { drawElements } from "../drawing.ts";

const require = createRequire(import.meta.url);
// Loads the reader with its program, which it would otherwise download.
const program = await readFile(require.resolve("zxing-wasm/reader/zxing_reader.wasm"));
await prepareZXingModule({ overrides: { wasmBinary: program.buffer as ArrayBuffer }, fireImmediately: true });

type Format = NonNullable<ReaderOptions["formats"]>[number];

/**
 * Reads the codes of a PNG with an independent reader (ZXing), which gets neither the position nor the size of a code.
 * For a label with other elements the reader scans more lines.
 */
export async function readCode(
  png: Buffer,
  format: Format,
  { isGs1 = false, hasMore = false } = {},
): Promise<Pick<ReadResult, "text" | "symbologyIdentifier">> {
  const effort = { tryHarder: hasMore, tryRotate: false, tryInvert: false, tryDownscale: false };
  const options: ReaderOptions = { formats: [format], ...effort };
  // GS1 element strings have their identifiers in parentheses; other text is unchanged.
  const [found, ...more] = await readBarcodes(png, { ...options, textMode: isGs1 ? "HRI" : "Plain" });
  if (found === undefined || more.length > 0)
    throw new Error(`${more.length + (found ? 1 : 0)} codes were read, not 1`);
  const { text, symbologyIdentifier } = found;
  // The reader returns a UPC-A as an EAN-13 with a leading zero.
  return { text: format === "UPCA" ? text.replace(/^0(?=\d{12}$)/, "") : text, symbologyIdentifier };
}

/** The size of a module in pixels, the height of a code, and the blank pixels around the code's area. */
export interface CodeSize {
  module: number;
  height: number;
  around: number;
}

export const anySize = fc.record({
  module: fc.integer({ min: 2, max: 5 }),
  height: fc.integer({ min: 10, max: 90 }),
  around: fc.nat({ max: 12 }),
});

/** A PNG of a label with a code on a red background. */
export const drawLinear = (...order: Parameters<typeof paintLinear>): Buffer => encodePng(paintLinear(...order));

/** The picture of a label with a code on a red background. */
export function paintLinear(
  kind: LinearCodeElement["kind"],
  value: string,
  { module, height, around }: CodeSize,
  more: Pick<LinearCodeElement, "guardBars" | "textSize"> = {},
): Framebuffer {
  const width = linearSymbol(kind, value).modules * module;
  return paintOn(width, height, around, (area) => ({ kind, ...area, value: quote(value), ...more }));
}

const gray = { white: 255, black: 0, red: 76, yellow: 226, green: 150, blue: 29, orange: 151 };

/** Reads the codes of a picture with another independent reader (zbar), which sees shades of grey. */
export async function readByZbar({ width, height, palette, pixels }: Framebuffer): Promise<string[]> {
  const shadeOf = palette.map((color) => gray[color]);
  // A loop, because `Uint8Array.from` uses an iterator, which takes longer than reading the codes.
  const shades = new Uint8Array(pixels.length);
  for (let at = 0; at < pixels.length; at += 1) shades[at] = shadeOf[pixels[at] as number] as number;
  // A scanner remembers the parts of DataBars that it has seen, so each picture gets a new scanner.
  const scanner = await ZBarScanner.create();
  const symbols = await scanGrayBuffer(shades.buffer as ArrayBuffer, width, height, scanner);
  const found = symbols.map((symbol) => `${symbol.typeName} ${symbol.decode()}`);
  scanner.destroy();
  return found;
}

/** A PNG of a label with a matrix code on a red background. */
export const drawMatrix = (...order: Parameters<typeof paintMatrix>): Buffer => encodePng(paintMatrix(...order));

/** The picture of a label with a matrix code on a red background. */
export function paintMatrix(
  kind: MatrixCodeElement["kind"],
  value: string,
  { module, around }: Omit<CodeSize, "height">,
  errorCorrection: NonNullable<MatrixCodeElement["errorCorrection"]> = "M",
): Framebuffer {
  const { columns, rows } = matrixSymbol(kind, value, errorCorrection);
  const more = { value: quote(value), errorCorrection };
  return paintOn(columns * module, rows * module, around, (area) => ({ kind, ...area, ...more }));
}

function paintOn(
  width: number,
  height: number,
  around: number,
  make: (area: Pick<Element, "x" | "y" | "width" | "height">) => Element,
): Framebuffer {
  const size = { width: width + 2 * around, height: height + 2 * around };
  const { picture, errors } = drawElements([make({ x: around, y: around, width, height })], {
    ...size,
    background: around > 0 ? "red" : "white",
  });
  if (errors.length > 0) throw new Error(errors.join("; "));
  return picture;
}

/** A template for literal text, in which `${` does not begin an expression. */
const quote = (value: string): string => `\${${JSON.stringify(value)}}`;

/** Digits with the check digit of EAN, UPC and GS1 appended. */
export function withCheckDigit(digits: string): string {
  const sum = Array.from(digits, Number).reduceRight(
    (total, digit, index) => total + digit * ((digits.length - index) % 2 === 1 ? 3 : 1),
    0,
  );
  return digits + ((10 - (sum % 10)) % 10);
}
