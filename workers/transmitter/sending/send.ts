import { mayWait } from "../../../domain/labels/care/may-wait.ts";
import { whatChanges } from "../../../domain/labels/care/what-changes.ts";
import { type Content, withoutPrices } from "../../../schemas/glass.ts";
import { noted } from "../../../schemas/history.ts";
import { type HistoryReason, historyNotice, reasonBy, reasonOnly } from "../../../schemas/history-notice.ts";
import { isUploaded, type PageImage } from "../../../schemas/image.ts";
import { type LabelState, nothingToSend, pagesToSend, type Transmission } from "../../../schemas/label-state.ts";
import { type RetrySettings, waitAfter } from "./retry.ts";

const MAX_SENT = 8;

/**
 * Begins a label's next transmission: a retry of the current one under its own number, or a new one for the first page
 * that shows the wrong picture. Undefined if nothing is due. The state is stored before anything is sent, so a killed
 * worker's transmission is repeated under the same number. In quiet hours what may wait is due at their end.
 */
export function beginSend(
  state: LabelState,
  now: Date,
  settings: RetrySettings,
  quietUntil?: Date,
): { state: LabelState; send?: Transmission } | undefined {
  if (state.sendDue === undefined || state.sendDue > now) return undefined;
  const due = nextPage(state);
  if (due === undefined) return { state: { ...state, ...nothingToSend } };
  const content = state.content && contentOn(due, state.content);
  if (quietUntil && mayWait(state, due, content))
    return { state: { ...state, sendDue: quietUntil, putOff: "the store has quiet hours" } };
  const isRetry = state.sending?.page === due.page && state.sending.image === due.image;
  const isSlow = state.givenUp !== undefined;
  if (isRetry && !isSlow && state.tries >= settings.maxTries) {
    const why = reasonBy(historyNotice("NO_REPORT", { tries: settings.maxTries }));
    return { state: giveUpSending(state, why, now, settings) };
  }
  const tries = isSlow ? settings.maxTries : isRetry ? state.tries + 1 : 1;
  const sendDue = new Date(now.getTime() + (isSlow ? settings.slowWaitMs : waitAfter(tries, settings)));
  if (isRetry && state.sending) return { send: state.sending, state: { ...state, tries, sendDue } };
  const cause = state.wantedBy && { cause: state.wantedBy };
  const send = {
    ...due,
    number: Math.max(state.transmissions + 1, settings.leastNumber(now)),
    ...(content && { content }),
    changes: whatChanges(state, due, content),
    nth: (state.care?.refreshes ?? 0) + 1,
    // An uploaded image is shown even if another element could not be drawn.
    ...(state.fault !== undefined && !isUploaded(due) && { fault: state.fault }),
    ...cause,
  };
  const begun = {
    ...state,
    shown: shownWhile(send, state.shown),
    sending: send,
    sent: [...state.sent, send].slice(-MAX_SENT),
    transmissions: send.number,
    tries,
    sendDue,
    putOff: undefined,
  };
  const { page, image, number: transmission } = send;
  const entry = { event: "picture", result: "begun", transmission, page: String(page), image, ...cause } as const;
  return { send, state: noted(begun, { at: now.getTime(), ...entry }) };
}

const contentOn = (page: PageImage, content: Content): Content =>
  isUploaded(page) ? { ...content, items: withoutPrices(content.items) } : content;

/** What a label shows while a transmission has no report: with another picture its page is uncertain. */
export const shownWhile = ({ page, image }: PageImage, shown: LabelState["shown"]): LabelState["shown"] =>
  shown.map((known) => (known.page === page && known.image !== image ? { ...known, uncertain: true } : known));

/**
 * Delays the retry of a transmission that the label server did not take now. The label is not at fault, so the attempt
 * does not count.
 */
export function putOff(state: LabelState, number: number, until: Date, reason?: string): LabelState {
  if (state.sending?.number !== number) return state;
  return { ...state, tries: Math.max(0, state.tries - 1), sendDue: until, putOff: reason };
}

/** Ends a transmission that the label server refused permanently. The next attempt has its own number. */
export function giveUp(
  state: LabelState,
  number: number,
  why: HistoryReason,
  now: Date,
  settings: Pick<RetrySettings, "slowWaitMs">,
): LabelState {
  if (state.sending?.number !== number) return state;
  return { ...giveUpSending(state, why, now, settings), sending: undefined };
}

/**
 * The state of a label in ERROR, which is sent to rarely from now on, and at its next sign of life. A transmission
 * without a report stays: the label server may still hold it, and its rare retries have its number, so that a label
 * that comes back receives it once.
 */
function giveUpSending(
  state: LabelState,
  why: HistoryReason,
  now: Date,
  { slowWaitMs }: Pick<RetrySettings, "slowWaitMs">,
): LabelState {
  const slow = { ...state, givenUp: why.reason, sendDue: new Date(now.getTime() + slowWaitMs) };
  // Rare attempts that fail for the same reason are not recorded again: a history is short.
  if (state.givenUp === why.reason) return slow;
  const transmission = state.sending && { transmission: state.sending.number };
  return noted(slow, { at: now.getTime(), event: "picture", result: "given up", ...transmission, ...reasonOnly(why) });
}

/**
 * The page to send: the one under way, or after a failure the next wrong one in turn, so that a refused page
 * does not keep the others off the label.
 */
function nextPage(state: LabelState): PageImage | undefined {
  const wrong = pagesToSend(state);
  if (state.givenUp === undefined) return wrong[0];
  const last = state.sending ?? state.sent.at(-1);
  const inTheAir = wrong.find(({ page }) => page === state.sending?.page);
  return inTheAir ?? wrong.find(({ page }) => page > (last?.page ?? -1)) ?? wrong[0];
}
