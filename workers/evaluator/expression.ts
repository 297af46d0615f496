import { type ASTNode, Environment } from "@marcbachmann/cel-js";
import { RE2JS } from "re2js";
import { type Paths, referencedPaths } from "./referenced-paths.ts";
import { macroDepth, nodesOf } from "./syntax.ts";

/**
 * The maps that an expression may look into. `item` holds strings, integers are bigint. Keys that a caller chose
 * need a Map: an object with a key `constructor` is none that the library knows.
 */
export type Variables = Readonly<Record<string, ReadonlyMap<string, unknown> | Readonly<Record<string, unknown>>>>;

/** A compiled CEL expression. */
export interface Expression extends Paths {
  readonly source: string;
  /** Whether it holds: a required path that is missing, an error and a value that is no boolean are all false (rule 5). */
  evaluate(variables: Variables): boolean;
  /** Its value. Throws where a path is missing or an operation fails. */
  value(variables: Variables): unknown;
}

/** Why an expression is refused, and where: offsets into its source. */
export class ExpressionError extends Error {
  override readonly name = "ExpressionError";
  readonly start: number;
  readonly end: number;
  constructor(message: string, start: number, end: number) {
    super(message);
    this.start = start;
    this.end = end;
  }
}

/** What bounds the time of an evaluation: no text may make one slow. */
const limits = { source: 4096, nodes: 500, depth: 50, listElements: 100, macroDepth: 2, durationText: 128 };

const base = new Environment({
  limits: {
    maxAstNodes: limits.nodes,
    maxDepth: limits.depth,
    maxListElements: limits.listElements,
    maxMapEntries: limits.listElements,
  },
});

/** The library's own parser of durations takes cubic time; its `matches` backtracks and can hang. */
const guards: Readonly<Record<string, string>> = { matches: "matchesLinear", duration: "boundedDuration" };
const parseDuration = new Environment().registerVariable("text", "string").parse("duration(text)");

const guarded = base
  .registerFunction("string.matchesLinear(string): bool", (text: string, pattern: string) =>
    RE2JS.compile(pattern).matcher(text).find(),
  )
  .registerFunction("boundedDuration(string): google.protobuf.Duration", (text: string) => {
    if (text.length > limits.durationText) throw new Error(`a duration has at most ${limits.durationText} characters`);
    return parseDuration({ text });
  });

/** Makes the compiler for expressions over the maps of these names. */
export function createCompiler(roots: readonly string[]): (source: string) => Expression {
  const environment = roots.reduce(
    (made, root) => made.registerVariable(root, root === "item" ? "map<string, string>" : "map"),
    guarded.clone(),
  );

  return function compile(source) {
    if (source.length > limits.source)
      throw new ExpressionError(`an expression has at most ${limits.source} characters`, limits.source, source.length);
    const program = parse(environment, source);
    refuseDeepMacros(program.ast);
    useGuards(program.ast);
    const { valid, error } = program.check();
    if (!valid) throw refusal(error);
    const paths = referencedPaths(program.ast, roots);
    return {
      source,
      ...paths,
      value: (variables) => program(variables),
      evaluate(variables) {
        if (!paths.required.every(([root, key]) => isPresent(variables, root, key))) return false;
        try {
          return program(variables) === true;
        } catch {
          // Rule 5: an expression that cannot be evaluated for this link does not hold.
          return false;
        }
      },
    };
  };
}

/** The compiler of scenario expressions (specification, rule 4). */
export const compile = createCompiler(["item", "link", "device"]);

function isPresent(variables: Variables, root: string, key: string): boolean {
  const map = variables[root];
  if (map === undefined) return false;
  return map instanceof Map ? map.has(key) : Object.hasOwn(map, key);
}

function parse(environment: Environment, source: string) {
  try {
    return environment.parse(source);
  } catch (error) {
    throw refusal(error);
  }
}

function refusal(error: unknown): ExpressionError {
  const { summary, message, range } = error as {
    summary?: string;
    message: string;
    range?: { start: number; end: number };
  };
  return new ExpressionError(summary ?? message, range?.start ?? 0, range?.end ?? 0);
}

function refuseDeepMacros(ast: ASTNode): void {
  if (macroDepth(ast) > limits.macroDepth) {
    throw new ExpressionError(`macros are nested at most ${limits.macroDepth} deep`, ast.start, ast.end);
  }
}

/**
 * Calls of unsafe functions are led to guarded ones. The library lets nobody replace a function of its
 * own, but it looks names up in the syntax tree only when it checks it, which is later.
 */
function useGuards(ast: ASTNode): void {
  for (const { op, args } of nodesOf(ast)) {
    if (op !== "call" && op !== "rcall") continue;
    const call = args as unknown as [name: string, ...rest: unknown[]];
    call[0] = Object.hasOwn(guards, call[0]) ? (guards[call[0]] as string) : call[0];
  }
}
