import type { PageImage } from "../../schemas/image.ts";
import type { LabelReport } from "../../schemas/label-report.ts";
import type { LabelState, Later, Transmission } from "../../schemas/label-state.ts";
import type { Readiness } from "../../schemas/switch.ts";
import { QUIET_HOURS } from "./care/may-wait.ts";
import { isComplete, isLongPast, nothingToSend, pagesNotKept, pagesToKeep, pagesToSend } from "./pages-to-send.ts";

/** The drawn pictures that a label must keep for a switch. */
export type KeepOrder = Pick<Later, "switch" | "showAt" | "basis" | "pages" | "content" | "fault">;

/** Labels must report within this time after a switch; the picture is then sent to those that have not. */
const REPORT_WITHIN_MS = 15_000;
/** Tolerance for differing clocks: from this long before a switch, pictures that a label already keeps need not be sent. */
const EARLY_MS = 2_000;
/** Maximum time for which a label that has shown a switch's picture waits for the change that the picture shows. */
const CHANGE_WITHIN_MS = 300_000;

/**
 * Whether a label takes part in a different switch that is not over. If so, this switch must wait. A switch whose time is long
 * past is over even if a killed process has not ended it for the label.
 */
export const isBusy = ({ later }: Pick<LabelState, "later">, switchId: string, now: Date): boolean =>
  later !== undefined &&
  later.switch !== switchId &&
  !later.ended &&
  later.shownAt === undefined &&
  !isLongPast(later, now);

/**
 * Returns the state of a label that should keep these pictures. Pictures that were sent earlier for the same switch are
 * replaced: the label server drops them once it receives a newer picture of the page, so they are never shown.
 */
export function keepPictures(state: LabelState, order: KeepOrder, now: Date): LabelState {
  const same = state.later?.switch === order.switch ? state.later : undefined;
  if (isBusy(state, order.switch, now) || same?.ended || same?.shownAt || same?.basis === order.basis) return state;
  const { sending } = state;
  // A former switch that was not ended for the label may have shown its pictures.
  const shown = same ? state.shown : shownSince(state, now);
  const next = { ...state, shown, later: { ...order, armed: same?.armed ?? [] } };
  const isStale = ({ page, image }: PageImage) => !order.pages.some((one) => one.page === page && one.image === image);
  // Does not wait for a stale picture that is on its way: the label may receive it at the last second.
  if (sending?.switch === order.switch && isStale(sending))
    return { ...next, sending: undefined, tries: 0, sendDue: now };
  const isIdle = state.sendDue === undefined || state.putOff === QUIET_HOURS;
  const isWaiting = pagesToKeep(next, now).length > 0 || pagesToSend(next).length > pagesToSend(state).length;
  return isIdle && isWaiting ? { ...next, sendDue: now } : next;
}

/**
 * Returns what a label is known to show, given that the time of its switch may have come. From that time on, a page may show,
 * without a report, a different picture that was sent to be kept. The page is uncertain even if the switch was never ordered,
 * since the state does not say whether it was. This costs at most one transmission.
 */
export function shownSince({ later, shown, sent }: LabelState, now: Date): LabelState["shown"] {
  if (later === undefined || later.ended || now < later.showAt) return shown;
  return shown.map((known) => {
    const armed = later.armed.find(({ page }) => page === known.page);
    // Until the label has confirmed the last picture, it may still keep an earlier picture for the same switch.
    const isEarlier = ({ page, number, switch: id }: Transmission) =>
      page === known.page && id === later.switch && number > (known.number ?? 0);
    const perhapsKept = armed ? [armed, ...(armed.kept ? [] : sent.filter(isEarlier))] : [];
    if (perhapsKept.every(({ image }) => image === known.image)) return known;
    return { uncertainSince: later.showAt, ...known, uncertain: true };
  });
}

/**
 * Returns the state of a label whose switch is over or called off: nothing more is sent for the switch. A page is sent again if
 * it may show a picture of the switch although another picture is wanted.
 */
export function endSwitch(state: LabelState, switchId: string, now: Date): LabelState {
  const { later, sending } = state;
  if (later?.switch !== switchId || later.ended) return state;
  const readiness = readinessOf(state);
  const shown = shownSince(state, now);
  const ended = { ...state, shown, later: readiness && { ...later, armed: [], ended: readiness } };
  if (sending !== undefined && sending.switch === undefined) return ended;
  const idle = { ...ended, sending: undefined, tries: 0 };
  if (!isComplete({ ...idle, shown: state.shown }, now)) return { ...idle, sendDue: now };
  const done = { ...idle, ...nothingToSend };
  // A switch that is called off at its time ends before its changes and its labels' reports have arrived.
  return isComplete(done, now) ? done : { ...done, sendDue: latest(now, reportedBy(later)) };
}

/** The time by which the labels of a switch must have reported. */
const reportedBy = ({ showAt }: Later): Date => new Date(showAt.getTime() + REPORT_WITHIN_MS);

const latest = (one: Date, other: Date): Date => (one > other ? one : other);

/**
 * Returns the pictures that have been sent to be kept, once a transmission has started. For the transmission's page, this is
 * only the transmission's picture, and only if it is to be kept.
 */
export function armedAfter(
  later: Later | undefined,
  { page, image, number, ...sent }: Transmission,
): Later | undefined {
  if (later === undefined) return undefined;
  const others = later.armed.filter((one) => one.page !== page);
  return { ...later, armed: sent.switch === later.switch ? [...others, { page, image, number }] : others };
}

/**
 * Records that a label keeps the picture of a transmission. If the picture has since been replaced, the report changes nothing
 * else.
 */
export function noteKept(state: LabelState, { transmission }: LabelReport, now: Date): LabelState {
  const { later, sending } = state;
  const armed = later?.armed.map((one) => (one.number === transmission ? { ...one, kept: true as const } : one));
  const kept = { ...state, ...(later && armed && { later: { ...later, armed } }) };
  if (sending?.number !== transmission) return kept;
  const next = { ...kept, sending: undefined, tries: 0, givenUp: undefined, woken: undefined };
  return isComplete(next, now) ? { ...next, ...nothingToSend } : { ...next, sendDue: now };
}

/** Returns what a label keeps for its switch after it has shown this transmission at this time. */
export function laterAfter(later: Later | undefined, landed: Transmission, shownAt: Date): Later | undefined {
  if (later === undefined || landed.switch !== later.switch) return later;
  const armed = later.armed.filter(({ page, number }) => page !== landed.page || number > landed.number);
  return { ...later, armed, ...(armed.length === 0 && { shownAt }) };
}

/**
 * Returns when to send a page that differs from the picture that the label has just shown. After a switch's picture, the label
 * waits for the change, unless the switch has ended. A page that was due earlier stays due then: a late or repeated report does
 * not postpone it.
 */
export function dueAfterShown({ later, sending, sendDue }: LabelState, landed: Transmission, now: Date): Date {
  const isAwaited = landed.switch !== undefined && landed.switch === later?.switch && !later.ended;
  const due = isAwaited ? new Date(now.getTime() + CHANGE_WITHIN_MS) : now;
  return sending === undefined && sendDue !== undefined && sendDue < due ? sendDue : due;
}

/**
 * Returns the time until which a label need not be sent its wanted pages, because it keeps the same pictures and its switch is
 * due about now; undefined if the pages must be sent.
 */
export function awaitsSwitch(state: LabelState, now: Date): Date | undefined {
  const { later } = state;
  if (later === undefined || later.ended || later.armed.length === 0) return undefined;
  if (now.getTime() < later.showAt.getTime() - EARLY_MS) return undefined;
  const until = reportedBy(later);
  const isKept = pagesToSend(state).every(({ page, image }) =>
    later.armed.some((one) => one.page === page && one.image === image && one.kept),
  );
  return isKept && until > now ? until : undefined;
}

/** Returns how far a label has progressed with its switch; undefined if the switch changes nothing on it. */
export function readinessOf(state: Pick<LabelState, "wanted" | "later" | "sending" | "tries">): Readiness | undefined {
  const { later, sending } = state;
  if (later === undefined) return undefined;
  if (later.shownAt !== undefined) return "SHOWN";
  if (later.ended !== undefined) return later.ended;
  if (later.refused !== undefined) return "WAITING";
  if (pagesNotKept(state).length === 0) return later.armed.length > 0 ? "READY" : undefined;
  return sending?.switch === later.switch && state.tries > 0 ? "ASLEEP" : "WAITING";
}

/** Whether the label server may still have an outdated picture for the switch: if so, the label must not switch. */
export const holdsStale = ({ later }: Pick<LabelState, "later">): boolean =>
  later?.armed.some((armed) => later.pages.some(({ page, image }) => page === armed.page && image !== armed.image)) ??
  false;
