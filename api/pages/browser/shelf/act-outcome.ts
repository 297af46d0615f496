/** The outcome of an action on a label. */
export const outcomes = ["done", "later", "unreachable", "unsupported", "refused"] as const;
export type ActOutcome = (typeof outcomes)[number];

/**
 * Returns the outcome of a call: `result` is from its response, if it contains one. If the response only acknowledges an
 * action, a silent label receives the action once it is heard from again.
 */
export function outcomeOf(isTaken: boolean, result: string | undefined, isHeard: boolean): ActOutcome {
  if (!isTaken) return "refused";
  if (result === "UNREACHABLE") return "unreachable";
  if (result === "UNSUPPORTED") return "unsupported";
  return isHeard ? "done" : "later";
}

/** Returns the labels for which an action was not done, including those that it had not reached when it was stopped. */
export const notDone = (barcodes: readonly string[], found: ReadonlyMap<string, ActOutcome>): string[] =>
  barcodes.filter((barcode) => found.get(barcode) !== "done");

/** Returns the messages about an action on several labels: the number of each outcome, and that of `done` even if it is 0. */
export const toldOutcomes = (found: readonly ActOutcome[], isStopped: boolean): { key: string; count: number }[] =>
  outcomes
    .map((outcome) => ({ outcome, count: found.filter((one) => one === outcome).length }))
    .filter(({ outcome, count }) => outcome === "done" || count > 0)
    .map(({ outcome, count }) => ({
      key: outcome === "done" && isStopped ? "shelf.stopped" : `shelf.${outcome}`,
      count,
    }));
