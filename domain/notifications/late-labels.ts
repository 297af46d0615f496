import type { StateNow } from "./observe.ts";

const MINUTE_MS = 60_000;

/** Returns the state of a store whose labels have waited for more than this many minutes. Undefined if no label has. */
export function lateLabels(waiting: readonly Date[], store: string, minutes: number, now: Date): StateNow | undefined {
  const late = waiting.filter((since) => now.getTime() - since.getTime() > minutes * MINUTE_MS);
  if (late.length === 0) return undefined;
  const since = new Date(Math.min(...late.map((at) => at.getTime())));
  return { id: `late ${store}`, kind: "LATE_LABELS", store, minutes, count: late.length, since };
}
