import { noted } from "../../schemas/history.ts";
import { type LabelState, startAnew } from "../../schemas/label-state.ts";

/**
 * The state of a label every page of which is to be sent again, although it shows it already; it clears `givenUp` and
 * the tries. Idempotent: a request whose stamp is not larger than the last one changes nothing.
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
