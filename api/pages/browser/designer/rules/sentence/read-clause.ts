import { type Amount, type Clause, type Field, isWhole, type numberTests } from "./clauses.ts";
import type { Node } from "./parse.ts";
import { withoutLeadingZeros, withoutTrailingZeros } from "./zeros.ts";

const roots = ["item", "link", "device"];
const tests: Readonly<Record<string, (typeof numberTests)[number]>> = {
  "<": "below",
  "<=": "atMost",
  ">": "above",
  ">=": "atLeast",
  "==": "equals",
};

/** Reads a comparison, a presence test or a text search as a clause; undefined for anything else. */
export function readClause(node: Node): Clause | undefined {
  if (node.kind === "call") return presenceOf(node, "exists") ?? searchIn(node);
  if (node.kind === "compare") return presenceOf(node, "exists") ?? comparison(node);
  if (node.kind !== "not") return undefined;
  const inner = node.of;
  const search = inner.kind === "call" ? searchIn(inner) : undefined;
  if (search?.test === "contains") return { ...search, test: "containsNot" };
  const among = inner.kind === "compare" && inner.operator === "in" ? comparison(inner) : undefined;
  return among?.test === "is" ? { ...among, test: "isNot" } : presenceOf(inner, "missing");
}

function presenceOf(node: Node, test: "exists" | "missing"): Clause | undefined {
  if (node.kind === "call" && node.name === "has" && node.of === undefined && node.given.length === 1) {
    const field = fieldOf(node.given[0]);
    return field && { field, test };
  }
  if (node.kind !== "compare" || node.operator !== "in") return undefined;
  if (node.left.kind !== "text" || node.right.kind !== "root") return undefined;
  const field = fieldOf({ kind: "path", root: node.right.name, key: node.left.value });
  return field && { field, test };
}

function searchIn({ name, of, given }: Extract<Node, { kind: "call" }>) {
  const field = of && fieldOf(of);
  const [text, ...others] = given;
  if (field === undefined || isWhole(field) || text?.kind !== "text" || others.length > 0) return undefined;
  if (name !== "contains" && name !== "startsWith" && name !== "endsWith") return undefined;
  return { field, test: name, text: text.value } as const;
}

function comparison({ operator, left, right }: Extract<Node, { kind: "compare" }>): Clause | undefined {
  const field = fieldOf(left);
  if (field !== undefined && (operator === "==" || operator === "!=" || operator === "in")) {
    const values = valuesOf(field, operator === "in" ? (right.kind === "list" ? right.of : []) : [right]);
    return values && { field, test: operator === "!=" ? "isNot" : "is", values };
  }
  const test = tests[operator];
  const compared = numberIn(left);
  const amount = compared && amountOf(compared, right, operator);
  return test && compared && amount && { field: compared, test, amount };
}

/** Returns the values that a field is compared with, if they match its type. */
function valuesOf(field: Field, nodes: readonly Node[]): string[] | undefined {
  const kind = isWhole(field) ? "number" : "text";
  const values = nodes.flatMap((node) => (node.kind === kind && "value" in node ? [node.value] : []));
  const isSound = nodes.length > 0 && values.length === nodes.length;
  return isSound && (kind === "text" || values.every(isInteger)) ? values : undefined;
}

function amountOf(compared: Field, node: Node, operator: string): Amount | undefined {
  if (node.kind === "number") return numberAmount(compared, node.value, operator);
  const factor = node.kind === "multiply" ? node.right : undefined;
  const of = numberIn(node.kind === "multiply" ? node.left : node);
  if (of === undefined || isWhole(compared) || isWhole(of)) return undefined;
  if (factor === undefined) return { percent: "100", of };
  return factor.kind === "number" && factor.value.includes(".") && !factor.value.startsWith("-")
    ? { percent: asPercent(factor.value), of }
    : undefined;
}

/** Whole numbers are compared with whole numbers; for strings, `==` requires a number with decimals. */
function numberAmount(field: Field, value: string, operator: string): Amount | undefined {
  if (isWhole(field)) return isInteger(value) ? { number: value } : undefined;
  if (operator === "==" && isInteger(value)) return undefined;
  return { number: value.replace(/\.0$/, "") };
}

const isInteger = (value: string): boolean => /^-?\d+$/.test(value);

/** Returns the field whose value a node reads as a number. */
function numberIn(node: Node): Field | undefined {
  const field = fieldOf(node);
  if (field !== undefined) return isWhole(field) ? field : undefined;
  if (node.kind !== "call" || node.name !== "double" || node.of !== undefined || node.given.length !== 1)
    return undefined;
  const converted = fieldOf(node.given[0]);
  return converted && !isWhole(converted) ? converted : undefined;
}

function fieldOf(node: Node | undefined): Field | undefined {
  if (node?.kind !== "path" || !roots.includes(node.root)) return undefined;
  return { root: node.root as Field["root"], key: node.key };
}

/** Returns a factor as a percentage: 0.8 is 80. */
function asPercent(factor: string): string {
  const [whole = "0", fraction = ""] = factor.split(".");
  const digits = fraction.padEnd(2, "0");
  const percent = withoutLeadingZeros(`${whole}${digits.slice(0, 2)}`);
  const rest = digits.slice(2);
  return /[1-9]/.test(rest) ? `${percent}.${withoutTrailingZeros(rest)}` : percent;
}
