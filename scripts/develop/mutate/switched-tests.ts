import { appendFileSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import real, { type ExecutionContext, type Implementation, type SerialFn, type TestFn } from "ava";
import { type MutationPlan, type Note, stryker } from "./plan.ts";

/**
 * Replaces AVA's `test` in test files and their harness. Runs each test unchanged, and then once for each mutant that it
 * reached, with the hooks of each test around it. So a mutant costs milliseconds instead of a process start. Anything that a
 * test leaves behind could distort the results after it. So mutants are tried on a test only if it passes three times: on what
 * the file has opened or, failing that, on resources that it reopens each time. If a test no longer passes without a mutant,
 * the process ends and another continues. The new process first tries the mutant that failed last, since an earlier one may
 * have left something behind. A surviving mutant may be tried in its own process.
 */
const { MUTATION_PLAN = "" } = process.env;
const { switched }: MutationPlan = JSON.parse(readFileSync(MUTATION_PLAN, "utf8"));
if (!switched) throw new Error("the plan names no mutants to switch");
const { mutants, survived, finished, notes, limits } = switched;
/** With a mutant, a test may take this many times as long as without it. */
const TIMES_ALONE = 4;

/** The id under which mutants reached outside the tests are counted: in hooks, and in work that outlasts its test. */
const BETWEEN = "between";
const killed = new Set<string>();
const spentMs = new Map<string, number>();
/** The number of mutants that this process has tried. When the first one runs, no other can have left anything behind. */
let tries = 0;
const state = stryker();
type Hook = (t: ExecutionContext) => unknown;
type DeclareHook = (...args: unknown[]) => void;
const before: Hook[] = [];
const after: Hook[] = [];
/** Functions that open and close what the file's tests share. */
const opening: Hook[] = [];
const closing: Hook[] = [];

const tell = (verdict: Note): void => appendFileSync(notes, `${JSON.stringify(verdict)}\n`);
function endProcess(note: Note): never {
  tell(note);
  process.exit(1);
}

/** Runs a test, with or without a mutant, and returns whether it passes. */
type Attempt = (mutant?: string) => Promise<boolean>;

const runEach =
  (implementation: Implementation<unknown[]>) =>
  async (t: ExecutionContext, ...args: unknown[]): Promise<void> => {
    if (finished.includes(t.title)) return void t.pass();
    tell({ began: t.title });
    const once: Attempt = (mutant) => passes(t, implementation, args, mutant);
    state.currentTestId = t.title;
    const { isGood, tookMs } = await timed(once);
    state.currentTestId = BETWEEN;
    t.pass();
    if (!isGood && tries > 0) return endProcess({ again: t.title });
    const reached = state.mutantCoverage?.perTest[t.title] ?? {};
    const asked = mutants.filter((one) => one in reached && !killed.has(one));
    const way = asked.length > 0 && isGood && tookMs <= limits.switchedTest ? await wayAgain(t, once) : undefined;
    for (const id of way ? asked : []) {
      const spent = (spentMs.get(id) ?? 0) + (way?.tookMs ?? 0);
      if (!way || spent > limits.switchedMutant || survived[id]?.includes(t.title)) continue;
      tell({ tried: id });
      tries += 1;
      spentMs.set(id, spent);
      if (await way.again(id)) {
        tell({ survived: id, test: t.title });
        continue;
      }
      const isClean = await way.again();
      if (!isClean && tries > 1) return endProcess({ unsure: id });
      killed.add(id);
      tell({ killed: id });
      if (!isClean) return process.exit(1);
    }
    tell({ finished: t.title });
  };

/** Finds out how a test passes for a second time in one process: unchanged, with reopened resources, or not at all. */
async function wayAgain(t: ExecutionContext, once: Attempt): Promise<{ again: Attempt; tookMs: number } | undefined> {
  const reopened: Attempt = async (mutant) => {
    for (const hook of [...closing, ...opening]) await hook(t);
    return await once(mutant);
  };
  for (const way of closing.length > 0 ? [once, reopened] : [once]) {
    const { isGood, tookMs } = await timed(way);
    const maxMs = tookMs * TIMES_ALONE + limits.switchedGrace;
    const again: Attempt = (mutant) =>
      Promise.race([way(mutant).catch(() => false), setTimeout(maxMs, false, { ref: false })]);
    if (isGood && tookMs <= limits.switchedTest && (await again())) return { again, tookMs };
  }
  return undefined;
}

async function timed(attempt: Attempt): Promise<{ isGood: boolean; tookMs: number }> {
  const began = performance.now();
  const isGood = await attempt().catch(() => false);
  return { isGood, tookMs: performance.now() - began };
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
    // An abandoned attempt may end while the next attempt is under way.
    if (state.activeMutant === (mutant ?? "none")) state.activeMutant = "none";
  }
}

/** Declares tests one after another. A test without a title uses its macro's title. */
const declare = (...args: unknown[]): void => {
  const at = args.findIndex((arg) => typeof arg !== "string");
  const implementation = args[at] as Implementation<unknown[]>;
  const rest = args.slice(at + 1);
  const named = typeof implementation === "function" ? undefined : implementation.title;
  const title = named ? named(args[0] as string, ...rest) : (args[0] as string);
  (real.serial as SerialFn)(title, runEach(implementation) as Implementation<unknown[]>, ...rest);
};

/** Collects the hooks around each test, which every attempt runs. A hook may have a title before it. */
const hookInto =
  (hooks: Hook[]) =>
  (...args: unknown[]): void =>
    void hooks.push(args.at(-1) as Hook);
/** Declares a hook of the file. AVA runs it, and it runs again whenever the file's tests need fresh resources. */
const hookOfFile =
  (hooks: Hook[], declareHook: DeclareHook) =>
  (...args: unknown[]): void => {
    hooks.push(args.at(-1) as Hook);
    declareHook(...args);
  };
const hooks = {
  beforeEach: hookInto(before),
  afterEach: Object.assign(hookInto(after), { always: hookInto(after) }),
  // Hooks run one after another, so that each finds what the previous ones opened.
  before: hookOfFile(opening, real.serial.before as DeclareHook),
  after: Object.assign(real.after.bind(real), { always: hookOfFile(closing, real.after.always as DeclareHook) }),
};

real.after.always(() => tell({ ended: true }));

export default Object.assign(declare, real, hooks, {
  serial: Object.assign(declare.bind(undefined), real.serial, hooks),
}) as unknown as TestFn;
