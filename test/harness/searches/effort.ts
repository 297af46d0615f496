import type { ExecutionContext } from "ava";
import { createRandom } from "../../../scripts/access-point/random.ts";

/**
 * Whether searches try all of their cases (`npm test -- --thorough`), or a sample, the same one in each run
 * (docs/decisions/development/effort.md).
 */
export const isThorough = process.env.TEST_EFFORT === "thorough";

/** The cases of a search that a run without `--thorough` tries. */
interface Sample<Case> {
  /** How many are tried; more if more are always tried. */
  size: number;
  /** Draws the cases. Another seed draws other ones. */
  seed?: number;
  /** Whether a case is always tried, such as one that failed once. */
  always?: (one: Case) => boolean;
}

/** The cases of a search that a test tries: all with `--thorough`, otherwise a sample. Says in its output how many. */
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

/** The first and the last case, those that are always tried, and as many others as the sample is to have; in their order. */
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

/** Says in the output of a test how much of its search it tried. */
export function sayTried(t: Pick<ExecutionContext, "log">, tried: number, all: number, what: string): void {
  t.log(tried < all ? `${tried} of ${all} ${what}; --thorough tries all` : `all ${all} ${what}`);
}

/** How large a test makes what it is about: `all` with `--thorough`, otherwise `some`. */
export const sizeToTry = (some: number, all: number): number => (isThorough ? all : some);

/** How many random cases a test tries: `all` with `--thorough`, otherwise `some` of them. Says in its output how many. */
export function runsToTry(t: Pick<ExecutionContext, "log">, some: number, all: number, what: string): number {
  const runs = sizeToTry(some, all);
  sayTried(t, runs, all, what);
  return runs;
}

/** Another order of the same entries, always the same for a seed (Fisher and Yates). */
function shuffle<Entry>(entries: readonly Entry[], seed: number): Entry[] {
  const random = createRandom(seed);
  const shuffled = [...entries];
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [shuffled[last], shuffled[other]] = [shuffled[other] as Entry, shuffled[last] as Entry];
  }
  return shuffled;
}
