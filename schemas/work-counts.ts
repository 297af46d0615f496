/**
 * Work that this process has done for callers since it began. What a call may add is bounded by what it may send, so the
 * counts show that a hostile call is cheap, where a time would show how busy the machine is.
 */
export interface WorkCounts {
  /** Bytes of bodies that were scanned before parsing. */
  scannedBytes: number;
  /** Values, lists and objects in JSON that was parsed. */
  parsedValues: number;
  /** Values that were checked against a schema; a list and each of its elements are one each. */
  checks: number;
  /** Faults that checks collected. */
  faults: number;
  /** Expressions that were compiled, or that do not compile. */
  compilations: number;
  /** What compiling them cost: characters of their sources, and instructions of their regular expressions. */
  compileSteps: number;
  /** Parts of multipart forms that were begun. */
  formParts: number;
}

const counts: WorkCounts = {
  scannedBytes: 0,
  parsedValues: 0,
  checks: 0,
  faults: 0,
  compilations: 0,
  compileSteps: 0,
  formParts: 0,
};

export function countWork(what: keyof WorkCounts, amount = 1): void {
  counts[what] += amount;
}

/** The counts so far. */
export const workCounts = (): WorkCounts => ({ ...counts });
