import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Described } from "../brief/described.ts";
import { generators } from "./generators/index.ts";
import { Missing } from "./generators/tool.ts";
import { faultsOfProgram, type Order, orderedCalls } from "./order.ts";

interface Options {
  origin: string;
  token: string;
  /** Values of path parameters that exist. */
  known: Readonly<Record<string, readonly string[]>>;
  /** Names of the generators to run. If empty, all are run. */
  only: readonly string[];
  log(line: string): void;
}

/** Saves a document of the server for generators in a folder, and returns its path. */
async function saveDocument(origin: string, name: "public" | "both", folder: string): Promise<string> {
  const answer = await fetch(`${origin}/api/openapi-${name}.json`);
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}`);
  const path = join(folder, `openapi-${name}.json`);
  writeFileSync(path, await answer.text());
  return path;
}

/**
 * Makes each generator create a client from the server's documents, compiles it, and runs a program that calls every operation
 * of a store's interface with it: correctly, with a value that the operation rejects, and with an invalid token. Returns the
 * names of the generators that failed, and of those that this machine cannot run. The reasons are logged.
 */
export async function runClients(options: Options): Promise<{ failed: string[]; skipped: string[] }> {
  const { origin, token, known, only, log } = options;
  const work = mkdtempSync(join(tmpdir(), "shelfwire-clients-"));
  const documents = {
    public: await saveDocument(origin, "public", work),
    both: await saveDocument(origin, "both", work),
  };
  const document: Described = JSON.parse(readFileSync(documents.public, "utf8"));
  const calls = orderedCalls(document, known);
  const refusable = calls.filter(({ bad }) => bad !== undefined).length;
  const order: Order = { base: `${origin}/t/demo/s/main`, token, calls };
  const orderFile = join(work, "order.json");
  writeFileSync(orderFile, JSON.stringify(order), { mode: 0o600 });
  const failed: string[] = [];
  const skipped: string[] = [];
  try {
    for (const [index, { name, obtain }] of generators.entries()) {
      if (only.length > 0 && !only.includes(name)) continue;
      try {
        const tool = obtain();
        // For both interfaces together, a client is created and compiled, but not called.
        for (const part of ["both", "public"] as const) {
          const folder = join(work, `${index}-${part}`);
          mkdirSync(folder);
          tool.make({ folder, document: documents[part] });
        }
        const faults = faultsOfProgram(calls, await tool.call(join(work, `${index}-public`), orderFile));
        if (faults.length > 0) throw new Error(faults.join("\n  "));
        log(`${name}: compiles, ${calls.length} operations called, ${refusable} of them rejected a bad call`);
      } catch (error) {
        const isMissing = error instanceof Missing;
        (isMissing ? skipped : failed).push(name);
        log(`${name} ${isMissing ? "skipped" : "FAILED"}: ${(error as Error).message}`);
      }
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return { failed, skipped };
}
