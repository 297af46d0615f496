import { awaitsSwitch, shownSince } from "../../domain/labels/keep-pictures.ts";
import { shownWhile } from "../../domain/labels/next-transmission.ts";
import { pageToSend, startAnew } from "../../domain/labels/pages-to-send.ts";
import { contentOf } from "../../schemas/glass.ts";
import { areSamePages, type EslImage, type PageImage } from "../../schemas/image.ts";
import type { LabelState } from "../../schemas/label-state.ts";
import type { Stored } from "../../schemas/record.ts";

/**
 * Like `wantImage`, but also stores the picture's rev. A newer rev is stored even if nothing else changes: the compare-and-set
 * of a slower handler that has read an older rev then fails, so no handler has to read the rev again.
 */
export function takeImage(state: LabelState, image: Stored<EslImage>, now: Date, heldUntil?: Date): LabelState {
  const wanted = wantImage(state, image, now, heldUntil);
  return wanted.imageRev === image.rev ? wanted : { ...wanted, imageRev: image.rev };
}

/**
 * Returns the state of a label that should show these pages. A label has one transmission under way at a time: a newer picture
 * waits for the report. A page that the label is known to show is not sent. `heldUntil`: the earliest time at which a new
 * picture may be sent.
 */
export function wantImage(
  state: LabelState,
  { pages, shows, fault, cause }: EslImage & Pick<Stored<EslImage>, "cause">,
  now: Date,
  heldUntil: Date = now,
): LabelState {
  const same = areSamePages(pages, state.wanted);
  // A page that is not shown must always have a due time: an audit finds and repairs a state without one.
  const isScheduled = state.sendDue !== undefined || pageToSend(state) === undefined;
  if (same && isScheduled && fault?.detail === state.fault) return state;
  const { sending } = state;
  const shown = same ? state.shown : shownUnder(pages, state, now);
  const wanted = {
    ...state,
    wanted: pages,
    content: contentOf(shows),
    fault: fault?.detail,
    // Needed because processes of earlier releases start transmissions without setting `shown`.
    shown: sending ? shownWhile(sending, shown) : shown,
  };
  if (!same) return startAnew({ ...wanted, wantedBy: cause }, awaitsSwitch(wanted, now) ?? heldUntil);
  return isScheduled ? wanted : { ...wanted, sendDue: now };
}

/**
 * Returns what a label is known to show once these pages are wanted. A page that changes may show the picture that it kept for a
 * switch. For any other page, the change may still be on its way.
 */
function shownUnder(pages: readonly PageImage[], state: LabelState, now: Date): LabelState["shown"] {
  const since = shownSince(state, now);
  const isUnchanged = ({ page, image }: PageImage) =>
    state.wanted.some((one) => one.page === page && one.image === image);
  return state.shown.map((known, index) => {
    const wanted = pages.find(({ page }) => page === known.page);
    return wanted === undefined || isUnchanged(wanted) ? known : (since[index] ?? known);
  });
}
