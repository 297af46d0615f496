import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Described } from "../brief/described.ts";
import { generators } from "./generators/index.ts";
import { Missing } from "./generators/tool.ts";
import { faultsOfProgram, type Order, orderedCalls } from "./order.ts";

interface Options {
  origin: string;
  token: string;
  /** Values of path parameters that exist. */
  known: Readonly<Record<string, readonly string[]>>;
  /** Names of the only generators to run; all if it is empty. */
  only: readonly string[];
  /** Whether clients of both interfaces are made and compiled as well. */
  withManagement: boolean;
  log(line: string): void;
}

const documentOf = (name: string) => fileURLToPath(new URL(`../../../../docs/openapi-${name}.json`, import.meta.url));

/**
 * Has each generator make a client of the stored documents, compiles it, and has a program with it call every operation
 * of a store's interface: as it should be, with a value that it refuses, and with another token. Returns the names of
 * the generators that failed, and of those that this machine cannot run, with the reason logged.
 */
export async function runClients(options: Options): Promise<{ failed: string[]; skipped: string[] }> {
  const { origin, token, known, only, withManagement, log } = options;
  const document: Described = JSON.parse(readFileSync(documentOf("public"), "utf8"));
  const calls = orderedCalls(document, known);
  const refusable = calls.filter(({ bad }) => bad !== undefined).length;
  const order: Order = { base: `${origin}/t/demo/s/main`, token, calls };
  const work = mkdtempSync(join(tmpdir(), "shelfwire-clients-"));
  const orderFile = join(work, "order.json");
  writeFileSync(orderFile, JSON.stringify(order), { mode: 0o600 });
  const failed: string[] = [];
  const skipped: string[] = [];
  try {
    for (const [index, { name, obtain }] of generators.entries()) {
      if (only.length > 0 && !only.includes(name)) continue;
      try {
        const tool = obtain();
        for (const part of withManagement ? ["both", "public"] : ["public"]) {
          const folder = join(work, `${index}-${part}`);
          mkdirSync(folder);
          tool.make({ folder, document: documentOf(part) });
        }
        const faults = faultsOfProgram(calls, await tool.call(join(work, `${index}-public`), orderFile));
        if (faults.length > 0) throw new Error(faults.join("\n  "));
        log(`${name}: compiles, ${calls.length} operations called, ${refusable} of them refused a bad call`);
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
