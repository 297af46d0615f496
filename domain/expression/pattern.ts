import { RE2JS } from "re2js";
import { countComputing } from "../../schemas/computing-counts.ts";
import { limits } from "./limits.ts";

/** A regular expression that is matched in linear time (RE2). */
export interface Pattern {
  /** Whether any part of the text matches. */
  test(text: string): boolean;
  /** Number of instructions in the pattern's program. Matching takes a proportional number of steps for each character. */
  readonly size: number;
}

/** Limits for a pattern: characters, and instructions of its program. */
interface PatternLimits {
  text: number;
  size: number;
}

/** Limits for a literal pattern, which is compiled with its expression. */
export const writtenPattern: PatternLimits = { text: limits.patternText, size: limits.patternSize };
/** Limits for a computed pattern, which is compiled during the evaluation. */
export const madePattern: PatternLimits = { text: limits.madePatternText, size: limits.madePatternSize };

/**
 * Compiles a pattern, after calling `charge` with its estimated cost. An overestimate is refunded. Throws if the pattern is
 * invalid or too large. The size is estimated before compiling, because a short pattern such as `(x{1000}y{1000}...)` compiles
 * to a program of a million instructions.
 */
export function compilePattern(source: string, bounds: PatternLimits, charge?: (cost: number) => void): Pattern {
  if (source.length > bounds.text) throw new Error(`a regular expression can have at most ${bounds.text} characters`);
  if (programBound(source) > bounds.size)
    throw new Error("the regular expression is too large: it has too many repetitions or alternatives");
  const cost = compileCost(source);
  charge?.(cost);
  countComputing("compileSteps", cost);
  const compiled = parsed(source);
  const size = compiled.programSize();
  charge?.(size - programBound(source));
  // `find` backtracks with a memory of one bit for each instruction and character. `test` would build an automaton of up to
  // several megabytes for each pattern of each pack.
  return { test: (text) => compiled.matcher(text).find(), size };
}

/**
 * Cost of compiling a class of Unicode letters such as `\pL`, in instructions. The case-insensitive form of one letter costs
 * even more.
 */
const CLASS_COST = 30;
const FOLDED_CLASS_COST = 70;

/**
 * Returns the cost of compiling a pattern, in instructions of its program, computed only from the pattern's text. The cost is
 * charged before the pattern is compiled: `(?i)[\pL\pN...]` becomes a program of a few instructions, but from tables of a million
 * letters.
 */
export const compileCost = (source: string): number => programBound(source) + classesOf(source) * classCost(source);

const classesOf = (source: string): number => source.match(/\\[pP]/g)?.length ?? 0;
const classCost = (source: string): number => (source.includes("(?") ? FOLDED_CLASS_COST : CLASS_COST);

function parsed(source: string): RE2JS {
  try {
    return RE2JS.compile(source);
  } catch (error) {
    throw new Error(`not a regular expression: ${(error as Error).message}`);
  }
}

/**
 * Returns an upper bound for the number of instructions of a pattern's RE2 program, computed only from the pattern's text. For
 * an invalid pattern the number is meaningless; compiling rejects it later.
 */
export function programBound(source: string): number {
  /** Sizes of the open groups. */
  const open: number[] = [0];
  /** Size of the last piece, which a repetition multiplies. */
  let last = 0;
  const add = (size: number): void => {
    open.push((open.pop() ?? 0) + last);
    last = size;
  };
  for (let at = 0; at < source.length; ) {
    const end = pieceEnd(source, at);
    const piece = source.slice(at, end);
    at = end;
    if (piece === "(") {
      add(0);
      open.push(0);
    } else if (piece === ")" && open.length > 1) last += (open.pop() ?? 0) + 3;
    else if (/^\{\d/.test(piece)) last = (last + 1) * Math.max(1, ...(piece.match(/\d+/g) ?? []).map(Number)) + 2;
    else if (piece === "*" || piece === "+" || piece === "?") last += 2;
    else add(piece.startsWith("\\Q") ? piece.length : piece === "|" ? 2 : 1);
  }
  return open.reduce((sum, size) => sum + size, last) + 3;
}

/** Returns the end of the piece of a pattern that begins at an offset: a class, an escape, a count or one character. */
function pieceEnd(source: string, at: number): number {
  if (source[at] === "[") return classEnd(source, at);
  if (source.startsWith("\\Q", at)) {
    const end = source.indexOf("\\E", at);
    return end < 0 ? source.length : end + 2;
  }
  const shape = source[at] === "\\" ? /\\(?:[xpP]\{[^}]*\}|.)?/suy : /\{\d+(?:,\d*)?\}|./suy;
  shape.lastIndex = at;
  return at + (shape.exec(source)?.[0].length ?? 1);
}

function classEnd(source: string, start: number): number {
  let at = start + (source[start + 1] === "^" ? 2 : 1);
  if (source[at] === "]") at += 1;
  while (at < source.length && source[at] !== "]") {
    const named = source[at] === "[" && source[at + 1] === ":" ? source.indexOf(":]", at + 2) : -1;
    if (named >= 0) at = named + 2;
    else at += source[at] === "\\" ? 2 : 1;
  }
  return at + 1;
}
