import type { Content } from "../../../schemas/glass.ts";
import { isUploaded, type PageImage } from "../../../schemas/image.ts";
import type { LabelState } from "../../../schemas/label-state.ts";

type State = Pick<
  LabelState,
  "shown" | "sent" | "sending" | "refreshing" | "fault" | "givenUp" | "checksIn" | "woken" | "sendDue"
>;

/** Why a transmission is late that waits for the end of quiet hours. */
export const QUIET_HOURS = "the store has quiet hours";

/**
 * Whether a page may wait until the quiet hours of its store end (docs/decisions/transmission/quiet-hours.md): a label that is not heard
 * is sent to when it is, and a picture that differs from the shown one by its design alone shows the same prices. Whatever
 * somebody asked for, and whatever might correct a price, may not.
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

/** Its transmission is due because it was just heard. */
const isAwake = ({ woken, sendDue }: State): boolean => woken !== undefined && woken.getTime() === sendDue?.getTime();
