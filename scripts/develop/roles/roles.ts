import { readFile, writeFile } from "node:fs/promises";
import { readCommandLine } from "../command-line.ts";
import { callers, otherAddresses, pageRows } from "./addresses.ts";
import { columns, operationRows, type RoleRow, scopeRows } from "./role-table.ts";

/** `npm run roles`: writes the tables of docs/operations/roles.md; tests compare them with a running server. */
const file = new URL("../../../docs/operations/roles.md", import.meta.url);

/** The document as it is stored. */
export const storedRoles = (): Promise<string> => readFile(file, "utf8");

/** Returns the document with regenerated tables. */
export function writeRoles(document: string): string {
  const tables = {
    scopes: tableOf("scope", scopeRows()),
    pages: tableOf("page", pageRows()),
    operations: tableOf("operation", operationRows()),
    others: rowsOf(["address", "who"], Object.entries(otherAddresses), (name) => callers[name as keyof typeof callers]),
  };
  return Object.entries(tables).reduce((text, [name, table]) => inserted(text, name, table), document);
}

const tableOf = (what: string, rows: readonly RoleRow[]): string =>
  [[what, ...columns], ["---", ...columns.map(() => ":-:")], ...rows.map((row) => [`\`${row.what}\``, ...row.cells])]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");

const rowsOf = (
  head: readonly string[],
  rows: readonly [string, string][],
  meaning: (value: string) => string,
): string =>
  [head, head.map(() => "---"), ...rows.map(([what, value]) => [`\`${what}\``, meaning(value)])]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");

function inserted(document: string, name: string, table: string): string {
  const start = `<!-- ${name} -->`;
  const from = document.indexOf(start);
  const to = document.indexOf("<!-- end -->", from);
  if (from < 0 || to < 0) throw new Error(`docs/operations/roles.md has no part "${start}"`);
  return `${document.slice(0, from + start.length)}\n${table}\n${document.slice(to)}`;
}

if (import.meta.main) {
  readCommandLine("npm run roles --", {
    arguments: [],
    means: "write the tables of docs/operations/roles.md: what each role may do",
    options: {},
  });
  await writeFile(file, writeRoles(await storedRoles()));
}
