import type { Mutant } from "./instrument.ts";
import type { Baseline, createTestRuns, Switched } from "./run-tests.ts";

/** What became of a mutant: a test failed, a test took far too long, none did, none reaches it, or it is listed. */
export type Verdict = "killed" | "late" | "survived" | "unreached" | "listed";

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

/** Tries mutants on the nearest tests of their files, one at a time: at first on the pure ones, then each by itself. */
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

  /** `survivedIn`: pure tests that the mutant has survived; one of them is asked again, without any memory. */
  async function tryAlone(mutant: Mutant, tests: readonly string[], survivedIn: readonly string[]): Promise<Tried> {
    let isReached = false;
    for (const test of tests.filter((one) => !survivedIn.slice(1).includes(one))) {
      const baseline = await baselineOf(test);
      if (!baseline.isGood || !baseline.reached.has(mutant.id)) continue;
      isReached = true;
      const outcome = await runs.runMutant(test, mutant.id, baseline);
      await tidy();
      if (outcome !== "passed") return { mutant, verdict: outcome === "late" ? "late" : "killed", by: test };
    }
    return { mutant, verdict: isReached ? "survived" : "unreached" };
  }

  return async function* (
    mutants: readonly Mutant[],
    testsFor: (file: string) => readonly string[],
    isPure: (test: string) => boolean,
  ): AsyncGenerator<Tried> {
    const tests = new Map([...new Set(mutants.map(({ file }) => file))].map((file) => [file, testsFor(file)]));
    const near = ({ file }: Mutant) => tests.get(file) ?? [];
    let left = mutants;
    const switched = new Map<string, Switched>();
    // Each pure test once, with the mutants of all files that it is near to.
    for (const test of new Set([...tests.values()].flat().filter(isPure))) {
      const ids = left.filter((mutant) => near(mutant).includes(test)).map(({ id }) => id);
      if (ids.length === 0) continue;
      const result = await runs.runSwitched(test, ids);
      switched.set(test, result);
      for (const mutant of left) if (result.killed.has(mutant.id)) yield { mutant, verdict: "killed", by: test };
      left = left.filter(({ id }) => !result.killed.has(id));
    }
    for (const mutant of left) {
      const survivedIn = near(mutant).filter((test) => switched.get(test)?.survived.has(mutant.id));
      yield await tryAlone(mutant, near(mutant), survivedIn);
    }
  };
}
