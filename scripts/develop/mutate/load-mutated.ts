import { appendFileSync, readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { MAX_HITS, type MutationPlan, stryker } from "./plan.ts";

/**
 * Loaded first in each process and thread of a test (`--import`). Loads instrumented code in place of the files, records
 * which mutants are reached, and lets the tests of a pure file run once per mutant.
 */
const { MUTATION_PLAN = "" } = process.env;
const { instrumented, coverage, switched }: MutationPlan = JSON.parse(readFileSync(MUTATION_PLAN, "utf8"));
const TESTS = new URL("../../../test/", import.meta.url).href;
const SWITCHED_TESTS = new URL("./switched-tests.ts", import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    const isOfTest = specifier === "ava" && context.parentURL?.startsWith(TESTS);
    return switched && isOfTest ? { url: SWITCHED_TESTS, shortCircuit: true } : next(specifier, context);
  },
  load(url, context, next) {
    const path = instrumented[url.split("?")[0] ?? ""];
    return path ? { format: "module", source: readFileSync(path), shortCircuit: true } : next(url, context);
  },
});

const state = stryker();
state.hitCount = 0;
state.hitLimit = MAX_HITS;
if (coverage) state.mutantCoverage = { static: noted(coverage), perTest: {} };

/** Counts by mutant. The first count of each is appended to a file immediately, since a process may be killed. */
function noted(file: string): Record<string, number> {
  return new Proxy<Record<string, number>>(
    {},
    {
      set(counts, id: string, count: number) {
        if (!(id in counts)) appendFileSync(file, `${id}\n`);
        counts[id] = count;
        return true;
      },
    },
  );
}
