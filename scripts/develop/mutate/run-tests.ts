import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type MutationPlan, type Note, usualLimits } from "./plan.ts";

/** The result of running one test file on instrumented code. */
export type Outcome = "passed" | "failed" | "late";

export interface Baseline {
  /** Ids of the mutants that the file reaches. */
  reached: ReadonlySet<string>;
  /** Whether the file passes if no mutant is active. */
  isGood: boolean;
  durationMs: number;
}

/** Which mutants a file has killed, and which it has not killed although it reaches them. */
export interface Switched {
  killed: ReadonlySet<string>;
  survived: ReadonlySet<string>;
}

/** A mutant may take this many times as long as the tests take without it. */
const TIMES_BASELINE = 3;
const POLL_INTERVAL_MS = 500;
const PRELOAD = new URL("./load-mutated.ts", import.meta.url).href;
const COMPILE_CACHE = resolve("node_modules/.cache/compiled");

/** Runs test files on instrumented code. `folder` is for the processes' input and output. */
export function createTestRuns(
  folder: string,
  sources: ReadonlyMap<string, string>,
  mongoUrl: string,
  limits = usualLimits,
) {
  const instrumented: Record<string, string> = {};
  for (const [file, source] of sources) {
    const path = join(folder, `${file.replaceAll("/", "-")}.mjs`);
    writeFileSync(path, source);
    instrumented[pathToFileURL(resolve(file)).href] = path;
  }
  const plan = join(folder, "plan.json");
  const notes = join(folder, "notes.txt");
  let running: ChildProcess | undefined;
  // A run has its own process group, so that it can be ended completely. It must not outlive this process.
  process.once("exit", () => running && kill(running));

  function start(test: string, told: Omit<MutationPlan, "instrumented">, mutant = "none"): ChildProcess {
    writeFileSync(plan, JSON.stringify({ instrumented, ...told } satisfies MutationPlan));
    writeFileSync(notes, "");
    running = spawn(process.execPath, ["node_modules/ava/entrypoints/cli.js", "--tap", "--timeout=10m", test], {
      env: {
        NODE_COMPILE_CACHE: COMPILE_CACHE,
        ...process.env,
        MONGODB_URL: mongoUrl,
        MUTATION_PLAN: plan,
        NODE_OPTIONS: `--import=${fileURLToPath(PRELOAD)}`,
        __STRYKER_ACTIVE_MUTANT__: mutant,
      },
      stdio: ["ignore", "pipe", "ignore"],
      detached: true,
    });
    running.once("exit", () => {
      running = undefined;
    });
    return running;
  }

  return {
    /** Runs a file without a mutant. */
    async runBaseline(test: string): Promise<Baseline> {
      const began = Date.now();
      const outcome = await outcomeOf(start(test, { coverage: notes }), limits.baseline);
      return { reached: new Set(linesOf(notes)), isGood: outcome === "passed", durationMs: Date.now() - began };
    },

    /** Runs a file with one mutant, until the first test fails. */
    runMutant: (test: string, mutant: string, { durationMs }: Baseline): Promise<Outcome> =>
      outcomeOf(start(test, {}, mutant), durationMs * TIMES_BASELINE + limits.mutantGrace),

    /**
     * Runs a file with all of these mutants switched within one process. A new process starts after each mutant that breaks the
     * process. Mutants that broke a process without hanging it are in neither set.
     */
    async runSwitched(test: string, mutants: readonly string[]): Promise<Switched> {
      const killed = new Set<string>();
      const survived: Record<string, string[]> = {};
      const finished: string[] = [];
      const broke = new Set<string>();
      let order = mutants;
      for (;;) {
        const left = order.filter((id) => !killed.has(id) && !broke.has(id));
        const switched = { mutants: left, survived, finished, notes, limits };
        const isHung = await watch(start(test, { switched }), notes, limits.silence);
        const found = linesOf(notes).map((line) => JSON.parse(line) as Note);
        for (const note of found) {
          if ("killed" in note) killed.add(note.killed);
          if ("finished" in note) finished.push(note.finished);
          if ("survived" in note) survived[note.survived] = [...(survived[note.survived] ?? []), note.test];
        }
        const last = found.at(-1);
        if (last && "tried" in last) (isHung ? killed : broke).add(last.tried);
        if (last && "unsure" in last) order = [last.unsure, ...order.filter((id) => id !== last.unsure)];
        // Each process decides at least one mutant, or the next process begins with the mutant that this one could not
        // decide.
        const goesOn = last && ("tried" in last || "killed" in last || "unsure" in last || "again" in last);
        if (!goesOn) return { killed, survived: new Set(Object.keys(survived)).difference(killed) };
      }
    },
  };
}

/** Waits for the end, or for the first test that fails. */
async function outcomeOf(child: ChildProcess, timeoutMs: number): Promise<Outcome> {
  let outcome: Outcome | undefined;
  const timer = setTimeout(() => {
    outcome ??= "late";
    kill(child);
  }, timeoutMs);
  const ended = new Promise<number>((done) => child.once("exit", (code) => done(code ?? 1)));
  if (child.stdout)
    for await (const line of createInterface({ input: child.stdout })) {
      if (!line.startsWith("not ok")) continue;
      outcome ??= "failed";
      kill(child);
      break;
    }
  const code = await ended;
  clearTimeout(timer);
  return outcome ?? (code === 0 ? "passed" : "failed");
}

/** Waits for the end of a process that switches mutants, and ends the process if it hangs. Returns whether it did so. */
async function watch(child: ChildProcess, notes: string, maxSilenceMs: number): Promise<boolean> {
  const ended = new Promise((done) => child.once("exit", done));
  child.stdout?.resume();
  let lines = 0;
  let movedAt = Date.now();
  let isHung = false;
  const polling = setInterval(() => {
    const { length } = linesOf(notes);
    if (length !== lines) movedAt = Date.now();
    lines = length;
    if (Date.now() - movedAt < maxSilenceMs) return;
    isHung = true;
    kill(child);
  }, POLL_INTERVAL_MS);
  await ended;
  clearInterval(polling);
  return isHung;
}

const linesOf = (path: string): string[] =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "");

/** Ends a run with the processes that it started. Servers exit once their parent has exited. */
function kill(child: ChildProcess): void {
  try {
    if (child.pid) process.kill(-child.pid, "SIGKILL");
  } catch {
    child.kill("SIGKILL");
  }
}
