import type { EslImage } from "../../schemas/image.ts";
import { type LabelState, pageToSend } from "../../schemas/label-state.ts";

/**
 * A label that shall show these pages. One picture is in the air at a time: a newer one waits
 * for the report on the last, and what the label shows already is not sent.
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
