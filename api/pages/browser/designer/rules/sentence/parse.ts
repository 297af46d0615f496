import { type Token, tokensOf } from "./tokens.ts";

/** The part of CEL that sentences use. */
export type Node =
  | { kind: "or" | "and"; parts: readonly Node[] }
  | { kind: "not"; of: Node }
  | { kind: "compare"; operator: string; left: Node; right: Node }
  | { kind: "multiply"; left: Node; right: Node }
  | { kind: "call"; name: string; of: Node | undefined; given: readonly Node[] }
  | { kind: "path"; root: string; key: string }
  | { kind: "root"; name: string }
  | { kind: "text" | "number"; value: string }
  | { kind: "list"; of: readonly Node[] };

class Unknown extends Error {}

/** Returns the syntax tree of an expression; undefined if it is outside that part of CEL. */
export function parse(source: string): Node | undefined {
  const tokens = tokensOf(source);
  if (tokens === undefined) return undefined;
  try {
    return createParser(tokens)();
  } catch (error) {
    if (error instanceof Unknown) return undefined;
    throw error;
  }
}

function createParser(tokens: readonly Token[]): () => Node {
  let at = 0;
  const sign = (value: string): boolean => {
    const token = tokens[at];
    if (token?.kind !== "sign" || token.value !== value) return false;
    at += 1;
    return true;
  };
  const expect = (value: string): void => {
    if (!sign(value)) throw new Unknown();
  };
  const joined = (kind: "or" | "and", operator: string, next: () => Node) => (): Node => {
    const parts = [next()];
    while (sign(operator)) parts.push(next());
    return parts.length === 1 && parts[0] !== undefined
      ? parts[0]
      : { kind, parts: parts.flatMap((part) => (part.kind === kind ? part.parts : [part])) };
  };
  const and = joined("and", "&&", comparison);
  const or = joined("or", "||", and);

  function comparison(): Node {
    const left = product();
    const operator = ["==", "!=", "<=", ">=", "<", ">"].find(sign) ?? (word("in") ? "in" : undefined);
    return operator === undefined ? left : { kind: "compare", operator, left, right: product() };
  }

  function word(value: string): boolean {
    const token = tokens[at];
    if (token?.kind !== "name" || token.value !== value) return false;
    at += 1;
    return true;
  }

  function product(): Node {
    const left = unary();
    return sign("*") ? { kind: "multiply", left, right: unary() } : left;
  }

  function unary(): Node {
    if (sign("!")) return { kind: "not", of: unary() };
    if (!sign("-")) return member();
    const token = tokens[at];
    if (token?.kind !== "number") throw new Unknown();
    at += 1;
    return { kind: "number", value: `-${token.value}` };
  }

  function member(): Node {
    let node = primary();
    for (;;) {
      if (sign(".")) {
        const token = tokens[at];
        if (token?.kind !== "name") throw new Unknown();
        at += 1;
        node = sign("(") ? { kind: "call", name: token.value, of: node, given: list(")") } : below(node, token.value);
      } else if (sign("[")) {
        const token = tokens[at];
        if (token?.kind !== "text") throw new Unknown();
        at += 1;
        expect("]");
        node = below(node, token.value);
      } else return node;
    }
  }

  function below(node: Node, key: string): Node {
    if (node.kind !== "root") throw new Unknown();
    return { kind: "path", root: node.name, key };
  }

  function primary(): Node {
    const token = tokens[at];
    if (token === undefined) throw new Unknown();
    if (sign("(")) {
      const node = or();
      expect(")");
      return node;
    }
    if (sign("[")) return { kind: "list", of: list("]") };
    if (token.kind === "sign") throw new Unknown();
    at += 1;
    if (token.kind !== "name") return { kind: token.kind, value: token.value };
    return sign("(")
      ? { kind: "call", name: token.value, of: undefined, given: list(")") }
      : { kind: "root", name: token.value };
  }

  function list(close: string): Node[] {
    if (sign(close)) return [];
    const nodes = [or()];
    while (sign(",")) nodes.push(or());
    expect(close);
    return nodes;
  }

  return () => {
    const node = or();
    if (at < tokens.length) throw new Unknown();
    return node;
  };
}
