import { readFile, writeFile } from "node:fs/promises";
import { readCommandLine } from "../command-line.ts";
import { insertPart } from "../documents/insert-part.ts";
import { markdownTable } from "../documents/markdown-table.ts";
import { callers, otherAddresses, pageRows } from "./addresses.ts";
import { columns, operationRows, type RoleRow, scopeRows } from "./role-table.ts";

/** `npm run roles` writes the tables of docs/operations/roles.md. Tests compare them with a running server. */
const file = new URL("../../../docs/operations/roles.md", import.meta.url);

/** Returns the stored document. */
export const storedRoles = (): Promise<string> => readFile(file, "utf8");

/** Returns the document with regenerated tables. */
export function writeRoles(document: string): string {
  const tables = {
    scopes: tableOf("scope", scopeRows()),
    pages: tableOf("page", pageRows()),
    operations: tableOf("operation", operationRows()),
    others: markdownTable(
      ["address", "who"],
      Object.entries(otherAddresses).map(([address, who]) => [`\`${address}\``, callers[who]]),
    ),
  };
  return Object.entries(tables).reduce(
    (text, [name, lines]) => insertPart("docs/operations/roles.md", text, name, lines),
    document,
  );
}

const tableOf = (what: string, rows: readonly RoleRow[]): string[] =>
  markdownTable(
    [what, ...columns],
    rows.map((row) => [`\`${row.what}\``, ...row.cells]),
    ["---", ...columns.map(() => ":-:")],
  );

if (import.meta.main) {
  readCommandLine("npm run roles --", {
    arguments: [],
    means: "write the tables in docs/operations/roles.md: what each role may do",
    options: {},
  });
  await writeFile(file, writeRoles(await storedRoles()));
}
