/**
 * Limits for an expression when it is stored, and for one evaluation (docs/rules.md#what-is-refused). A step is the work for
 * about one node of the syntax tree. `scripts/develop/bench/expressions.ts` measures the costliest evaluations.
 */
export const limits = {
  /** Maximum length of a source, in characters. */
  source: 4096,
  nodes: 500,
  depth: 50,
  /** Maximum number of elements of a list literal, or of entries of a map literal. */
  listElements: 100,
  /** Maximum nesting of macros. Each level multiplies the work. */
  macroDepth: 2,
  durationText: 128,
  /** Maximum length of a literal regular expression in characters, and size of its program in instructions. */
  patternText: 1000,
  patternSize: 500,
  /** The same limits for a computed pattern, which is compiled during the evaluation. */
  madePatternText: 64,
  madePatternSize: 200,
  /** Maximum number of steps of one evaluation. */
  steps: 60_000,
  /** Maximum number of steps of all evaluations of a pack for one link: tens of milliseconds. */
  packSteps: 300_000,
  /** The same limit for a layout and one label. Fifty labels take a fraction of an order's ten seconds. */
  layoutSteps: 1_500_000,
  /**
   * Maximum number of parts, and of pattern instructions, in all distinct expressions of a pack or a canvas together. They are
   * limited because each expression is compiled.
   */
  nodesInAll: 40_000,
  patternsInAll: 20_000,
  /** Number of faulty expressions of a pack or a canvas after which compilation stops. */
  faults: 20,
} as const;
