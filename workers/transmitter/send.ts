import { noted } from "../../schemas/history.ts";
import { type LabelState, pageToSend, type Transmission } from "../../schemas/label-state.ts";

/** How a transmission is repeated, in milliseconds. */
export interface RetrySettings {
  /** First wait for a report; it doubles with every try. */
  firstWaitMs: number;
  lastWaitMs: number;
  /** After so many tries without a report the label is given up, until its next picture. */
  mostTries: number;
}

const KEPT_TRANSMISSIONS = 8;

/**
 * A label whose next transmission begins now: a retry of the present one under its own number, or a new one
 * for the first page that is wrong. Gives undefined where nothing is due. The intent is stored
 * before anything is sent, so that a worker that is killed repeats it under the same number.
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
  if (tries > settings.mostTries) {
    return { state: withoutHope(state, `no report after ${settings.mostTries} tries`, now) };
  }
  const sendDue = new Date(now.getTime() + waitAfter(tries, settings));
  if (isRetry && state.sending) return { send: state.sending, state: { ...state, tries, sendDue } };
  const send = { ...due, number: state.transmissions + 1 };
  const begun = {
    ...state,
    sending: send,
    sent: [...state.sent, send].slice(-KEPT_TRANSMISSIONS),
    transmissions: send.number,
    tries,
    sendDue,
  };
  const { page, image, number: transmission } = send;
  const entry = { event: "picture", result: "begun", transmission, page: String(page), image } as const;
  return { send, state: noted(begun, { at: now.getTime(), ...entry }) };
}

/** A label whose transmission the label server did not take now: not the label's fault, so no try is counted. */
export function putOff(state: LabelState, number: number, until: Date): LabelState {
  if (state.sending?.number !== number) return state;
  return { ...state, tries: Math.max(0, state.tries - 1), sendDue: until };
}

/** A label whose transmission the label server refused for good. */
export function giveUp(state: LabelState, number: number, reason: string, now: Date): LabelState {
  return state.sending?.number === number ? withoutHope(state, reason, now) : state;
}

function withoutHope(state: LabelState, reason: string, now: Date): LabelState {
  const given = { ...state, sending: undefined, sendDue: undefined, givenUp: reason };
  const transmission = state.sending && { transmission: state.sending.number };
  return noted(given, { at: now.getTime(), event: "picture", result: "given up", ...transmission, reason });
}

const waitAfter = (tries: number, { firstWaitMs, lastWaitMs }: RetrySettings): number =>
  Math.min(firstWaitMs * 2 ** (tries - 1), lastWaitMs);
