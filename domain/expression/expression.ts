import { Environment } from "@marcbachmann/cel-js";
import type { Duration, UnsignedInt } from "@marcbachmann/cel-js/evaluator";
import { countComputing } from "../../schemas/computing-counts.ts";
import type { CompileBudget } from "./compile-budget.ts";
import { withoutFinalZeros } from "./decimal.ts";
import { ExpressionError, type LibraryError, refusal } from "./expression-error.ts";
import { type CelFunction, functions } from "./functions.ts";
import { limits } from "./limits.ts";
import { BudgetError, CostError, createMeter, EVALUATION_COST, type Meter, spendBudget } from "./meter.ts";
import { type Paths, referencedPaths, writtenPath } from "./referenced-paths.ts";
import { callsOf, INT64_MAX, patternsOf, refuseUnsafe } from "./refuse-unsafe.ts";
import { type Weight, weightOf } from "./weight.ts";

export { BudgetError, ExpressionError };

/**
 * The maps that an expression can read. `item` contains strings. Integers are bigint. A map whose keys are chosen by callers must
 * be a Map: the library rejects an object with a key such as `constructor`.
 */
export type Variables = Readonly<Record<string, ReadonlyMap<string, unknown> | Readonly<Record<string, unknown>>>>;

/** The result of an evaluation, and the fault that makes it false, if any. */
export interface Explanation {
  value: boolean;
  /** Required paths that are missing, as an author writes them. */
  missing: string[];
  /** Why the evaluation failed, for instance because a string is not a number. */
  error?: string;
}

/** A compiled CEL expression. */
export interface Expression extends Paths {
  readonly source: string;
  /** The type of the expression's value: `bool`, `string` and so on. `dyn` if it is known only after an evaluation. */
  readonly type: string;
  /** The cost of compiling the expression, and the approximate cost of evaluating it. */
  readonly weight: Weight;
  /**
   * Whether the expression holds. False if a required path is missing, an operation fails or the value is not a boolean
   * (docs/rules.md#the-eleven-rules, rule 5). Throws BudgetError if the budget of the current work is used up.
   */
  evaluate(variables: Variables): boolean;
  /** Evaluates the expression and returns the reason if it is not true. */
  explain(variables: Variables): Explanation;
  /** Returns the expression's value. Throws if a path is missing or an operation fails. */
  value(variables: Variables): unknown;
}

/** CEL types of the maps of scenario expressions (docs/rules.md#the-eleven-rules, rule 4). */
const typeOfRoot = (root: string): string => (root === "item" ? "map<string, string>" : "map");

/** A function that expressions can call in addition to CEL's own. It receives the maps that the expression reads. */
export interface OwnFunction {
  /** Name and types of the arguments and the value, as in `price(string): string`. */
  signature: string;
  /**
   * Returns the steps that a call with these values takes; they are charged before the call. Throws for values that the
   * function does not accept.
   */
  cost(...values: unknown[]): number;
  // biome-ignore lint/suspicious/noExplicitAny: the library has checked the arguments by their CEL types
  call(variables: Variables, ...values: any[]): unknown;
}

/** Compiles an expression. Throws ExpressionError, or CompileBudgetError before the work exceeds a budget. */
export type Compile = (source: string, budget?: CompileBudget) => Expression;

/** Creates a compiler for expressions that read the maps with these names and may call these functions. */
export function createCompiler(
  roots: readonly string[],
  ownFunctions: readonly OwnFunction[] = [],
  typeOf: (root: string) => string = typeOfRoot,
): Compile {
  const environment = roots.reduce((made, root) => made.registerVariable(root, typeOf(root)), base.clone());
  /** The maps of the current evaluation. Evaluations do not overlap. */
  let current: Variables = {};
  for (const { signature, call } of ownFunctions)
    environment.registerFunction(signature, (...values: unknown[]) => call(current, ...values));
  const known = new Map([...functions, ...ownFunctions.map(costOf)]);
  const meter = createMeter(environment);

  return function compile(source, budget) {
    budget?.begin(source);
    countComputing("compilations");
    if (source.length > limits.source) {
      const message = `an expression can have at most ${limits.source} characters`;
      throw new ExpressionError(message, source, limits.source, source.length);
    }
    countComputing("compileSteps", source.length);
    const { program, type } = parse(environment, source, roots, known);
    const patterns = patternsOf(program.ast, source, (cost) => budget?.addPattern(cost));
    meter.attach(program.ast, callsOf(patterns, known));
    const paths = referencedPaths(program.ast, roots);
    const weight = weightOf(program.ast, patterns);
    budget?.end(source, weight.nodes);
    const value = (variables: Variables): unknown => {
      spendBudget(EVALUATION_COST);
      meter.begin();
      current = variables;
      return program(variables);
    };
    return evaluated({ source, type, weight, ...paths, value }, meter);
  };
}

/** Returns an expression that is false if a required path is missing or its evaluation fails (rule 5). */
function evaluated(compiled: Omit<Expression, "evaluate" | "explain">, meter: Meter): Expression {
  const { source, required, value } = compiled;
  return {
    ...compiled,
    evaluate(variables) {
      if (!required.every(([root, key]) => isPresent(variables, root, key))) return false;
      try {
        return value(variables) === true;
      } catch (error) {
        if (error instanceof BudgetError) throw error;
        // `explain` returns the reason instead.
        return false;
      }
    },
    explain(variables) {
      const missing = required.filter(([root, key]) => !isPresent(variables, root, key));
      if (missing.length > 0) return { value: false, missing: missing.map(writtenPath) };
      try {
        return explained(value(variables));
      } catch (error) {
        if (error instanceof BudgetError) throw error;
        return fault(error as LibraryError, source, meter);
      }
    },
  };
}

const costOf = ({ signature, cost }: OwnFunction): [name: string, CelFunction] => [
  signature.slice(0, signature.indexOf("(")),
  { cost },
];

/** The environment of every compiler: the library's functions, and CEL conversions that the library lacks. */
const base = new Environment({
  homogeneousAggregateLiterals: false,
  limits: {
    maxAstNodes: limits.nodes,
    maxDepth: limits.depth,
    maxListElements: limits.listElements,
    maxMapEntries: limits.listElements,
  },
});
const conversions: [signature: string, convert: (value: never) => unknown][] = [
  ["int(uint): int", (value: UnsignedInt) => requireInt64(value.value)],
  ["int(google.protobuf.Timestamp): int", (value: Date) => BigInt(Math.floor(value.getTime() / 1000))],
  ["string(google.protobuf.Timestamp): string", (value: Date) => value.toISOString().replace(/\.000Z$/, "Z")],
  ["string(google.protobuf.Duration): string", durationText],
  ["timestamp(google.protobuf.Timestamp): google.protobuf.Timestamp", (value: Date) => value],
  ["duration(google.protobuf.Duration): google.protobuf.Duration", (value: Duration) => value],
];
for (const [signature, convert] of conversions) base.registerFunction(signature, convert, { async: false });

function requireInt64(value: bigint): bigint {
  if (value > INT64_MAX) throw new Error(`${value} has more than 64 bits`);
  return value;
}

/** Formats a duration in CEL notation, such as `-1.5s`. */
function durationText({ seconds, nanos }: Duration): string {
  const total = seconds * 1_000_000_000n + BigInt(nanos);
  const size = total < 0n ? -total : total;
  const fraction = withoutFinalZeros(`${size % 1_000_000_000n}`.padStart(9, "0"));
  return `${total < 0n ? "-" : ""}${size / 1_000_000_000n}${fraction && "."}${fraction}s`;
}

/** The compiler of scenario expressions. */
export const compile = createCompiler(["item", "link", "device"]);

function isPresent(variables: Variables, root: string, key: string): boolean {
  const map = variables[root];
  if (map === undefined) return false;
  return map instanceof Map ? map.has(key) : Object.hasOwn(map, key);
}

function parse(
  environment: Environment,
  source: string,
  roots: readonly string[],
  known: ReadonlyMap<string, CelFunction>,
) {
  try {
    const program = environment.parse(source);
    refuseUnsafe(program.ast, source, known);
    const { valid, type = "dyn", error } = program.check();
    if (!valid) throw error;
    return { program, type };
  } catch (error) {
    throw error instanceof ExpressionError ? error : refusal(error as LibraryError, source, roots);
  }
}

function explained(value: unknown): Explanation {
  if (typeof value === "boolean") return { value, missing: [] };
  return { value: false, missing: [], error: "the expression must return true or false" };
}

/**
 * A missing key that is known only during evaluation counts as a missing path. Anything else is an error, which names the
 * operation that failed.
 */
function fault(error: LibraryError, source: string, meter: Meter): Explanation {
  const node = error.node ?? error.range ?? (error instanceof CostError ? undefined : meter.lastNode());
  const piece = node ? source.slice(node.start, node.end) : "";
  if (error.code === "no_such_key" && piece) return { value: false, missing: [piece] };
  const text = error.summary ?? error.message;
  return { value: false, missing: [], error: piece ? `${piece}: ${text}` : text };
}
