import { readFile, writeFile } from "node:fs/promises";
import { ofCalls, ofLists } from "./bounds/of-calls.ts";
import { ofEvents } from "./bounds/of-events.ts";
import { ofTenants } from "./bounds/of-tenants.ts";
import { ofWork } from "./bounds/of-work.ts";
import type { Bound } from "./bounds/outcomes.ts";
import { readCommandLine } from "./command-line.ts";
import { insertPart } from "./documents/insert-part.ts";
import { markdownTable } from "./documents/markdown-table.ts";

/** `npm run bounds` writes the table of bounds in docs/bounds.md. A test fails if the table is out of date. */
const file = new URL("../../docs/bounds.md", import.meta.url);

/** Returns every limit, in the order in which a call meets them: sent, waiting, stored, computed, sent on. */
export const bounds = (): readonly Bound[] => [...ofCalls(), ...ofLists(), ...ofTenants(), ...ofWork(), ...ofEvents()];

/** Returns the stored document. */
export const storedBounds = (): Promise<string> => readFile(file, "utf8");

/** Returns the document with a regenerated table of bounds. */
export function writeBounds(document: string): string {
  return insertPart("docs/bounds.md", document, "bounds", markdownTable(["what", "at most", "beyond it"], bounds()));
}

if (import.meta.main) {
  readCommandLine("npm run bounds --", {
    arguments: [],
    means: "write the table of bounds in docs/bounds.md",
    options: {},
  });
  await writeFile(file, writeBounds(await storedBounds()));
}
