/**
 * What bounds an expression when it is saved, and what one evaluation may cost (design, section 2). A step is the work
 * of about one node of the syntax tree; `scripts/develop/bench/expressions.ts` measures what the costliest evaluations take.
 */
export const limits = {
  /** Characters of a source. */
  source: 4096,
  nodes: 500,
  depth: 50,
  /** Elements of a list or entries of a map that is written out. */
  listElements: 100,
  /** Macros inside macros: each level multiplies the work. */
  macroDepth: 2,
  durationText: 128,
  /** Characters of a regular expression, and the size of the program that is made of it. */
  patternText: 1000,
  patternSize: 500,
  /** Characters and program size where an expression makes its pattern itself: that one is compiled in the evaluation. */
  madePatternText: 64,
  madePatternSize: 200,
  /** Steps of one evaluation. */
  steps: 60_000,
} as const;
