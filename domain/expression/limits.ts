/**
 * Limits of an expression when it is stored, and of one evaluation (docs/rules.md#what-is-refused). A step is the work
 * of about one node of the syntax tree; `scripts/develop/bench/expressions.ts` measures the costliest evaluations.
 */
export const limits = {
  /** Characters of a source. */
  source: 4096,
  nodes: 500,
  depth: 50,
  /** Elements of a list literal, or entries of a map literal. */
  listElements: 100,
  /** Nesting of macros: each level multiplies the work. */
  macroDepth: 2,
  durationText: 128,
  /** Characters of a literal regular expression, and instructions of its program. */
  patternText: 1000,
  patternSize: 500,
  /** The same for a pattern that is computed: it is compiled during the evaluation. */
  madePatternText: 64,
  madePatternSize: 200,
  /** Steps of one evaluation. */
  steps: 60_000,
  /** Steps of all evaluations of a pack for one link: tens of milliseconds. */
  packSteps: 300_000,
  /** The same of a layout for one label: fifty labels of an order take a fraction of the order's ten seconds. */
  layoutSteps: 1_500_000,
  /** Parts and pattern instructions of all different expressions of a pack or a canvas together: they are compiled. */
  nodesInAll: 40_000,
  patternsInAll: 20_000,
  /** Faulty expressions of a pack or a canvas, after which no further one is compiled. */
  faults: 20,
} as const;
