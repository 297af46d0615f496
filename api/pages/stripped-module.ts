import { stripTypeScriptTypes } from "node:module";

/**
 * Returns a module's text without its types and without lines that are only comments. Every other character keeps its
 * position, so that the browser's line numbers are right.
 */
export function strippedModule(content: Buffer): string {
  let isInComment = false;
  const withoutComment = (line: string): string => {
    const text = line.trim();
    if (isInComment || text.startsWith("/**")) {
      isInComment = !text.endsWith("*/");
      return "";
    }
    return text.startsWith("//") ? "" : line;
  };
  return stripTypeScriptTypes(content.toString(), { mode: "strip" }).split("\n").map(withoutComment).join("\n");
}
