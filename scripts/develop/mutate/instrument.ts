import { stripTypeScriptTypes } from "node:module";
import { type babel, Instrumenter } from "@stryker-mutator/instrumenter";
import { reasonNotToMutate } from "./not-mutated.ts";

/** One small change to the product's code. */
export interface Mutant {
  /** The id that activates the mutant in the instrumented code. */
  id: string;
  file: string;
  /** Counted from 1. */
  line: number;
  /** The replaced code, and its replacement. */
  original: string;
  replacement: string;
  /** The line on which the mutant begins, without its indent. */
  code: string;
}

export interface Instrumented {
  mutants: Mutant[];
  /** JavaScript by file, with all mutants in it. None is active until it is named. */
  sources: ReadonlyMap<string, string>;
}

const nothing = () => {};
const silent = {
  isTraceEnabled: () => false,
  isDebugEnabled: () => false,
  isInfoEnabled: () => false,
  isWarnEnabled: () => false,
  isErrorEnabled: () => false,
  isFatalEnabled: () => false,
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  fatal: nothing,
};
const rules = { shouldIgnore: (path: object) => reasonNotToMutate(path as babel.NodePath) };

/** Inserts all mutants into code, given by file. */
export async function instrument(texts: ReadonlyMap<string, string>): Promise<Instrumented> {
  const { files: changed, mutants } = await new Instrumenter(silent).instrument(
    [...texts].map(([name, content]) => ({ name, content, mutate: true })),
    { excludedMutations: [], ignorers: [rules], plugins: null },
  );
  const sources = new Map(changed.map(({ name, content }) => [name, stripTypeScriptTypes(content)]));
  const seen = mutants.filter(({ status }) => status !== "Ignored");
  return {
    sources,
    mutants: seen.map(({ id, fileName: file, location: { start, end }, replacement = "" }) => {
      const lines = (texts.get(file) ?? "").split("\n").slice(start.line, end.line + 1);
      const code = lines[0]?.trim() ?? "";
      const cut = [...lines.slice(0, -1), lines.at(-1)?.slice(0, end.column) ?? ""].join("\n").slice(start.column);
      return { id, file, line: start.line + 1, original: onOneLine(cut), replacement: onOneLine(replacement), code };
    }),
  };
}

const onOneLine = (code: string): string => code.replaceAll(/\s+/g, " ");
