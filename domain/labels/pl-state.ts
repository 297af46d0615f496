import type { PlState } from "../../schemas/label.ts";
import type { LabelState } from "../../schemas/label-state.ts";
import { pageToSend } from "./pages-to-send.ts";

/** The fields that `plStateOf` reads. */
export const plStateFields = ["wanted", "shown", "refreshing", "lastSeen", "checksIn", "fault", "givenUp"] as const;

type Heard = Pick<LabelState, "lastSeen" | "checksIn">;

/** Whether a label has not been heard from for a long time; for a label that does not check in, this means nothing. */
const isSilent = ({ lastSeen }: Heard, now: Date, offlineAfterMs: number): boolean =>
  lastSeen !== undefined && now.getTime() - lastSeen.getTime() > offlineAfterMs;

/** Whether a label that checks in has not been heard from for a long time. */
export const isOffline = (state: Heard, now: Date, offlineAfterMs: number): boolean =>
  state.checksIn === true && isSilent(state, now, offlineAfterMs);

/**
 * Whether it is impossible to know if a label still exists: it has not been heard from for a long time and does not
 * check in.
 */
export const isQuiet = (state: Heard, now: Date, offlineAfterMs: number): boolean =>
  state.checksIn !== true && isSilent(state, now, offlineAfterMs);

/**
 * Returns the label's plState (docs/integrators/labels.md#labels-and-links). `isStale`: its wanted pages have not yet been
 * derived from the current links and items.
 */
export function plStateOf(
  state: Pick<LabelState, (typeof plStateFields)[number]> | undefined,
  isStale: boolean,
  now: Date,
  offlineAfterMs: number,
): PlState {
  if (state === undefined || state.wanted.length === 0) return "NEW";
  if (isOffline(state, now, offlineAfterMs)) return "OFFLINE";
  if (isStale) return "PENDING";
  if (state.fault !== undefined || state.givenUp !== undefined) return "ERROR";
  if (pageToSend(state) !== undefined) return "PENDING";
  return isQuiet(state, now, offlineAfterMs) ? "UNKNOWN" : "OK";
}
