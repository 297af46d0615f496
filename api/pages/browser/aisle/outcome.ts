import type { Outcome } from "./outbox.ts";

const reasons: Record<number, string> = { 400: "notLabel", 403: "right", 404: "unknownProduct" };

/** Returns what a response means for the change that was sent: it is done, permanently rejected, or must be sent again. */
export function outcomeOf(status: number | undefined, problem: string | undefined): Outcome {
  if (status === undefined || status >= 500 || status === 408 || status === 429) return { is: "again" };
  if (status === 401) return { is: "again", isLoggedOut: true };
  if (problem === "idempotency-key-in-use") return { is: "again" };
  if (status < 300) return { is: "done" };
  return { is: "failed", reason: reasons[status] ?? "other" };
}

/** The message about flashing a product's labels: how many flash, and how many do not. */
export function toldFlash(results: readonly (string | undefined)[]): { key: string; count: number }[] {
  const others = results.filter((result) => result === "UNSUPPORTED" || result === "UNREACHABLE").length;
  const flashing = results.length - others;
  if (flashing === 0) return [{ key: results.length === 0 ? "none" : "cannot", count: others }];
  const told = [
    { key: "flashing", count: flashing },
    { key: "others", count: others },
  ];
  return told.filter(({ count }) => count > 0);
}
