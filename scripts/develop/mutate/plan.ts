/** Input of processes that run tests on instrumented code, in the file named by `MUTATION_PLAN`. */
export interface MutationPlan {
  /** Path of the instrumented JavaScript by the URL of the file that it replaces. */
  instrumented: Readonly<Record<string, string>>;
  /** Where the ids of reached mutants are appended, one per line. */
  coverage?: string;
  switched?: {
    /** Those that are switched within one process. */
    mutants: readonly string[];
    /** The tests that each has survived. */
    survived: Readonly<Record<string, readonly string[]>>;
    /** The tests that have tried all mutants they reach: another process continues after them. */
    finished: readonly string[];
    /** Where the notes are appended. */
    notes: string;
  };
}

/**
 * A line of the notes: a test that begins or was asked about all that it reaches, a mutant that is tried next, one that a
 * test has killed or not noticed, one that may have failed by what another left, a test that fails by that, or the end of
 * the file's tests. A process that stops after `tried` was broken by that mutant.
 */
export type Note =
  | { began: string }
  | { finished: string }
  | { tried: string }
  | { killed: string }
  | { survived: string; test: string }
  | { unsure: string }
  | { again: string }
  | { ended: true };

/** The global through which the instrumented code is configured, and reports. */
export interface StrykerGlobal {
  activeMutant?: string;
  currentTestId?: string;
  hitCount?: number;
  hitLimit?: number;
  mutantCoverage?: { static: Record<string, number>; perTest: Record<string, Record<string, number>> };
}

export const stryker = (): StrykerGlobal => {
  const holder = globalThis as { __stryker__?: StrykerGlobal };
  holder.__stryker__ ??= {};
  return holder.__stryker__;
};

/** A mutant that is reached more often than this has made a loop endless: the instrumented code throws. */
export const MAX_HITS = 1_000_000;
