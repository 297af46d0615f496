import type { ExecutionContext } from "ava";
import { createRandom } from "../../../scripts/access-point/random.ts";

/**
 * Whether searches try all of their cases (`npm test -- --thorough`). Otherwise they try a sample, which is the same in each run
 * (docs/decisions/development/effort.md).
 */
export const isThorough = process.env.TEST_EFFORT === "thorough";

/** The cases of a search that a run without `--thorough` tries. */
interface Sample<Case> {
  /** The number of cases; larger if more are always tried. */
  size: number;
  /** Chooses the cases: another seed draws another sample. */
  seed?: number;
  /** Whether a case is always tried, for example because it failed once. */
  always?: (one: Case) => boolean;
}

/**
 * Returns the cases of a search that a test tries: all with `--thorough`, otherwise a sample. The test's output says how many.
 */
export function casesToTry<Case>(
  t: Pick<ExecutionContext, "log">,
  all: readonly Case[],
  sample: Sample<Case>,
  what: string,
): readonly Case[] {
  const tried = isThorough ? all : sampleOf(all, sample);
  sayTried(t, tried.length, all.length, what);
  return tried;
}

/**
 * Returns the first and the last case, the cases that are always tried, and other cases up to the sample's size, in the order of
 * `all`.
 */
export function sampleOf<Case>(
  all: readonly Case[],
  { size, seed = 1, always = () => false }: Sample<Case>,
): readonly Case[] {
  const isKept = (index: number) => index === 0 || index === all.length - 1 || always(all[index] as Case);
  const kept = [...all.keys()].filter(isKept);
  const others = shuffle(
    [...all.keys()].filter((index) => !isKept(index)),
    seed,
  );
  const tried = new Set([...kept, ...others.slice(0, Math.max(0, size - kept.length))]);
  return all.filter((_, index) => tried.has(index));
}

/** Writes to the test's output how many cases of its search it tried. */
export function sayTried(t: Pick<ExecutionContext, "log">, tried: number, all: number, what: string): void {
  t.log(tried < all ? `${tried} of ${all} ${what}; --thorough tries all` : `all ${all} ${what}`);
}

/** Returns the size of a test's subject: `all` with `--thorough`, otherwise `some`. */
export const sizeToTry = (some: number, all: number): number => (isThorough ? all : some);

/** Returns how many random cases a test tries: `all` with `--thorough`, otherwise `some`. The test's output says how many. */
export function runsToTry(t: Pick<ExecutionContext, "log">, some: number, all: number, what: string): number {
  const runs = sizeToTry(some, all);
  sayTried(t, runs, all, what);
  return runs;
}

/** Shuffles the entries, reproducibly for a seed (Fisher-Yates shuffle). */
function shuffle<Entry>(entries: readonly Entry[], seed: number): Entry[] {
  const random = createRandom(seed);
  const shuffled = [...entries];
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [shuffled[last], shuffled[other]] = [shuffled[other] as Entry, shuffled[last] as Entry];
  }
  return shuffled;
}
