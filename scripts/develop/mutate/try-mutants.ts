import type { Mutant } from "./instrument.ts";
import type { Baseline, createTestRuns } from "./run-tests.ts";

/** What became of a mutant: a test failed, a test took far too long, none did, none reaches it, or it is listed. */
export type Verdict = "killed" | "late" | "survived" | "unreached" | "listed";

/** The tests of a file. */
export interface NearTests {
  /** Asked about many mutants in one process each, the cheapest first. */
  switched: readonly string[];
  /** Asked about one mutant a process: in their order, until one fails. */
  alone: readonly string[];
  /** Asked in the same way about what no other reaches. */
  broad: readonly string[];
}

export interface Tried {
  mutant: Mutant;
  verdict: Verdict;
  /** The test that killed it. */
  by?: string;
}

interface World {
  runs: Pick<ReturnType<typeof createTestRuns>, "runBaseline" | "runMutant" | "runSwitched">;
  /** Called with a test file that fails by itself. */
  onBroken(test: string): void;
  /** Called behind each process. */
  tidy(): Promise<void>;
}

/** Tries mutants on the nearest tests of their files: at first with many in a process, then each by itself. */
export function createTrial({ runs, onBroken, tidy }: World) {
  const baselines = new Map<string, Baseline>();

  async function baselineOf(test: string): Promise<Baseline> {
    const known = baselines.get(test);
    if (known) return known;
    const baseline = await runs.runBaseline(test);
    await tidy();
    baselines.set(test, baseline);
    if (!baseline.isGood) onBroken(test);
    return baseline;
  }

  /** What tests say, or undefined where none of them reaches the mutant. */
  async function tryAlone(mutant: Mutant, tests: readonly string[]): Promise<Tried | undefined> {
    let isReached = false;
    for (const test of tests) {
      const baseline = await baselineOf(test);
      if (!baseline.isGood || !baseline.reached.has(mutant.id)) continue;
      isReached = true;
      const outcome = await runs.runMutant(test, mutant.id, baseline);
      await tidy();
      if (outcome !== "passed") return { mutant, verdict: outcome === "late" ? "late" : "killed", by: test };
    }
    return isReached ? { mutant, verdict: "survived" } : undefined;
  }

  return async function* (mutants: readonly Mutant[], testsFor: (file: string) => NearTests): AsyncGenerator<Tried> {
    const near = new Map([...new Set(mutants.map(({ file }) => file))].map((file) => [file, testsFor(file)]));
    let left = mutants;
    const survivedIn = new Map<string, Set<string>>();
    // Each test once, with the mutants of all files that it is near to.
    for (const test of new Set([...near.values()].flatMap(({ switched }) => switched))) {
      const ids = left.filter(({ file }) => near.get(file)?.switched.includes(test)).map(({ id }) => id);
      if (ids.length === 0) continue;
      const { killed, survived } = await runs.runSwitched(test, ids);
      await tidy();
      for (const mutant of left) if (killed.has(mutant.id)) yield { mutant, verdict: "killed", by: test };
      left = left.filter(({ id }) => !killed.has(id));
      for (const id of survived) survivedIn.set(id, (survivedIn.get(id) ?? new Set()).add(test));
    }
    for (const mutant of left) {
      // One of the tests that it survived is asked again, without any memory.
      const survived = [...(survivedIn.get(mutant.id) ?? [])];
      const { alone = [], broad = [] } = near.get(mutant.file) ?? {};
      const asked = alone.filter((test) => !survived.slice(1).includes(test));
      const verdict = survived.length > 0 ? "survived" : "unreached";
      yield (await tryAlone(mutant, asked)) ?? (await tryAlone(mutant, broad)) ?? { mutant, verdict };
    }
  };
}
