import type { Content } from "../../../schemas/glass.ts";
import { isUploaded, type PageImage } from "../../../schemas/image.ts";
import type { LabelState } from "../../../schemas/label-state.ts";

type State = Pick<
  LabelState,
  "shown" | "sent" | "sending" | "refreshing" | "fault" | "givenUp" | "checksIn" | "woken" | "sendDue"
>;

/** The reason for the delay of a transmission that waits for the end of quiet hours. */
export const QUIET_HOURS = "the store has quiet hours";

/**
 * Whether a page may wait until its store's quiet hours end (docs/decisions/transmission/quiet-hours.md). It may if the label is
 * silent, since the page is sent once the label is heard from. It may also wait if only the picture's design differs from the
 * shown picture's: the prices are then the same. A page that somebody requested, or that might correct a price, must not wait.
 */
export function mayWait(state: State, due: PageImage, content: Content | undefined): boolean {
  if (state.refreshing?.pages.includes(due.page)) return false;
  if (state.givenUp !== undefined && state.checksIn) return !isAwake(state);
  const isUncertain = state.sending !== undefined && state.sending.switch === undefined;
  if (isUncertain || state.fault !== undefined || isUploaded(due)) return false;
  const known = state.shown.find(({ page }) => page === due.page);
  if (known === undefined || known.uncertain) return false;
  const before = state.sent.findLast(({ page, image }) => page === due.page && image === known.image);
  return (
    content?.madeFrom !== undefined && before?.fault === undefined && before?.content?.madeFrom === content.madeFrom
  );
}

/** Whether the label's transmission is due because the label was just heard from. */
const isAwake = ({ woken, sendDue }: State): boolean => woken !== undefined && woken.getTime() === sendDue?.getTime();
