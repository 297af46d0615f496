import type { Mutant } from "./instrument.ts";
import type { Baseline, createTestRuns } from "./run-tests.ts";

/** The outcome of a mutant: a test failed, a test took far too long, neither happened, or no test reaches it. */
export type Verdict = "killed" | "late" | "survived" | "unreached";

/** Tests in the order in which they run. */
interface Asked {
  /** Tests for each remaining mutant. */
  each: readonly string[];
  /** Tests for mutants that no other test has reached. */
  unreached: readonly string[];
}

/** The tests of a file: first with many mutants in one process per test, then with each mutant in its own process. */
export interface NearTests {
  switched: Asked;
  alone: Asked;
}

export interface Tried {
  mutant: Mutant;
  verdict: Verdict;
  /** The test that killed the mutant. */
  by?: string;
}

interface World {
  runs: Pick<ReturnType<typeof createTestRuns>, "runBaseline" | "runMutant" | "runSwitched">;
  /** Called with a test file that fails without a mutant. */
  onBroken(test: string): void;
  /** Called after each process. */
  tidy(): Promise<void>;
}

/** The mutants that no test has killed and, by the mutant's id, the tests that each has survived. */
interface Found {
  left: readonly Mutant[];
  survivedIn: Map<string, Set<string>>;
}

/** Runs the nearest tests of each mutant's file against the mutants: first many in one process, then each by itself. */
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

  /** Returns the verdict of the tests. Undefined if none of them reaches the mutant. */
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

  /** Runs each test once, with the mutants of all files that it is near. Yields the mutants that the test kills. */
  async function* tryTogether(near: ReadonlyMap<string, NearTests>, found: Found): AsyncGenerator<Tried> {
    for (const which of ["each", "unreached"] as const)
      for (const test of new Set([...near.values()].flatMap(({ switched }) => switched[which]))) {
        const isAsked = ({ id, file }: Mutant) =>
          near.get(file)?.switched[which].includes(test) && (which === "each" || !found.survivedIn.has(id));
        const ids = found.left.filter(isAsked).map(({ id }) => id);
        if (ids.length === 0) continue;
        const { killed, survived } = await runs.runSwitched(test, ids);
        await tidy();
        for (const mutant of found.left) if (killed.has(mutant.id)) yield { mutant, verdict: "killed", by: test };
        found.left = found.left.filter(({ id }) => !killed.has(id));
        for (const id of survived) found.survivedIn.set(id, (found.survivedIn.get(id) ?? new Set()).add(test));
      }
  }

  return async function* (mutants: readonly Mutant[], testsFor: (file: string) => NearTests): AsyncGenerator<Tried> {
    const near = new Map([...new Set(mutants.map(({ file }) => file))].map((file) => [file, testsFor(file)]));
    const found: Found = { left: mutants, survivedIn: new Map() };
    yield* tryTogether(near, found);
    for (const mutant of found.left) {
      const survived = [...(found.survivedIn.get(mutant.id) ?? [])];
      const alone = near.get(mutant.file)?.alone ?? { each: [], unreached: [] };
      // One of the tests that the mutant survived runs again in a fresh process.
      const again = await tryAlone(
        mutant,
        alone.each.filter((test) => !survived.slice(1).includes(test)),
      );
      if (again) yield again;
      else if (survived.length > 0) yield { mutant, verdict: "survived" };
      else yield (await tryAlone(mutant, alone.unreached)) ?? { mutant, verdict: "unreached" };
    }
  };
}
