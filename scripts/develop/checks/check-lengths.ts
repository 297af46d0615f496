import { readFile } from "node:fs/promises";
import { codeFolders, codeIn, root } from "./code-folders.ts";

const MAX_LINES = 250;
const clientFolder = "docs/typescript-client";
/** Files that are installed, built or recorded instead of written here. */
const FOREIGN = /\.d\.ts$|\/(node_modules|dist|fixtures)\//;
/** Files that may be longer, with the reasons. */
const exempt: Readonly<Record<string, string>> = {
  "docs/typescript-client/index.ts": "ships as one file, which callers copy",
};

/** The path of a code file, and its text. */
export type SourceFile = readonly [path: string, text: string];

/** Returns the code files that have more lines than a reader can take in (docs/decisions/runtime/folder-size.md). */
export function longFiles(files: readonly SourceFile[]): string[] {
  return files.flatMap(([path, text]) => {
    const lines = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
    if (path in exempt || lines <= MAX_LINES) return [];
    return [`${path} has ${lines} lines, more than the maximum of ${MAX_LINES}: split it by duty, or use a table`];
  });
}

if (import.meta.main) {
  const paths = (await codeIn([...codeFolders, clientFolder])).filter((path) => !FOREIGN.test(path));
  const files = paths.map(async (path): Promise<SourceFile> => [path, await readFile(new URL(path, root), "utf8")]);
  const faults = longFiles(await Promise.all(files));
  for (const fault of faults) process.stdout.write(`${fault}\n`);
  if (faults.length > 0) process.exitCode = 1;
}
