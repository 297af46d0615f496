import type { VoltageSample } from "../../schemas/care.ts";
import { noted } from "../../schemas/label-history.ts";
import type { LabelReport, ReceivedReport } from "../../schemas/label-report.ts";
import type { LabelState, Transmission } from "../../schemas/label-state.ts";
import type { LabelType } from "../../schemas/label-type.ts";
import { countRefresh } from "./care/count-refresh.ts";
import { isFullRefresh } from "./care/full-refresh.ts";
import { noteVoltage } from "./care/note-voltage.ts";
import { dueAfterShown, laterAfter, noteKept } from "./keep-pictures.ts";
import { noteSignals } from "./note-signals.ts";
import { isComplete, nothingToSend, pageToSend } from "./pages-to-send.ts";
import { waitAfterFailure } from "./retry-waits.ts";
import { shownAfter } from "./shown-after.ts";
import { believeShows } from "./what-it-shows.ts";

type CareOfType = Pick<LabelType, "fullRefreshAfter">;
type Refreshing = NonNullable<LabelState["refreshing"]>;

const MAX_TRANSCEIVERS = 8;
/** Minimum interval between transmissions that are triggered by the reports of a label that accepts no picture. */
const WAKE_INTERVAL_MS = 3_600_000;

/** Returns the label's state after a report. Reports may arrive late, out of order and twice. `type` is the label's type. */
export function applyReport(state: LabelState, report: ReceivedReport, now: Date, type: CareOfType = {}): LabelState {
  const at = new Date(report.at);
  const seen = noteSignals(noteContact(state, report, at), report);
  if (report.kind === "failed") return fail(seen, report, now);
  const next = takeReport(seen, report, now, type);
  const isNews = state.lastSeen === undefined || at > state.lastSeen;
  return isNews ? wake(next, now) : next;
}

function takeReport(state: LabelState, report: ReceivedReport, now: Date, type: CareOfType): LabelState {
  if (report.kind === "acknowledged") return acknowledge(state, report, now, type);
  if (report.kind !== "kept") return believeShows(state, report, now);
  return noteKept(noted(state, { ...entryOf(report, new Date(report.at)), result: "kept" }), report, now);
}

/**
 * Handles a report that shows that a label in ERROR is alive: the picture is sent immediately under a new number, since the
 * previous transmissions did not arrive.
 */
function wake(state: LabelState, now: Date): LabelState {
  const { givenUp, woken } = state;
  if (givenUp === undefined || isComplete(state, now)) return state;
  if (woken !== undefined && now.getTime() - woken.getTime() < WAKE_INTERVAL_MS) return state;
  return { ...state, sending: undefined, woken: now, sendDue: now };
}

/** Records that the label was reached, which every report shows, and the state of the battery, if the report contains it. */
function noteContact(state: LabelState, report: LabelReport, at: Date): LabelState {
  const { kind, transceiver, hardwareRevision, battery, batteryMillivolts } = report;
  const isNewest = state.lastSeen === undefined || at >= state.lastSeen;
  const seen = {
    ...state,
    lastSeen: isNewest ? at : state.lastSeen,
    ...(kind === "check-in" && { checksIn: true as const }),
    ...(isNewest && hardwareRevision && { hardwareRevision }),
    ...(isNewest && transceiver && { transceivers: newestFirst(state.transceivers, transceiver) }),
  };
  const measured = isNewest && batteryMillivolts !== undefined ? noteVoltage(seen, sampleOf(report, at)) : seen;
  return isNewest && battery ? noteBattery(measured, battery, at) : measured;
}

const sampleOf = (report: LabelReport, at: Date): VoltageSample => ({
  at: at.getTime(),
  millivolts: report.batteryMillivolts ?? 0,
  ...(report.sensors?.temperature !== undefined && { temperature: report.sensors.temperature }),
});

function noteBattery(state: LabelState, battery: "OK" | "LOW", at: Date): LabelState {
  const confirmed = { ...state, battery, batteryStateLastConfirmed: at };
  if (battery === state.battery) return confirmed;
  const isNewBattery = battery === "OK" && state.battery === "LOW";
  const changed = {
    ...confirmed,
    ...(isNewBattery && state.care && { care: { ...state.care, replaceSince: undefined } }),
    batteryStateChanged: at,
    lowBatteryDate: battery === "LOW" ? at : undefined,
    ...(battery === "LOW" && { batteryStateFirstEnteredLow: state.batteryStateFirstEnteredLow ?? at }),
  };
  return noted(changed, { at: at.getTime(), event: "battery", result: battery });
}

/**
 * Records that the label shows the picture of a transmission, which may be superseded and have arrived late. For each page, the
 * latest delivery by the label server's clock counts. If that is not the wanted picture, the wanted picture is sent next.
 */
function acknowledge(before: LabelState, report: ReceivedReport, now: Date, type: CareOfType): LabelState {
  const { transmission, at, receivedAt } = report;
  const landed = before.sent.find(({ number }) => number === transmission);
  const deliveredAt = new Date(at);
  if (landed === undefined) return forgetShown(before, report, now);
  const state = countRefresh(before, landed, deliveredAt, isFullRefresh(landed.nth, type));
  const previous = state.shown.find(({ page }) => page === landed.page);
  const present = shownAfter(previous, landed, deliveredAt, state);
  const isLatest = present.deliveredAt === deliveredAt;
  const others = state.shown.filter(({ page }) => page !== landed.page);
  const isFinished = state.sending === undefined || state.sending.number === transmission;
  // If a report is applied again, for example because a process was killed, its entry is already in the history, but the history
  // is not read here.
  const isRepeated =
    previous?.image === landed.image &&
    previous.deliveredAt.getTime() === deliveredAt.getTime() &&
    landed.number <= previous.through;
  const isChange = previous?.image !== landed.image || (previous.uncertain === true && !isRepeated);
  const next = {
    ...(isRepeated ? state : noted(state, { ...entryOf(report, deliveredAt), result: "acknowledged" })),
    ...(state.refreshing && { refreshing: stillRefreshing(state.refreshing, landed) }),
    shown: [...others, isLatest && receivedAt ? { ...present, receivedAt } : present].sort((a, b) => a.page - b.page),
    lastUpdate: later(state.lastUpdate, deliveredAt),
    lastOkUpdate: later(state.lastOkUpdate, deliveredAt),
    ...(isLatest && isChange && { lastDisplayUpdate: deliveredAt }),
    ...(isFinished && { sending: undefined, tries: 0 }),
    ...(state.later && { later: laterAfter(state.later, landed, deliveredAt) }),
  };
  if (!isFinished) return next;
  if (isComplete(next, now)) return { ...next, ...nothingToSend };
  const sendDue = pageToSend(next) ? dueAfterShown(state, landed, now) : now;
  // Only the arrival of a transmission under way shows that the label can be reached again.
  const isOnTheWay = state.sending !== undefined || next.givenUp === undefined;
  return isOnTheWay ? { ...next, givenUp: undefined, woken: undefined, sendDue } : next;
}

/**
 * Handles a report of a transmission that the state does not contain: it is no longer stored, or was lost in a restore of
 * MongoDB. If it arrived after everything that is known about its page, the page's content is unknown, so the wanted picture is
 * sent again. The transmission is due immediately by this server's clock: the label server's clock may be ahead, which would
 * delay the picture.
 */
function forgetShown(state: LabelState, { page, at, transmission = 0 }: LabelReport, now: Date): LabelState {
  const deliveredAt = new Date(at);
  // A transmission with a larger number than the latest one started after it, whatever the label server's clock says.
  const isOutdated = (known: LabelState["shown"][number]) =>
    known.page === page &&
    (known.deliveredAt < deliveredAt || transmission > Math.max(known.through, state.transmissions));
  if (!state.shown.some(isOutdated)) return state;
  const next = { ...state, shown: state.shown.filter((known) => !isOutdated(known)) };
  return next.sendDue === undefined && pageToSend(next) ? { ...next, sendDue: now } : next;
}

/** Returns the pages that a refresh is still waiting for. A transmission that started before the refresh does not count. */
function stillRefreshing(refreshing: Refreshing, { page, number }: Transmission): Refreshing | undefined {
  if (number <= refreshing.after) return refreshing;
  const pages = refreshing.pages.filter((waiting) => waiting !== page);
  return pages.length > 0 ? { ...refreshing, pages } : undefined;
}

/**
 * Handles a failed transmission: it is retried under its own number at growing intervals, and rarely once the label is in
 * ERROR.
 */
function fail(state: LabelState, report: LabelReport, now: Date): LabelState {
  const { transmission, at, reason, barcode } = report;
  const failed = {
    ...noted(state, { ...entryOf(report, new Date(at)), result: "failed", ...(reason && { reason }) }),
    lastUpdate: later(state.lastUpdate, new Date(at)),
  };
  if (state.sending?.number !== transmission || state.givenUp !== undefined) return failed;
  const wait = waitAfterFailure(state.tries, `${barcode} ${transmission} ${state.tries}`);
  return { ...failed, sendDue: new Date(now.getTime() + wait) };
}

const entryOf = ({ transmission, transceiver }: LabelReport, at: Date) => ({
  at: at.getTime(),
  event: "picture" as const,
  ...(transmission !== undefined && { transmission }),
  ...(transceiver && { transceiver }),
});

const later = (first: Date | undefined, second: Date): Date => (first !== undefined && first > second ? first : second);

const newestFirst = (transceivers: readonly string[], latest: string): string[] =>
  [latest, ...transceivers.filter((transceiver) => transceiver !== latest)].slice(0, MAX_TRANSCEIVERS);
