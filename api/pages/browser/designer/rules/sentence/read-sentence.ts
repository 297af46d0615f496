import {
  type Clause,
  concise,
  type Field,
  fieldsOf,
  isNegative,
  isPresence,
  isSameField,
  type Sentence,
} from "./clauses.ts";
import { type Node, parse } from "./parse.ts";
import { readClause } from "./read-clause.ts";

/** Returns an expression as a sentence; undefined if no sentence can express it, so it remains CEL. */
export function readSentence(source: string): Sentence | undefined {
  if (source.trim() === "") return { join: "and", clauses: [] };
  const node = parse(source);
  if (node === undefined) return undefined;
  const negative = guardedNegative(node);
  if (negative !== undefined) return { join: "and", clauses: [negative] };
  const join = node.kind === "or" ? "or" : "and";
  const clauses = node.kind === "or" ? alternatives(node.parts) : conditions(node.kind === "and" ? node.parts : [node]);
  return clauses && concise({ join, clauses });
}

/** Returns the clauses that must all be true. A comparison without a guard also requires its field. */
function conditions(parts: readonly Node[]): Clause[] | undefined {
  return allOf(parts, (part) => {
    const negative = guardedNegative(part);
    if (negative !== undefined) return [negative];
    const clause = readClause(part);
    if (clause === undefined) return undefined;
    return isNegative(clause) ? [{ field: clause.field, test: "exists" }, clause] : [clause];
  });
}

/**
 * Returns the clauses, at least one of which must be true. Each must guard its fields, because a missing field would
 * otherwise make the others false, too.
 */
function alternatives(parts: readonly Node[]): Clause[] | undefined {
  const clauses: Clause[] = [];
  for (let at = 0; at < parts.length; at += 1) {
    const negative = guardedNegative({ kind: "or", parts: parts.slice(at, at + 2) });
    const clause = negative ?? (parts[at] && alternative(parts[at] as Node));
    if (clause === undefined) return undefined;
    clauses.push(clause);
    if (negative !== undefined) at += 1;
  }
  return clauses;
}

function alternative(node: Node): Clause | undefined {
  const parts = node.kind === "and" ? node.parts : [node];
  const last = parts.at(-1);
  const clause = last && readClause(last);
  if (clause === undefined || isNegative(clause)) return undefined;
  if (isPresence(clause)) return parts.length === 1 ? clause : undefined;
  const guards = parts.slice(0, -1).map(readClause);
  const guarded = guards.flatMap((guard) => (guard?.test === "exists" ? [guard.field] : []));
  const fields = fieldsOf(clause);
  const isGuarded = guarded.length === guards.length && isSameSet(guarded, fields);
  return isGuarded ? clause : undefined;
}

/** Reads `!has(p) || p != "x"`: a clause that is also true without its field. */
function guardedNegative(node: Node): Clause | undefined {
  if (node.kind !== "or" || node.parts.length !== 2) return undefined;
  const [guard, clause] = node.parts.map(readClause);
  if (guard?.test !== "missing" || clause === undefined || !isNegative(clause)) return undefined;
  return isSameField(guard.field, clause.field) ? clause : undefined;
}

const isSameSet = (some: readonly Field[], others: readonly Field[]): boolean =>
  some.length === others.length && others.every((field) => some.some((one) => isSameField(one, field)));

function allOf(parts: readonly Node[], read: (part: Node) => Clause[] | undefined): Clause[] | undefined {
  const clauses = parts.map(read);
  return clauses.some((some) => some === undefined) ? undefined : clauses.flatMap((some) => some ?? []);
}
