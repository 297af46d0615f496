import type { ASTNode, Environment } from "@marcbachmann/cel-js";
import { type CelFunction, readCost } from "./functions.ts";
import { limits } from "./limits.ts";
import { nodesOf } from "./syntax.ts";

/** What the library's evaluator has that its types do not tell (version 8.0.0, which is why that is exact). */
interface Evaluator {
  run(node: CheckedNode, context: unknown): unknown;
  tryEval(node: CheckedNode, context: unknown): unknown;
}

/** A node of the syntax tree once it is checked. */
interface CheckedNode {
  op: string;
  evaluate(evaluator: Evaluator, node: CheckedNode, context: unknown): unknown;
  /** Does the operation, given the values of the operands: both of an operator, an array of a call's, a macro's range. */
  handle?: Handle;
  readonly meta: { alternate?: CheckedNode };
}
type Handle = (...given: unknown[]) => unknown;

/** An evaluation that would take more steps than any may. */
export class CostError extends Error {
  override readonly name = "CostError";
}

/** Steps of every call: to find the function that fits the operands. */
const CALL_COST = 10;

/** Steps that an error takes which `||`, `&&` or a macro passes over: it carries a trace. */
const ERROR_COST = 200;

export interface Meter {
  /** Makes an expression that was checked pay for what it does, its calls by the functions given. */
  attach(ast: ASTNode, functionOf: (call: ASTNode) => CelFunction | undefined): void;
  /** Begins an evaluation, which has all its steps. It throws CostError where it would take more. */
  begin(): void;
  /** The node whose operation was begun last: where an operation fails, that one. */
  lastNode(): ASTNode | undefined;
}

/**
 * Counts the steps of evaluations in an environment of the library. Every node that is evaluated below the root is one;
 * every operation whose work depends on the size of its operands pays for it before it is done. So the time of an
 * evaluation is bounded whatever the expression says and the variables hold.
 */
export function createMeter(environment: Environment): Meter {
  let left = 0;
  let last: ASTNode | undefined;
  const spend = (steps: number): void => {
    left -= steps;
    if (left < 0) throw new CostError(`the evaluation takes more than ${limits.steps} steps`);
  };

  const evaluator = evaluatorOf(environment);
  evaluator.run = (node, context) => {
    spend(1);
    return node.evaluate(evaluator, node, context);
  };
  evaluator.tryEval = (node, context) => {
    try {
      return evaluator.run(node, context);
    } catch (error) {
      if (error instanceof CostError) throw error;
      spend(ERROR_COST);
      return error;
    }
  };

  return {
    attach(ast, functionOf) {
      for (const node of nodesOf(ast)) {
        // An error would search its line in the source and underline it: long work for what nobody reads.
        Object.defineProperty(node, "input", { value: "" });
        const checked = node as unknown as CheckedNode;
        const range = checked.meta.alternate;
        if (range?.op === "comprehension") payFirst(range, (items) => spend(rangeCost(items)));
        const { cost, call } = functionOf(node) ?? {};
        if (node.op === "call" || node.op === "rcall") {
          payFirst(checked, (given) => {
            last = node;
            const values = given as unknown[];
            spend(CALL_COST + (cost?.(...values) ?? 0));
            return call?.(...values);
          });
        } else if (node.op === "+") payFirst(checked, (one, other) => spend(joinCost(one) + joinCost(other)));
        else if (node.op === "in") payFirst(checked, (value, range) => spendOnSearch(value, range, spend));
        else if (comparisons.has(node.op)) payFirst(checked, (one, other) => spendOnComparison(one, other, spend));
      }
    },
    begin() {
      left = limits.steps;
      last = undefined;
    },
    lastNode: () => last,
  };
}

/** The evaluator that an environment's programs run on: it hands itself to each node. */
function evaluatorOf(environment: Environment): Evaluator {
  const program = environment.parse("true");
  let found: Evaluator | undefined;
  const node = program.ast as unknown as CheckedNode;
  node.evaluate = (evaluator) => {
    found = evaluator;
    return true;
  };
  program();
  if (!found) throw new Error("the CEL library does not evaluate nodes as expected: its version must be 8.0.0");
  return found;
}

/** Makes a node's operation pay before it is done. Where paying gives a value, that is the operation's. */
function payFirst(node: CheckedNode, pay: Handle): void {
  const { handle } = node;
  if (!handle) return;
  node.handle = (one, other, third, fourth) => {
    const own = pay(one, other);
    return own === undefined ? handle(one, other, third, fourth) : own;
  };
}

type Spend = (steps: number) => void;

const comparisons = new Set(["==", "!=", "<", "<=", ">", ">="]);

/** A comparison of texts is done in blocks. */
const compareCost = (length: number): number => length >> 5;

/** Pays for comparing two values, with all that is in them. */
function spendOnComparison(one: unknown, other: unknown, spend: Spend): void {
  if (typeof one === "string") {
    if (typeof other === "string") spend(compareCost(Math.min(one.length, other.length)));
  } else if (isComposite(one) && isComposite(other) && one !== other) spendOnParts(one, other, spend);
}

function spendOnParts(one: object, other: object, spend: Spend): void {
  if (Array.isArray(one) && Array.isArray(other)) {
    if (one.length !== other.length) return;
    spend(one.length);
    for (const [index, element] of one.entries()) spendOnComparison(element, other[index], spend);
  } else if (one instanceof Uint8Array) spend(one.length);
  else {
    const map = mapOf(other);
    for (const [key, value] of mapOf(one)) {
      spend(1);
      spendOnComparison(value, map.get(key), spend);
    }
  }
}

const isComposite = (value: unknown): value is object => typeof value === "object" && value !== null;
const mapOf = (value: object): ReadonlyMap<unknown, unknown> =>
  value instanceof Map ? value : new Map<unknown, unknown>(Object.entries(value));

/** Pays for `value in range`: a list is compared element by element, a map looked up. */
function spendOnSearch(value: unknown, range: unknown, spend: Spend): void {
  if (!Array.isArray(range)) return;
  if (isComposite(value)) for (const element of range) spendOnComparison(value, element, spend);
  spend(range.length * (1 + (typeof value === "string" ? compareCost(value.length) : 0)));
}

/** Steps to join a value to another. */
function joinCost(value: unknown): number {
  if (typeof value === "string" || value instanceof Uint8Array) return readCost(value.length);
  return Array.isArray(value) ? value.length : 0;
}

/** A map that a macro goes over becomes a list of its keys. */
function rangeCost(range: unknown): number {
  return isComposite(range) && !Array.isArray(range) ? mapOf(range).size : 0;
}
