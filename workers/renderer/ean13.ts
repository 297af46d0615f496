import bwip from "bwip-js/node";
import { LRUCache } from "lru-cache";

/** Modules of an EAN-13 symbol and of the quiet zones that it needs left and right (GS1 General Specifications, 5.2). */
const MODULES = 95;
const QUIET_LEFT = 11;
const QUIET_RIGHT = 7;
const SYMBOL_MODULES = QUIET_LEFT + MODULES + QUIET_RIGHT;
/** A label's dots are coarse: a narrower module does not scan. */
const SMALLEST_MODULE = 2;
const CODES = 10_000;

/** A bar, in modules from the left end of the symbol, quiet zone included. */
export interface Bar {
  x: number;
  width: number;
}

/** A symbol as it fits an area: its bars in pixels from the area's left edge. */
export interface FittedCode {
  bars: Bar[];
  /** Where the symbol begins and ends, quiet zones included. */
  left: number;
  right: number;
}

const codes = new LRUCache<string, Bar[]>({ max: CODES });

/** Thrown where a value is no EAN-13, or the area is too narrow for a symbol that scans. */
export class CodeError extends Error {
  override readonly name = "CodeError";
}

/** The widest symbol that fits the width, in the middle of it. */
export function fitEan13(value: string, width: number): FittedCode {
  const module = Math.floor(width / SYMBOL_MODULES);
  if (module < SMALLEST_MODULE) {
    throw new CodeError(`an EAN-13 needs ${SYMBOL_MODULES * SMALLEST_MODULE} pixels, but has ${width}`);
  }
  const left = Math.floor((width - SYMBOL_MODULES * module) / 2);
  const bars = barsOf(value).map((bar) => ({ x: left + bar.x * module, width: bar.width * module }));
  return { bars, left, right: left + SYMBOL_MODULES * module };
}

function barsOf(value: string): Bar[] {
  const known = codes.get(value);
  if (known) return known;
  const bars: Bar[] = [];
  let x = QUIET_LEFT;
  for (const [place, width] of widthsOf(value).entries()) {
    if (place % 2 === 0) bars.push({ x, width });
    x += width;
  }
  codes.set(value, bars);
  return bars;
}

/** Widths of bars and spaces in turn, in modules. */
function widthsOf(value: string): readonly number[] {
  if (!/^\d{13}$/.test(value)) throw new CodeError(`"${value}" is no EAN-13: it has 13 digits`);
  try {
    const [symbol] = bwip.raw("ean13", value, "");
    if (symbol && "sbs" in symbol) return symbol.sbs;
  } catch (error) {
    throw new CodeError(`"${value}" is no EAN-13: ${(error as Error).message.replace(/^bwipp\.\w+#\d+: /, "")}`);
  }
  throw new CodeError(`"${value}" gives no bars`);
}
