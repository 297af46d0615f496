import type { PlState } from "../../schemas/label.ts";
import type { LabelState } from "../../schemas/label-state.ts";
import { isOffline, isQuiet } from "./offline.ts";
import { pageToSend } from "./pages-to-send.ts";

/** The fields that `plStateOf` reads. */
export const plStateFields = ["wanted", "shown", "refreshing", "lastSeen", "checksIn", "fault", "givenUp"] as const;

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
