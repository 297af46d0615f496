import { globSync, readFileSync } from "node:fs";
import { parseSync, Visitor } from "oxc-parser";

/** A regular expression of the product, and its place. */
export interface ProductPattern {
  source: string;
  flags: string;
  /** `path:line`. */
  at: string;
}

export interface WrittenPatterns {
  /** Literals, and strings in schemas (`pattern: "..."`). */
  patterns: ProductPattern[];
  /** Places that create a regular expression from a string (`new RegExp(...)`). */
  made: string[];
}

const root = new URL("../../../", import.meta.url).pathname;
const SOURCES =
  "{api,domain,drawing,records,queues,runtime,workers,schemas,scripts/operate,scripts/label-server}/**/*.ts";

/** Returns the paths of the product's sources. */
export const sourcesOfProduct = (): string[] => globSync(SOURCES, { cwd: root });

/** Finds the regular expressions in the product's sources with a parser. */
export function writtenPatterns(): WrittenPatterns {
  const written: WrittenPatterns = { patterns: [], made: [] };
  for (const path of sourcesOfProduct()) findIn(path, readFileSync(`${root}${path}`, "utf8"), written);
  return written;
}

function findIn(path: string, text: string, { patterns, made }: WrittenPatterns): void {
  const { program, errors } = parseSync(path, text);
  if (errors[0]) throw new Error(`${path} cannot be parsed: ${errors[0].message}`);
  const placeOf = ({ start }: { start: number }) => `${path}:${text.slice(0, start).split("\n").length}`;
  const madeAt = ({ start, callee }: { start: number; callee: object }) => {
    if ("name" in callee && callee.name === "RegExp") made.push(placeOf({ start }));
  };
  new Visitor({
    NewExpression: madeAt,
    CallExpression: madeAt,
    Literal(node) {
      if ("regex" in node && node.regex)
        patterns.push({ source: node.regex.pattern, flags: node.regex.flags, at: placeOf(node) });
    },
    Property({ key, value }) {
      const isPattern = key.type === "Identifier" && key.name === "pattern";
      if (isPattern && value.type === "Literal" && typeof value.value === "string")
        patterns.push({ source: value.value, flags: "u", at: placeOf(value) });
    },
  }).visit(program);
}
