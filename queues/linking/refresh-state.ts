import { noted } from "../../schemas/history.ts";
import { type LabelState, pageToSend } from "../../schemas/label-state.ts";

/**
 * A label every page of which shall be sent again, although it shows it already; that it was given up is forgotten. The
 * stamp is the request's: one that comes again, or after a later one, asks for nothing new.
 */
export function refreshState(state: LabelState, stamp: number, now: Date): LabelState {
  if (stamp <= (state.refreshed ?? -1)) return state;
  const pages = state.wanted.map(({ page }) => page);
  const asked = noted(
    {
      ...state,
      refreshed: stamp,
      refreshing: pages.length > 0 ? { pages, after: state.transmissions } : undefined,
      givenUp: undefined,
      tries: 0,
    },
    { at: now.getTime(), event: "refresh", result: "asked" },
  );
  // What is in the air is waited for, as ever: its report makes the next page due.
  return asked.sending ? asked : { ...asked, sendDue: pageToSend(asked) && now };
}
