import type { PageImage } from "../../schemas/image.ts";
import type { LabelState, Later } from "../../schemas/label-state.ts";

/** Time after which a switch has normally been ended for its labels. */
const ENDED_WITHIN_MS = 600_000;

/**
 * Whether a switch is over for its labels, even if it has not been ended for them, for example because a process was killed.
 */
export const isLongPast = ({ showAt }: Pick<Later, "showAt">, now: Date): boolean =>
  now.getTime() >= showAt.getTime() + ENDED_WITHIN_MS;

/** Whether a page is known to show a picture. */
export const isShown = ({ shown }: Pick<LabelState, "shown">, { page, image }: PageImage): boolean =>
  shown.some((known) => known.page === page && known.image === image && !known.uncertain);

/** Returns the wanted pages that are not known to be shown or must be sent again, in order. */
export const pagesToSend = (state: Pick<LabelState, "wanted" | "shown" | "refreshing">): PageImage[] =>
  state.wanted.filter((wanted) => state.refreshing?.pages.includes(wanted.page) || !isShown(state, wanted));

/** Returns the first page to send; undefined if there is none. */
export const pageToSend = (state: Pick<LabelState, "wanted" | "shown" | "refreshing">): PageImage | undefined =>
  pagesToSend(state)[0];

/** Returns the pages of a switch that must still be sent for the label to keep; none for a switch whose time is long past. */
export const pagesToKeep = (state: Pick<LabelState, "wanted" | "later">, now: Date): PageImage[] =>
  state.later && isLongPast(state.later, now) ? [] : pagesNotKept(state);

/**
 * Returns the pages of a switch that the label does not keep yet. A picture that it already shows need not be kept, unless the
 * label was sent a different picture to keep for the same page: that picture must not be shown.
 */
export function pagesNotKept({ wanted, later }: Pick<LabelState, "wanted" | "later">): PageImage[] {
  if (later === undefined || later.ended || later.shownAt !== undefined || later.refused !== undefined) return [];
  return later.pages.filter(({ page, image }) => {
    const armed = later.armed.find((one) => one.page === page);
    if (armed !== undefined) return armed.image !== image || armed.kept === undefined;
    return wanted.find((one) => one.page === page)?.image !== image;
  });
}

/** Whether nothing is to be sent: the label shows what it should, and keeps what it should. */
export const isComplete = (state: Pick<LabelState, "wanted" | "shown" | "refreshing" | "later">, now: Date): boolean =>
  pageToSend(state) === undefined && pagesToKeep(state, now).length === 0;

/** The fields of a state in which nothing is to be sent. */
export const nothingToSend = {
  sending: undefined,
  sendDue: undefined,
  givenUp: undefined,
  putOff: undefined,
  woken: undefined,
};

/**
 * Returns a state with new wanted pages, without earlier failures. A page in transmission is still awaited, because its report
 * makes the next page due. There are two exceptions: a label that Shelfwire has given up on, and a page that the label is to
 * keep for a switch.
 */
export function startAnew(state: LabelState, now: Date): LabelState {
  const isAwaited = state.givenUp === undefined && state.sending?.switch === undefined;
  const sending = isAwaited ? state.sending : undefined;
  const anew = { ...state, sending, tries: 0, givenUp: undefined, woken: undefined };
  return sending ? anew : { ...anew, sendDue: isComplete(anew, now) ? undefined : now };
}
