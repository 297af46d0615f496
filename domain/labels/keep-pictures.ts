import type { PageImage } from "../../schemas/image.ts";
import type { LabelReport } from "../../schemas/label-report.ts";
import type { LabelState, Later, Transmission } from "../../schemas/label-state.ts";
import type { Readiness } from "../../schemas/switch.ts";
import { QUIET_HOURS } from "./care/may-wait.ts";
import { isComplete, nothingToSend, pagesToKeep, pagesToSend } from "./pages-to-send.ts";

/** What a label is to keep for a switch, as it was drawn. */
export type KeepOrder = Pick<Later, "switch" | "showAt" | "basis" | "pages" | "content" | "fault">;

/** The time from a switch until its labels have reported; a label that has not by then is sent its picture. */
const REPORT_WITHIN_MS = 15_000;
/** The change of a switch may be applied so much earlier by this server's clock than by the label server's. */
const EARLY_MS = 2_000;
/** After it showed a picture of a switch, a label waits for the change that it shows, and no longer. */
const CHANGE_WITHIN_MS = 300_000;

/** Whether a label takes part in a switch that is not over, other than this one: then it must wait. */
export const isBusy = ({ later }: Pick<LabelState, "later">, switchId: string): boolean =>
  later !== undefined && later.switch !== switchId && !later.ended && later.shownAt === undefined;

/**
 * The state of a label that should keep these pictures. What was sent to be kept for the same switch is replaced: the label
 * server drops it once it receives a newer picture of the page, so it is never shown.
 */
export function keepPictures(state: LabelState, order: KeepOrder, now: Date): LabelState {
  const same = state.later?.switch === order.switch ? state.later : undefined;
  if (isBusy(state, order.switch) || same?.ended || same?.shownAt || same?.basis === order.basis) return state;
  const next = { ...state, later: { ...order, armed: same?.armed ?? [] } };
  const { sending } = state;
  const isStale = ({ page, image }: PageImage) => !order.pages.some((one) => one.page === page && one.image === image);
  // A stale picture that is on its way is not awaited: its label may get it in the last second.
  if (sending?.switch === order.switch && isStale(sending))
    return { ...next, sending: undefined, tries: 0, sendDue: now };
  const isIdle = state.sendDue === undefined || state.putOff === QUIET_HOURS;
  return isIdle && pagesToKeep(next).length > 0 ? { ...next, sendDue: now } : next;
}

/** The state of a label whose switch is over or called off: nothing more is sent for it. */
export function endSwitch(state: LabelState, switchId: string, now: Date): LabelState {
  const { later, sending } = state;
  if (later?.switch !== switchId || later.ended) return state;
  const readiness = readinessOf(state);
  const ended = { ...state, later: readiness && { ...later, armed: [], ended: readiness } };
  if (sending !== undefined && sending.switch === undefined) return ended;
  const idle = { ...ended, sending: undefined, tries: 0 };
  return isComplete(idle) ? { ...idle, ...nothingToSend } : { ...idle, sendDue: now };
}

/** What is sent to be kept after a transmission began: of its page nothing but that, if it is to be kept. */
export function armedAfter(
  later: Later | undefined,
  { page, image, number, ...sent }: Transmission,
): Later | undefined {
  if (later === undefined) return undefined;
  const others = later.armed.filter((one) => one.page !== page);
  return { ...later, armed: sent.switch === later.switch ? [...others, { page, image, number }] : others };
}

/** A label keeps the picture of a transmission. A report on one that was replaced meanwhile changes nothing else. */
export function noteKept(state: LabelState, { transmission }: LabelReport, now: Date): LabelState {
  const { later, sending } = state;
  const armed = later?.armed.map((one) => (one.number === transmission ? { ...one, kept: true as const } : one));
  const kept = { ...state, ...(later && armed && { later: { ...later, armed } }) };
  if (sending?.number !== transmission) return kept;
  const next = { ...kept, sending: undefined, tries: 0, givenUp: undefined, woken: undefined };
  return isComplete(next) ? { ...next, ...nothingToSend } : { ...next, sendDue: now };
}

/** What a label keeps for its switch after it has shown this transmission at this time. */
export function laterAfter(later: Later | undefined, landed: Transmission, shownAt: Date): Later | undefined {
  if (later === undefined || landed.switch !== later.switch) return later;
  const armed = later.armed.filter(({ page, number }) => page !== landed.page || number > landed.number);
  return { ...later, armed, ...(armed.length === 0 && { shownAt }) };
}

/** When a label is sent a page that differs from the picture of the switch that it has just shown. */
export const dueAfterShown = (landed: Transmission, now: Date): Date =>
  landed.switch === undefined ? now : new Date(now.getTime() + CHANGE_WITHIN_MS);

/**
 * Until when a label need not be sent its wanted pages: it keeps the same pictures, and its switch is due about now.
 * Undefined if it must be sent them.
 */
export function awaitsSwitch(state: LabelState, now: Date): Date | undefined {
  const { later } = state;
  if (later === undefined || later.ended || later.armed.length === 0) return undefined;
  if (now.getTime() < later.showAt.getTime() - EARLY_MS) return undefined;
  const until = new Date(later.showAt.getTime() + REPORT_WITHIN_MS);
  const isKept = pagesToSend(state).every(({ page, image }) =>
    later.armed.some((one) => one.page === page && one.image === image && one.kept),
  );
  return isKept && until > now ? until : undefined;
}

/** How far a label is with its switch; undefined if it shows nothing else then. */
export function readinessOf(state: Pick<LabelState, "wanted" | "later" | "sending" | "tries">): Readiness | undefined {
  const { later, sending } = state;
  if (later === undefined) return undefined;
  if (later.shownAt !== undefined) return "SHOWN";
  if (later.ended !== undefined) return later.ended;
  if (later.refused !== undefined) return "WAITING";
  if (pagesToKeep(state).length === 0) return later.armed.length > 0 ? "READY" : undefined;
  return sending?.switch === later.switch && state.tries > 0 ? "ASLEEP" : "WAITING";
}

/** Whether the label server may still have a picture for the switch that is out of date: its label must not switch. */
export const holdsStale = ({ later }: Pick<LabelState, "later">): boolean =>
  later?.armed.some((armed) => later.pages.some(({ page, image }) => page === armed.page && image !== armed.image)) ??
  false;
