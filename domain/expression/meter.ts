import type { ASTNode, Environment } from "@marcbachmann/cel-js";
import { type ArithmeticOperator, calculate } from "./decimal.ts";
import { type CelFunction, readCost } from "./functions.ts";
import { limits } from "./limits.ts";
import { nodesOf } from "./syntax.ts";

/**
 * The library's evaluator, with members that its types do not declare. They exist in version 8.0.0, so package.json pins it.
 */
interface Evaluator {
  run(node: CheckedNode, context: unknown): unknown;
  tryEval(node: CheckedNode, context: unknown): unknown;
}

/** A checked node of the syntax tree. */
interface CheckedNode {
  op: string;
  evaluate(evaluator: Evaluator, node: CheckedNode, context: unknown): unknown;
  /** Runs the operation on its operands' values: both for an operator, an array for a call, or the range for a macro. */
  handle?: Handle;
  readonly meta: { alternate?: CheckedNode };
}
type Handle = (...given: unknown[]) => unknown;

/** Thrown when an evaluation takes more than its limit of steps. */
export class CostError extends Error {
  override readonly name = "CostError";
}

/**
 * Thrown when the evaluations that share a budget take more steps than it allows. This is not a fault of one expression and
 * never counts as false: the rest was not evaluated, and another design could be the right one.
 */
export class BudgetError extends Error {
  override readonly name = "BudgetError";
}

/** The current budget. Undefined if none is set. Evaluations do not overlap. */
let budget: { stepsLeft: number; steps: number; what: string } | undefined;

/**
 * Runs work whose evaluations share a budget of steps: all evaluations of a pack for one link, or of a layout. Throws BudgetError
 * when the budget is exceeded. `what` names the work in the message.
 */
export function withBudget<Result>(what: string, steps: number, work: () => Result): Result {
  const outer = budget;
  budget = { stepsLeft: steps, steps, what };
  try {
    return work();
  } finally {
    budget = outer;
  }
}

/** Takes steps from the current budget. Throws BudgetError if it is used up. */
export function spendBudget(steps: number): void {
  if (budget === undefined) return;
  budget.stepsLeft -= steps;
  if (budget.stepsLeft < 0) throw new BudgetError(`${budget.what} takes more than ${budget.steps} steps for one label`);
}

/** Steps for every evaluation, in addition to those for its nodes. */
export const EVALUATION_COST = 10;

/** Steps for every call, for finding the overload that fits the operands. */
const CALL_COST = 10;

/** Steps for an operation on decimals. */
const DECIMAL_COST = 20;

/** Steps for an error that `||`, `&&` or a macro absorbs, because an error captures a stack trace. */
const ERROR_COST = 200;

export interface Meter {
  /** Adds metering to a checked expression. `functionOf` returns the cost and implementation of its calls. */
  attach(ast: ASTNode, functionOf: (call: ASTNode) => CelFunction | undefined): void;
  /** Resets the number of steps for a new evaluation, which throws CostError beyond the limit. */
  begin(): void;
  /** Returns the node whose operation started last. After an error, this is the operation that failed. */
  lastNode(): ASTNode | undefined;
}

/**
 * Counts the steps of evaluations in an environment of the library. Every evaluated node below the root is one step, and an
 * operation whose work depends on the size of its operands is charged before it runs. So the time of an evaluation is limited
 * for any expression and variables.
 */
export function createMeter(environment: Environment): Meter {
  let stepsLeft = 0;
  let last: ASTNode | undefined;
  const spend = (steps: number): void => {
    stepsLeft -= steps;
    if (stepsLeft < 0) {
      // The work was rejected, but computing its cost was work too: a hundred thousand rejections add up.
      spendBudget(ERROR_COST);
      throw new CostError(`the evaluation takes more than ${limits.steps} steps`);
    }
    spendBudget(steps);
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
      if (error instanceof CostError || error instanceof BudgetError) throw error;
      spend(ERROR_COST);
      return error;
    }
  };

  return {
    attach(ast, functionOf) {
      for (const node of nodesOf(ast)) {
        // Without a source, the library's errors skip the search for their line. The search takes long, and its result is unused.
        Object.defineProperty(node, "input", { value: "" });
        const checked = node as unknown as CheckedNode;
        const range = checked.meta.alternate;
        if (range?.op === "comprehension") chargeFirst(range, (items) => spend(rangeCost(items)));
        const { cost, call } = functionOf(node) ?? {};
        if (node.op === "call" || node.op === "rcall") {
          chargeFirst(checked, (given) => {
            last = node;
            const values = given as unknown[];
            spend(CALL_COST + (cost?.(...values) ?? 0));
            return call?.(...values);
          });
        } else if (isArithmetic(node.op)) {
          const operator = node.op;
          chargeFirst(checked, (left, right) => {
            spend(operator === "+" ? joinCost(left) + joinCost(right) : 0);
            if (typeof left === "number" || typeof right === "number") spend(DECIMAL_COST);
            return calculate(operator, left, right);
          });
        } else if (node.op === "in") chargeFirst(checked, (value, range) => spendOnSearch(value, range, spend));
        else if (comparisons.has(node.op)) chargeFirst(checked, (left, right) => spendOnComparison(left, right, spend));
      }
    },
    begin() {
      stepsLeft = limits.steps;
      last = undefined;
    },
    lastNode: () => last,
  };
}

/** Gets the evaluator of an environment, which is passed to each node. */
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

/** Charges a node's operation before it runs. If `charge` returns a value, it replaces the operation's result. */
function chargeFirst(node: CheckedNode, charge: Handle): void {
  const { handle } = node;
  if (!handle) return;
  node.handle = (first, second, third, fourth) => {
    const replacement = charge(first, second);
    return replacement === undefined ? handle(first, second, third, fourth) : replacement;
  };
}

type Spend = (steps: number) => void;

const comparisons = new Set(["==", "!=", "<", "<=", ">", ">="]);

const isArithmetic = (operator: string): operator is ArithmeticOperator => ["+", "-", "*", "/"].includes(operator);

/** Returns the steps for comparing strings of this length. The engine compares blocks. */
const compareCost = (length: number): number => length >> 5;

/** Charges for comparing two values, including their elements. */
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

/** Charges `value in range`. A list is compared element by element; a map takes one lookup. */
function spendOnSearch(value: unknown, range: unknown, spend: Spend): void {
  if (!Array.isArray(range)) return;
  if (isComposite(value)) for (const element of range) spendOnComparison(value, element, spend);
  spend(range.length * (1 + (typeof value === "string" ? compareCost(value.length) : 0)));
}

/** Returns the steps for joining a value to another. */
function joinCost(value: unknown): number {
  if (typeof value === "string" || value instanceof Uint8Array) return readCost(value.length);
  return Array.isArray(value) ? value.length : 0;
}

/** Returns the steps for creating the list of keys of a map over which a macro iterates. */
function rangeCost(range: unknown): number {
  return isComposite(range) && !Array.isArray(range) ? mapOf(range).size : 0;
}
