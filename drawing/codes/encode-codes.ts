import bwip from "bwip-js/node";
import { correction, generate, mode } from "lean-qr";
import { LRUCache } from "lru-cache";
import type { LinearCodeElement, MatrixCodeElement } from "../../schemas/canvas-codes.ts";
import { notice } from "../../schemas/drawing-notice.ts";
import { shortened } from "../text/shortened.ts";
import { CodeError } from "./code-error.ts";
import { eanWidths } from "./encode-ean.ts";

/** Bars as pairs of start and end, in modules. All lengths include the quiet zones. */
export interface LinearSymbol {
  bars: Int16Array;
  modules: number;
  /** The encoded text, as people read it. */
  text: string;
}

/** Dark modules as triples: row, first column, last column + 1. */
export interface MatrixSymbol {
  dark: Int16Array;
  columns: number;
  rows: number;
}

type LinearKind = LinearCodeElement["kind"];
type ErrorCorrection = NonNullable<MatrixCodeElement["errorCorrection"]>;

/** Quiet zones left and right, in modules (GS1 General Specifications, 5.2 to 5.5; ISO/IEC 15417 and 16388). */
const quietZones: Readonly<Record<LinearKind, readonly [left: number, right: number]>> = {
  ean13: [11, 7],
  ean8: [7, 7],
  upca: [9, 9],
  code128: [10, 10],
  "gs1-128": [10, 10],
  code39: [10, 10],
  itf14: [10, 10],
  // The guard patterns of these codes already contain the light modules that the codes need.
  databar: [1, 1],
  "databar-expanded": [1, 1],
};
/** Quiet zones on all sides, in modules (ISO/IEC 18004 and 16022). */
const QR_QUIET = 4;
const DATA_MATRIX_QUIET = 1;

/** Maximum length of a value. A longer value does not fit a label and takes long to encode. */
const maxLengths = {
  code128: 80,
  "gs1-128": 100,
  code39: 40,
  "databar-expanded": 100,
  datamatrix: 300,
  "gs1-datamatrix": 300,
  qr: 1000,
} as const;
const MAX_LINEAR_SYMBOLS = 10_000;
const linear = new LRUCache<string, LinearSymbol>({ max: MAX_LINEAR_SYMBOLS });
const MAX_MATRIX_NUMBERS = 4_000_000;
const matrix = new LRUCache<string, MatrixSymbol>({
  maxSize: MAX_MATRIX_NUMBERS,
  sizeCalculation: ({ dark }) => dark.length,
});

/** Encodes a value as bars. Throws CodeError if it cannot be encoded. */
export function linearSymbol(kind: LinearKind, value: string): LinearSymbol {
  const key = `${kind}/${value}`;
  const known = linear.get(key);
  if (known) return known;
  const text = kind === "databar" ? elementString(value) : value;
  const [left, right] = quietZones[kind];
  const bars: number[] = [];
  let x = left;
  for (const [index, width] of widthsOf(kind, text).entries()) {
    // The first bar of a DataBar has no width, because the symbol begins with a space.
    if (index % 2 === 0 && width > 0) bars.push(x, x + width);
    x += width;
  }
  const symbol = { bars: Int16Array.from(bars), modules: x + right, text };
  linear.set(key, symbol);
  return symbol;
}

function widthsOf(kind: LinearKind, value: string): readonly number[] {
  switch (kind) {
    case "ean13":
      return eanWidths(value, 13);
    case "ean8":
      return eanWidths(value, 8);
    case "upca":
      return eanWidths(value, 12);
    case "code128":
      refuseLong(kind, value, "Code 128");
      if (!/^[ -~]+$/.test(value))
        throw new CodeError(notice("CODE_LETTERS", { text: shortened(value), kind: "Code 128" }));
      return barsByLibrary("code128", value, "Code 128");
    case "gs1-128":
      refuseLong(kind, value, "GS1-128");
      return barsByLibrary("gs1-128", value, "GS1-128");
    case "code39":
      refuseLong(kind, value, "Code 39");
      return barsByLibrary("code39", value, "Code 39");
    case "itf14":
      if (!/^\d{14}$/.test(value))
        throw new CodeError(notice("CODE_DIGITS", { text: shortened(value), kind: "ITF-14", digits: 14 }));
      return barsByLibrary("itf14", value, "ITF-14");
    case "databar":
      return barsByLibrary("databaromni", value, "GS1 DataBar");
    case "databar-expanded":
      refuseLong(kind, value, "GS1 DataBar Expanded");
      return barsByLibrary("databarexpanded", value, "GS1 DataBar Expanded");
  }
}

/** Returns a GTIN with its application identifier. Shorter GTINs are padded with zeros. */
function elementString(value: string): string {
  const [, digits] = /^(?:\(01\)(?=\d{14}$))?(\d{8}|\d{12,14})$/.exec(value) ?? [];
  if (digits === undefined)
    throw new CodeError(
      notice("CODE_DIGITS", {
        text: shortened(value),
        kind: "GS1 DataBar",
        digits: "8, 12, 13 or 14 digits, or (01) and 14",
      }),
    );
  return `(01)${digits.padStart(14, "0")}`;
}

function refuseLong(kind: keyof typeof maxLengths, value: string, name: string): void {
  if (value.length > maxLengths[kind])
    throw new CodeError(notice("CODE_TOO_LONG", { text: shortened(value), kind: name, most: maxLengths[kind] }));
}

/** Encodes a value as dark modules. Throws CodeError if it cannot be encoded. */
export function matrixSymbol(
  kind: MatrixCodeElement["kind"],
  value: string,
  errorCorrection: ErrorCorrection,
): MatrixSymbol {
  const key = `${kind}/${errorCorrection}/${value}`;
  const known = matrix.get(key);
  if (known) return known;
  const symbol = kind === "qr" ? qrSymbol(value, errorCorrection) : dataMatrixSymbol(kind, value);
  matrix.set(key, symbol);
  return symbol;
}

/** Modes of QR codes, except the modes for national character sets, which many readers lack. */
const modes = [mode.numeric, mode.alphaNumeric, mode.ascii, mode.utf8];

function qrSymbol(value: string, errorCorrection: ErrorCorrection): MatrixSymbol {
  refuseLong("qr", value, "QR code");
  const { size, get } = generateQr(value, errorCorrection);
  return symbolOf(size, size, QR_QUIET, get);
}

function generateQr(value: string, errorCorrection: ErrorCorrection) {
  try {
    return generate(mode.auto(value, { modes }), { minCorrectionLevel: correction[errorCorrection] });
  } catch {
    // The library throws only for this reason.
    throw new CodeError(notice("CODE_TOO_MUCH", { text: shortened(value), kind: "QR code" }));
  }
}

function dataMatrixSymbol(kind: "datamatrix" | "gs1-datamatrix", value: string): MatrixSymbol {
  const name = kind === "datamatrix" ? "DataMatrix" : "GS1 DataMatrix";
  refuseLong(kind, value, name);
  if (kind === "datamatrix" && !/^[ -~]+$/.test(value))
    throw new CodeError(notice("CODE_LETTERS", { text: shortened(value), kind: name }));
  const [symbol] = byLibrary(kind.replace("-", ""), value, name);
  if (symbol === undefined || !("pixs" in symbol)) throw invalid(value, name, "the encoder returned no modules");
  const { pixs, pixx, pixy } = symbol;
  return symbolOf(pixx, pixy, DATA_MATRIX_QUIET, (x, y) => pixs[y * pixx + x] === 1);
}

function symbolOf(
  columns: number,
  rows: number,
  quiet: number,
  isDark: (x: number, y: number) => boolean,
): MatrixSymbol {
  const dark: number[] = [];
  for (let y = 0; y < rows; y += 1) {
    for (let x = 0; x < columns; x += 1) {
      const start = x;
      while (x < columns && isDark(x, y)) x += 1;
      if (x > start) dark.push(y + quiet, start + quiet, x + quiet);
    }
  }
  return { dark: Int16Array.from(dark), columns: columns + 2 * quiet, rows: rows + 2 * quiet };
}

function barsByLibrary(symbology: string, value: string, name: string): readonly number[] {
  const [symbol] = byLibrary(symbology, value, name);
  if (symbol && "sbs" in symbol) return symbol.sbs;
  throw invalid(value, name, "the encoder returned no bars");
}

function byLibrary(symbology: string, value: string, name: string) {
  try {
    return bwip.raw(symbology, value, "");
  } catch (error) {
    throw invalid(value, name, (error as Error).message.replace(/^bwipp\.\w+#\d+: /, ""));
  }
}

const invalid = (value: string, kind: string, reason: string): CodeError =>
  new CodeError(notice("CODE_INVALID", { text: shortened(value), kind, reason }));
