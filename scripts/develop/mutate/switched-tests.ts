import { appendFileSync, readFileSync } from "node:fs";
import real, { type ExecutionContext, type Implementation, type SerialFn, type TestFn } from "ava";
import { type MutationPlan, type Note, stryker } from "./plan.ts";

/**
 * Stands for AVA's `test` in pure test files: runs each test once as it is, and then once for each mutant that it
 * reached. So a mutant costs milliseconds and not the start of a process. Whatever is remembered beyond a test could
 * falsify the rest: after each kill the test is run without a mutant once more, and a failure then ends the process.
 * A mutant that survives here, or ends the process, is tried again in a process of its own.
 */
const { MUTATION_PLAN = "" } = process.env;
const { switched }: MutationPlan = JSON.parse(readFileSync(MUTATION_PLAN, "utf8"));
if (!switched) throw new Error("the plan names no mutants to switch");
const { mutants, notes } = switched;
/** A test that takes longer is left to the processes of single mutants. */
const MAX_TEST_MS = 500;
const killed = new Set<string>();
const state = stryker();

const tell = (verdict: Note): void => appendFileSync(notes, `${JSON.stringify(verdict)}\n`);

const runEach =
  (implementation: Implementation<unknown[]>) =>
  async (t: ExecutionContext, ...args: unknown[]): Promise<void> => {
    state.currentTestId = t.title;
    const began = performance.now();
    if (!(await passes(t, implementation, args))) return void t.fail("fails without a mutant");
    if (performance.now() - began > MAX_TEST_MS) return void t.pass();
    const { static: atLoad = {}, perTest = {} } = state.mutantCoverage ?? {};
    const reached = perTest[t.title] ?? {};
    state.currentTestId = "mutated";
    for (const id of mutants.filter((one) => one in reached && !(one in atLoad) && !killed.has(one))) {
      tell({ tried: id });
      if (await passes(t, implementation, args, id)) continue;
      killed.add(id);
      if (!(await passes(t, implementation, args))) return process.exit(1);
      tell({ killed: id });
    }
    t.pass();
  };

async function passes(
  t: ExecutionContext,
  implementation: Implementation<unknown[]>,
  args: unknown[],
  mutant?: string,
): Promise<boolean> {
  state.hitCount = 0;
  state.activeMutant = mutant ?? "none";
  const attempt = await t.try(implementation, ...args);
  state.activeMutant = "none";
  attempt.discard();
  return attempt.passed;
}

/** Declares tests one behind the other; a test without a title takes that of its macro. */
const declare = (...args: unknown[]): void => {
  const at = args.findIndex((arg) => typeof arg !== "string");
  const implementation = args[at] as Implementation<unknown[]>;
  const rest = args.slice(at + 1);
  const named = typeof implementation === "function" ? undefined : implementation.title;
  const title = named ? named(args[0] as string, ...rest) : (args[0] as string);
  (real.serial as SerialFn)(title, runEach(implementation) as Implementation<unknown[]>, ...rest);
};

real.after.always(() => tell({ ended: true }));

export default Object.assign(declare, real, { serial: Object.assign(declare.bind(undefined), real.serial) }) as TestFn;
