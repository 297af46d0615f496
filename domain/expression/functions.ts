import { limits } from "./limits.ts";
import { compileCost, compilePattern, madePattern, type Pattern, programBound } from "./pattern.ts";
import { instantOf, timestampField, timestampFields } from "./timestamps.ts";

/** A function that an expression may call. */
export interface CelFunction {
  /** Called before the call, with its arguments (the receiver first). Returns its steps in addition to the node's own. */
  cost?(...args: unknown[]): number;
  /** An implementation that replaces the library's. If it returns undefined, the library handles the call. */
  call?(...args: unknown[]): unknown;
}

const isText = (value: unknown): value is string => typeof value === "string";
const lengthOf = (value: unknown): number =>
  isText(value) || Array.isArray(value) || value instanceof Uint8Array ? value.length : 0;

/** Returns the steps for reading or creating a string of this length. */
export const readCost = (length: number): number => length >> 3;
const readFirst = { cost: (text: unknown) => readCost(lengthOf(text)) };

/** Returns the steps for searching a string for a part. In the worst case, the part is compared at each offset. */
export function searchCost(text: unknown, part: unknown): number {
  const length = lengthOf(text);
  const offsets = Math.max(0, length - lengthOf(part)) + 1;
  return readCost(length) + (offsets * lengthOf(part)) / 128;
}
const search: CelFunction = { cost: searchCost };

/** Splitting also costs a step for each part. A string has at most one more part than separators that fit into it. */
const splitCost = (text: unknown, separator: unknown): number =>
  searchCost(text, separator) + lengthOf(text) / Math.max(1, lengthOf(separator));

function joinCost(list: unknown, separator: unknown): number {
  if (!Array.isArray(list)) return 0;
  const length = list.reduce((sum: number, part) => sum + lengthOf(part), lengthOf(separator) * list.length);
  return list.length + readCost(length);
}

const INTEGER = /^[+-]?\d{1,20}$/;
// If the point between two groups of digits were optional, the digits could belong to either group, so rejecting a string would
// take quadratic time.
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const UNBOUNDED = /^[+-]?(?:inf|infinity|nan)$/i;
const DURATION = /^[+-]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:h|ms|m|s|us|µs|ns))+$/;

/** Returns a string as messages show it, cut to its first characters. */
const shown = (text: string): string => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}...` : text);

/** Rejects input that the library accepts and CEL does not: `""`, `0b11`, `0x1p` and integers beyond 64 bits. */
function requireInteger(value: unknown): undefined {
  if (isText(value) && !INTEGER.test(value)) throw new Error(`${shown(value)} is not a whole number`);
  if (typeof value === "number" && !(Math.abs(value) < 2 ** 63)) throw new Error(`${value} is not a 64-bit integer`);
}

function toDouble(value: unknown): number | undefined {
  if (!isText(value)) return undefined;
  if (DECIMAL.test(value)) return Number(value);
  if (!UNBOUNDED.test(value)) throw new Error(`${shown(value)} is not a number`);
  if (/nan$/i.test(value)) return Number.NaN;
  return value.startsWith("-") ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

function requireDuration(value: unknown): undefined {
  if (!isText(value)) return undefined;
  if (value.length > limits.durationText)
    throw new Error(`a duration can have at most ${limits.durationText} characters`);
  if (!DURATION.test(value)) throw new Error(`${shown(value)} is not a duration such as "1h30m"`);
}

function toTimestamp(value: unknown): Date | undefined {
  if (!isText(value)) return undefined;
  const instant = value.length > 40 ? undefined : instantOf(value);
  if (!instant) throw new Error(`${shown(value)} is not a timestamp such as "2026-01-31T08:00:00+01:00"`);
  return instant;
}

/** Unlike the library's functions, these change only the letters A to Z (cel-spec, strings extension). */
const lowerAscii = (text: unknown) =>
  isText(text) ? text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : undefined;
const upperAscii = (text: unknown) =>
  isText(text) ? text.replace(/[a-z]+/g, (letters) => letters.toUpperCase()) : undefined;

/** Minimum steps for compiling a pattern that an evaluation creates, and steps for each instruction of its `compileCost`. */
const MADE_PATTERN_COST = 20_000;
const MADE_INSTRUCTION_COST = 100;
const madeCost = (pattern: string): number => Math.max(MADE_PATTERN_COST, MADE_INSTRUCTION_COST * compileCost(pattern));

const matchCost = (size: number, text: unknown): number => size * (lengthOf(text) + 1);

/** `matches` for a literal pattern, which is compiled with the expression. */
export const matchesWritten = (pattern: Pattern): CelFunction => ({
  cost: (text) => matchCost(pattern.size, text),
  call: (text) => (isText(text) ? pattern.test(text) : undefined),
});

/** `matches` for a pattern that is computed during the evaluation. */
const matchesMade: CelFunction = {
  cost: (text, pattern) =>
    isText(pattern) && pattern.length <= madePattern.text
      ? madeCost(pattern) + matchCost(Math.min(programBound(pattern), madePattern.size), text)
      : 0,
  call: (text, pattern) =>
    isText(text) && isText(pattern) ? compilePattern(pattern, madePattern).test(text) : undefined,
};

/** Steps for computing the offset of a time zone. */
const ZONE_COST = 4000;

const field = (name: string): CelFunction => ({
  cost: (_, zone) => (zone === undefined ? 10 : ZONE_COST),
  call: (instant, zone) =>
    instant instanceof Date && (zone === undefined || isText(zone)) ? timestampField(name, instant, zone) : undefined,
});

/**
 * Every function that an expression may call, by name: the functions of CEL and its strings extension that the library has.
 * Any other function is rejected, so that each has a known cost.
 */
export const functions: ReadonlyMap<string, CelFunction> = new Map(
  Object.entries<CelFunction>({
    bool: {},
    bytes: readFirst,
    contains: search,
    double: { ...readFirst, call: toDouble },
    duration: { cost: (text) => 6 * lengthOf(text), call: requireDuration },
    dyn: {},
    endsWith: { cost: (_, part) => readCost(lengthOf(part)) },
    has: {},
    indexOf: search,
    int: { ...readFirst, call: requireInteger },
    join: { cost: joinCost },
    lastIndexOf: search,
    lowerAscii: { cost: lengthOf, call: lowerAscii },
    matches: matchesMade,
    // The library iterates over the characters to count a surrogate pair once.
    size: { cost: (text) => lengthOf(text) / 2 },
    split: { cost: splitCost },
    startsWith: { cost: (_, part) => readCost(lengthOf(part)) },
    string: { cost: (value) => (isText(value) ? 0 : 20 + readCost(lengthOf(value))) },
    substring: {},
    timestamp: { cost: () => 40, call: toTimestamp },
    trim: readFirst,
    type: {},
    uint: { ...readFirst, call: requireInteger },
    upperAscii: { cost: lengthOf, call: upperAscii },
    ...Object.fromEntries(timestampFields.map((name) => [name, field(name)])),
  }),
);
