/** Input of processes that run tests on instrumented code, in the file named by `MUTATION_PLAN`. */
export interface MutationPlan {
  /** Path of the instrumented JavaScript by the URL of the file that it replaces. */
  instrumented: Readonly<Record<string, string>>;
  /** Where the ids of reached mutants are appended, one per line. */
  coverage?: string;
  switched?: {
    /** The mutants that are switched within one process. */
    mutants: readonly string[];
    /** The tests that each mutant has survived. */
    survived: Readonly<Record<string, readonly string[]>>;
    /** The tests that have tried all mutants they reach. Another process continues after them. */
    finished: readonly string[];
    /** Where the notes are appended. */
    notes: string;
    limits: TimeLimits;
  };
}

/** In milliseconds. */
export interface TimeLimits {
  /** How long a file may take without a mutant. */
  baseline: number;
  /** How much longer than a multiple of its baseline a file may take with one mutant. */
  mutantGrace: number;
  /** A process that switches mutants is ended if it records nothing for longer than this. */
  silence: number;
  /** A test that takes longer is left to the processes for single mutants. */
  switchedTest: number;
  /** How long a file's tests may take for one mutant. If it survives the first tests, the others seldom detect it. */
  switchedMutant: number;
  /** How much longer than a multiple of its time without a mutant a test may take with one. */
  switchedGrace: number;
}

export const usualLimits: TimeLimits = {
  baseline: 120_000,
  mutantGrace: 20_000,
  silence: 20_000,
  switchedTest: 1_200,
  switchedMutant: 3_000,
  switchedGrace: 1_000,
};

/**
 * A line of the notes: a test that begins or has tried everything that it reaches, a mutant that is tried next, a mutant that
 * a test has killed or not noticed, a mutant that may have failed because of another's leftovers, a test that fails because
 * of them, or the end of the file's tests. A process that stops after `tried` was broken by that mutant.
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

/** The global that configures the instrumented code and collects its reports. */
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

/** A mutant that is reached more often than this has made a loop endless. The instrumented code then throws. */
export const MAX_HITS = 1_000_000;
