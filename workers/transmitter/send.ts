import { noted } from "../../schemas/history.ts";
import { type LabelState, pageToSend, type Transmission } from "../../schemas/label-state.ts";

/** When a transmission is retried, in milliseconds. */
export interface RetrySettings {
  /** Wait for a report after the first attempt; it doubles with every attempt. */
  firstWaitMs: number;
  lastWaitMs: number;
  /** After this many attempts without a report nothing more is sent to the label until its picture changes. */
  maxTries: number;
}

const MAX_SENT = 8;

/**
 * Begins a label's next transmission: a retry of the present one under its own number, or a new one for the first page
 * that shows the wrong picture. Undefined where nothing is due.
 * The state is stored before anything is sent, so a killed worker's transmission is repeated under the same number.
 */
export function beginSend(
  state: LabelState,
  now: Date,
  settings: RetrySettings,
): { state: LabelState; send?: Transmission } | undefined {
  if (state.sendDue === undefined || state.sendDue > now) return undefined;
  const due = pageToSend(state);
  if (due === undefined) return { state: { ...state, sending: undefined, sendDue: undefined } };
  const isRetry = state.sending?.page === due.page && state.sending.image === due.image;
  const tries = isRetry ? state.tries + 1 : 1;
  if (tries > settings.maxTries) {
    return { state: giveUpSending(state, `no report after ${settings.maxTries} tries`, now) };
  }
  const sendDue = new Date(now.getTime() + waitAfter(tries, settings));
  if (isRetry && state.sending) return { send: state.sending, state: { ...state, tries, sendDue } };
  const send = { ...due, number: state.transmissions + 1 };
  const begun = {
    ...state,
    sending: send,
    sent: [...state.sent, send].slice(-MAX_SENT),
    transmissions: send.number,
    tries,
    sendDue,
  };
  const { page, image, number: transmission } = send;
  const entry = { event: "picture", result: "begun", transmission, page: String(page), image } as const;
  return { send, state: noted(begun, { at: now.getTime(), ...entry }) };
}

/**
 * Delays the retry of a transmission that the label server did not take now. The label is not at fault, so the attempt
 * does not count.
 */
export function putOff(state: LabelState, number: number, until: Date): LabelState {
  if (state.sending?.number !== number) return state;
  return { ...state, tries: Math.max(0, state.tries - 1), sendDue: until };
}

/** Ends a transmission that the label server refused for good. */
export function giveUp(state: LabelState, number: number, reason: string, now: Date): LabelState {
  return state.sending?.number === number ? giveUpSending(state, reason, now) : state;
}

function giveUpSending(state: LabelState, reason: string, now: Date): LabelState {
  const ended = { ...state, sending: undefined, sendDue: undefined, givenUp: reason };
  const transmission = state.sending && { transmission: state.sending.number };
  return noted(ended, { at: now.getTime(), event: "picture", result: "given up", ...transmission, reason });
}

const waitAfter = (tries: number, { firstWaitMs, lastWaitMs }: RetrySettings): number =>
  Math.min(firstWaitMs * 2 ** (tries - 1), lastWaitMs);
