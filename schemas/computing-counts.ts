/**
 * Work that this process has done for callers since it started. The input size bounds what one call can add. Tests therefore
 * use these counts to show that a hostile call is cheap; a duration would only show how busy the machine is.
 */
export interface ComputingCounts {
  /** Bytes of bodies that were scanned before parsing. */
  scannedBytes: number;
  /** Values, lists and objects in parsed JSON. */
  parsedValues: number;
  /** Values checked against a schema; a list and each of its elements count as one each. */
  checks: number;
  /** Faults that checks collected. */
  faults: number;
  /** Expressions that were compiled, or failed to compile. */
  compilations: number;
  /** The cost of compiling them: characters of their sources, and instructions of their regular expressions. */
  compileSteps: number;
  /** Parts of multipart forms that were started. */
  formParts: number;
}

const counts: ComputingCounts = {
  scannedBytes: 0,
  parsedValues: 0,
  checks: 0,
  faults: 0,
  compilations: 0,
  compileSteps: 0,
  formParts: 0,
};

export function countComputing(what: keyof ComputingCounts, amount = 1): void {
  counts[what] += amount;
}

/** The counts so far. */
export const computingCounts = (): ComputingCounts => ({ ...counts });
