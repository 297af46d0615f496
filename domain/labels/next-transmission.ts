import { type Content, withoutPrices } from "../../schemas/glass.ts";
import { type HistoryReason, historyNotice, reasonBy, reasonOnly } from "../../schemas/history-notice.ts";
import { isUploaded, type PageImage } from "../../schemas/image.ts";
import { noted } from "../../schemas/label-history.ts";
import type { LabelState, Transmission } from "../../schemas/label-state.ts";
import { mayWait, QUIET_HOURS } from "./care/may-wait.ts";
import { whatChanges } from "./care/what-changes.ts";
import { armedAfter } from "./keep-pictures.ts";
import { isComplete, nothingToSend, pagesToKeep, pagesToSend } from "./pages-to-send.ts";
import { type RetrySettings, waitAfter } from "./retry-waits.ts";

const MAX_SENT = 8;

/** A page to send, to be shown immediately or kept for a switch. */
type DuePage = PageImage & Pick<Transmission, "switch">;

const isSame = (one: DuePage | undefined, other: DuePage): boolean =>
  one?.page === other.page && one.image === other.image && one.switch === other.switch;

/**
 * Starts a label's next transmission: a retry of the current one under its own number, or a new one for the first page that shows
 * the wrong picture. Undefined if nothing is due. The state is stored before anything is sent, so a killed worker's
 * transmission is resent under the same number. During quiet hours, transmissions that may wait become due at the end of the
 * quiet hours.
 */
export function beginSend(
  state: LabelState,
  now: Date,
  settings: RetrySettings,
  quietUntil?: Date,
): { state: LabelState; send?: Transmission } | undefined {
  if (state.sendDue === undefined || state.sendDue > now) return undefined;
  const wrong = wrongPages(state, now);
  if (wrong.length === 0) return { state: { ...state, ...nothingToSend } };
  const due = nextPage(state, quietUntil ? wrong.filter((page) => !waits(state, page)) : wrong);
  if (due === undefined) return { state: { ...state, sendDue: quietUntil, putOff: QUIET_HOURS } };
  const isRetry = isSame(state.sending, due);
  const isSlow = state.givenUp !== undefined;
  if (isRetry && !isSlow && state.tries >= settings.maxTries) {
    const why = reasonBy(historyNotice("NO_REPORT", { tries: settings.maxTries }));
    return { state: giveUpSending(state, why, now, settings) };
  }
  const tries = isSlow ? settings.maxTries : isRetry ? state.tries + 1 : 1;
  const sendDue = new Date(now.getTime() + (isSlow ? settings.slowWaitMs : waitAfter(tries, settings)));
  if (isRetry && state.sending) return { send: state.sending, state: { ...state, tries, sendDue } };
  const cause = state.wantedBy && due.switch === undefined && { cause: state.wantedBy };
  const { content, fault } = sourceOf(state, due);
  const shows = content && contentOn(due, content);
  const send = {
    ...due,
    number: Math.max(state.transmissions + 1, settings.leastNumber(now)),
    ...(shows && { content: shows }),
    changes: whatChanges(state, due, shows),
    nth: (state.care?.refreshes ?? 0) + 1,
    // An uploaded image is shown even if another element could not be drawn.
    ...(fault !== undefined && !isUploaded(due) && { fault }),
    ...cause,
  };
  const begun = {
    ...state,
    ...(state.later && { later: armedAfter(state.later, send) }),
    shown: shownWhile(send, state.shown),
    sending: send,
    sent: [...withoutDrawnBy(state.sent), send].slice(-MAX_SENT),
    transmissions: send.number,
    tries,
    sendDue,
    putOff: undefined,
  };
  const { page, image, number: transmission } = send;
  const entry = { event: "picture", result: "begun", transmission, page: String(page), image, ...cause } as const;
  return { send, state: noted(begun, { at: now.getTime(), ...entry }) };
}

/** Only the last transmissions keep the origin of their pictures (`drawnBy`) for the glass log, so that states stay small. */
const withoutDrawnBy = (sent: readonly Transmission[]): Transmission[] =>
  sent.map((one, index) => {
    if (one.content === undefined || index >= sent.length - 1) return one;
    const items = one.content.items.map(({ design: _, drawnBy: __, ...item }) => item);
    return { ...one, content: { ...one.content, items } };
  });

const contentOn = (page: PageImage, content: Content): Content =>
  isUploaded(page) ? { ...content, items: withoutPrices(content.items) } : content;

/**
 * Returns what a label is known to show while a transmission has no report: a page with a new picture is uncertain. A picture
 * to be kept for a switch changes nothing.
 */
export const shownWhile = (
  sending: DuePage & Pick<Transmission, "number">,
  shown: LabelState["shown"],
): LabelState["shown"] =>
  shown.map((known) => {
    const isOther = sending.switch === undefined && known.page === sending.page && known.image !== sending.image;
    return isOther ? { uncertainSince: new Date(sending.number), ...known, uncertain: true } : known;
  });

/**
 * Postpones a transmission that the label server did not accept for now. The label is not at fault, so the attempt does not
 * count.
 */
export function putOff(state: LabelState, number: number, until: Date, reason?: string): LabelState {
  if (state.sending?.number !== number) return state;
  return { ...state, tries: Math.max(0, state.tries - 1), sendDue: until, putOff: reason };
}

/**
 * Returns the state of a label whose store has changed its quiet hours: if its transmission is waiting for the quiet hours to
 * end, the wait is decided again by the given time.
 */
export const decideWaitBy = (state: LabelState, at: Date): LabelState =>
  state.putOff === QUIET_HOURS && state.sendDue !== undefined && state.sendDue > at ? { ...state, sendDue: at } : state;

/** Ends a transmission that the label server rejected permanently. The next attempt gets a new number. */
export function giveUp(
  state: LabelState,
  number: number,
  why: HistoryReason,
  now: Date,
  settings: Pick<RetrySettings, "slowWaitMs">,
): LabelState {
  const { sending, later } = state;
  if (sending?.number !== number) return state;
  // The label shows what it should, and does not take part in the switch.
  if (sending.switch !== undefined)
    return endSending({ ...state, later: later && { ...later, refused: why.reason } }, now);
  return { ...giveUpSending(state, why, now, settings), sending: undefined };
}

function endSending(state: LabelState, now: Date): LabelState {
  const ended = { ...state, sending: undefined, tries: 0 };
  return isComplete(ended, now) ? { ...ended, ...nothingToSend } : { ...ended, sendDue: now };
}

/**
 * Returns the state of a label in ERROR: from now on, pictures are sent to it rarely, and whenever it reports something. A
 * transmission without a report stays: the label server may still hold it. The rare retries use its number, so that a label
 * that returns receives it once.
 */
function giveUpSending(
  state: LabelState,
  why: HistoryReason,
  now: Date,
  { slowWaitMs }: Pick<RetrySettings, "slowWaitMs">,
): LabelState {
  const slow = { ...state, givenUp: why.reason, sendDue: new Date(now.getTime() + slowWaitMs) };
  // Rare attempts that fail for the same reason are not recorded again, since a history is short.
  if (state.givenUp === why.reason) return slow;
  const transmission = state.sending && { transmission: state.sending.number };
  return noted(slow, { at: now.getTime(), event: "picture", result: "given up", ...transmission, ...reasonOnly(why) });
}

/** Returns the pages to send: first pages to show, then pages to keep. */
function wrongPages(state: LabelState, now: Date): DuePage[] {
  const kept = pagesToKeep(state, now).map(
    (page): DuePage => ({ ...page, ...(state.later && { switch: state.later.switch }) }),
  );
  return [...pagesToSend(state), ...kept];
}

/** Returns what a page was drawn from: its items' current state, or their state at the switch. */
const sourceOf = (state: LabelState, due: DuePage): Pick<LabelState, "content" | "fault"> =>
  (due.switch === undefined ? state : state.later) ?? {};

/** Whether a page waits for the end of quiet hours. A page that a label keeps for later disturbs nobody. */
const waits = (state: LabelState, due: DuePage): boolean =>
  due.switch === undefined && mayWait(state, due, state.content && contentOn(due, state.content));

/**
 * Returns the page to send: the page under way or, after a failure, the next wrong page in turn, so that a rejected page does
 * not block the others.
 */
function nextPage(state: LabelState, wrong: readonly DuePage[]): DuePage | undefined {
  if (state.givenUp === undefined) return wrong[0];
  const last = state.sending ?? state.sent.at(-1);
  const inTheAir = wrong.find((due) => due.page === state.sending?.page && due.switch === state.sending.switch);
  return inTheAir ?? wrong.find(({ page }) => page > (last?.page ?? -1)) ?? wrong[0];
}
