import type { EslImage } from "../../schemas/image.ts";
import { type LabelState, pageToSend } from "../../schemas/label-state.ts";

/**
 * The state of a label that should show these pages. A label has one transmission under way at a time: a newer picture
 * waits for its report. A page that the label already shows is not sent.
 */
export function wantImage(state: LabelState, { pages, fault }: EslImage, now: Date): LabelState {
  const same =
    pages.length === state.wanted.length &&
    pages.every(({ page, image }, index) => state.wanted[index]?.page === page && state.wanted[index]?.image === image);
  if (same && fault?.detail === state.fault) return state;
  const wanted = { ...state, wanted: pages, fault: fault?.detail };
  if (same) return wanted;
  const next = { ...wanted, tries: 0, givenUp: undefined };
  return next.sending ? next : { ...next, sendDue: pageToSend(next) && now };
}
