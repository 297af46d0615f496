import { appendFileSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import real, { type ExecutionContext, type Implementation, type SerialFn, type TestFn } from "ava";
import { MongoClient } from "mongodb";
import { type MutationPlan, type Note, stryker } from "./plan.ts";

/**
 * Stands for AVA's `test` in test files: runs each test as it is, and then once for each mutant that it reached, with
 * the hooks of each test around it. So a mutant costs milliseconds and not the start of a process. Whatever is kept
 * beyond a test could falsify the rest: a test is asked only if it passes three times, and where it does not pass without
 * a mutant after a kill, the process ends and another goes on. What survives may be tried in a process of its own.
 */
const { MUTATION_PLAN = "" } = process.env;
const { switched }: MutationPlan = JSON.parse(readFileSync(MUTATION_PLAN, "utf8"));
if (!switched) throw new Error("the plan names no mutants to switch");
const { mutants, survived, finished, notes, isOwnServer } = switched;
/** A test that takes longer is left to the processes of single mutants. */
const MAX_TEST_MS = 2_500;
/** How long the tests of a file may take for one mutant: where it survives the first, the others seldom notice it. */
const MAX_MUTANT_MS = 3_000;
/** With a mutant, a test has this much more time than it took without. */
const TIMES_ALONE = 4;
const GRACE_MS = 1_000;

/** Where what is reached beside the tests is counted: in hooks, and by what runs on. */
const BETWEEN = "between";
const killed = new Set<string>();
const spentMs = new Map<string, number>();
const state = stryker();
type Hook = (t: ExecutionContext) => unknown;
const before: Hook[] = [];
const after: Hook[] = [];

const tell = (verdict: Note): void => appendFileSync(notes, `${JSON.stringify(verdict)}\n`);

const runEach =
  (implementation: Implementation<unknown[]>) =>
  async (t: ExecutionContext, ...args: unknown[]): Promise<void> => {
    if (finished.includes(t.title)) return void t.pass();
    tell({ began: t.title });
    state.currentTestId = t.title;
    const began = performance.now();
    const isGood = await passes(t, implementation, args);
    const took = performance.now() - began;
    state.currentTestId = BETWEEN;
    t.pass();
    const reached = state.mutantCoverage?.perTest[t.title] ?? {};
    const isLeft = (one: string): boolean => !killed.has(one) && (spentMs.get(one) ?? 0) + took <= MAX_MUTANT_MS;
    const asked = mutants.filter((one) => one in reached && isLeft(one));
    if (asked.length === 0 || !isGood || took > MAX_TEST_MS) return tell({ finished: t.title });
    const maxMs = took * TIMES_ALONE + GRACE_MS;
    const again = await wayAgain(t, implementation, args, maxMs);
    if (!again) return tell({ finished: t.title });
    for (const id of asked) {
      if (survived[id]?.includes(t.title)) continue;
      tell({ tried: id });
      spentMs.set(id, (spentMs.get(id) ?? 0) + took);
      if (await again(id)) {
        tell({ survived: id, test: t.title });
        continue;
      }
      killed.add(id);
      tell({ killed: id });
      if (!(await again())) return process.exit(1);
    }
    tell({ finished: t.title });
  };

/** How a test passes for a second time in one process: as it is, on emptied databases, or not at all. */
async function wayAgain(
  t: ExecutionContext,
  implementation: Implementation<unknown[]>,
  args: unknown[],
  maxMs: number,
): Promise<((mutant?: string) => Promise<boolean>) | undefined> {
  const asItIs = (mutant?: string): Promise<boolean> =>
    Promise.race([passes(t, implementation, args, mutant), setTimeout(maxMs, false, { ref: false })]);
  const emptied = async (mutant?: string): Promise<boolean> => {
    await empty();
    return await asItIs(mutant);
  };
  if ((await asItIs()) && (await asItIs())) return asItIs;
  return isOwnServer && (await emptied()) && (await emptied()) ? emptied : undefined;
}

async function passes(
  t: ExecutionContext,
  implementation: Implementation<unknown[]>,
  args: unknown[],
  mutant?: string,
): Promise<boolean> {
  state.hitCount = 0;
  state.activeMutant = mutant ?? "none";
  try {
    for (const hook of before) await hook(t);
    const attempt = await t.try(implementation, ...args);
    attempt.discard();
    for (const hook of after) await hook(t);
    return attempt.passed;
  } catch {
    return false;
  } finally {
    // An attempt that was given up may end when the next is under way.
    if (state.activeMutant === (mutant ?? "none")) state.activeMutant = "none";
  }
}

/** Removes every document that tests have stored. */
async function empty(): Promise<void> {
  const client = new MongoClient(process.env.MONGODB_URL ?? "");
  const { databases } = await client.db().admin().listDatabases({ nameOnly: true });
  for (const { name } of databases.filter((one) => one.name.startsWith("test-")))
    for (const collection of await client.db(name).collections()) await collection.deleteMany({});
  await client.close();
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

/** A hook around each test, with or without a title before it, is run by each attempt. */
const hookInto =
  (hooks: Hook[]) =>
  (...args: unknown[]): void =>
    void hooks.push(args.at(-1) as Hook);
const hooks = {
  beforeEach: hookInto(before),
  afterEach: Object.assign(hookInto(after), { always: hookInto(after) }),
};

real.after.always(() => tell({ ended: true }));

export default Object.assign(declare, real, hooks, {
  serial: Object.assign(declare.bind(undefined), real.serial, hooks),
}) as unknown as TestFn;
