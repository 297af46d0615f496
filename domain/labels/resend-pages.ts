import { CLOCKS_APART_MS } from "../../schemas/clocks.ts";
import { noted } from "../../schemas/label-history.ts";
import type { LabelState } from "../../schemas/label-state.ts";
import { startAnew } from "./pages-to-send.ts";

/**
 * Returns the state of a label after MongoDB was restored to an earlier point in time. The label may show anything, so every
 * page is sent again at `due`, each in a new transmission. Stored transmissions are dropped: a label server may have delivered
 * them long ago, and would acknowledge a repetition without sending it. Numbers continue above every number that a process
 * whose clock is ahead could have used after the backup.
 */
export function resendAll(state: LabelState, due: Date): LabelState {
  const pages = state.wanted.map(({ page }) => page);
  const transmissions = Math.max(state.transmissions, due.getTime() + CLOCKS_APART_MS);
  return startAnew(
    {
      ...state,
      transmissions,
      sending: undefined,
      sent: [],
      later: undefined,
      refreshing: pages.length > 0 ? { pages, after: transmissions } : undefined,
    },
    due,
  );
}

/**
 * Returns the state of a label whose pages must all be sent again although it already shows them. Clears `givenUp` and `tries`.
 * Idempotent: a request whose stamp is not larger than the last one changes nothing.
 */
export function refreshState(state: LabelState, stamp: number, now: Date): LabelState {
  if (stamp <= (state.refreshed ?? -1)) return state;
  const pages = state.wanted.map(({ page }) => page);
  const asked = noted(
    {
      ...state,
      refreshed: stamp,
      refreshing: pages.length > 0 ? { pages, after: state.transmissions } : undefined,
    },
    { at: now.getTime(), event: "refresh", result: "asked" },
  );
  return startAnew(asked, now);
}
