import { noted } from "../../schemas/history.ts";
import type { LabelReport } from "../../schemas/label-server.ts";
import { type LabelState, pageToSend, type Transmission } from "../../schemas/label-state.ts";

type Refreshing = NonNullable<LabelState["refreshing"]>;

const TRANSCEIVERS_KEPT = 8;
const FIRST_RETRY_MS = 2_000;
const LAST_RETRY_MS = 300_000;

/** A label as a report leaves it. Reports may come late and twice. */
export function applyReport(state: LabelState, report: LabelReport, now: Date): LabelState {
  const heard = hear(state, report, new Date(report.at));
  if (report.kind === "acknowledged") return acknowledge(heard, report, now);
  return report.kind === "failed" ? fail(heard, report, now) : heard;
}

/** Every report says that the label was there, and maybe how its battery is. */
function hear(state: LabelState, { transceiver, hardwareRevision, battery }: LabelReport, at: Date): LabelState {
  const isNews = state.lastSeen === undefined || at >= state.lastSeen;
  const heard = {
    ...state,
    lastSeen: isNews ? at : state.lastSeen,
    ...(isNews && hardwareRevision && { hardwareRevision }),
    ...(isNews && transceiver && { transceivers: newestFirst(state.transceivers, transceiver) }),
  };
  return isNews && battery ? hearBattery(heard, battery, at) : heard;
}

function hearBattery(state: LabelState, battery: "OK" | "LOW", at: Date): LabelState {
  const confirmed = { ...state, battery, batteryStateLastConfirmed: at };
  if (battery === state.battery) return confirmed;
  const changed = {
    ...confirmed,
    batteryStateChanged: at,
    lowBatteryDate: battery === "LOW" ? at : undefined,
    ...(battery === "LOW" && { batteryStateFirstEnteredLow: state.batteryStateFirstEnteredLow ?? at }),
  };
  return noted(changed, { at: at.getTime(), event: "battery", result: battery });
}

/**
 * The label shows a picture: whichever it was, also one that was superseded and landed late. By the
 * label server's time the latest delivery of a page counts; where it is not the wanted one, that is sent next.
 */
function acknowledge(state: LabelState, report: LabelReport, now: Date): LabelState {
  const { transmission, at } = report;
  const landed = state.sent.find(({ number }) => number === transmission);
  if (landed === undefined) return state;
  const deliveredAt = new Date(at);
  const before = state.shown.find(({ page }) => page === landed.page);
  // What was sent after that delivery was known has landed after it, whatever the label server's clock says.
  const isLatest =
    before === undefined || landed.number > before.through || deliveredAt.getTime() >= before.deliveredAt.getTime();
  const present = { page: landed.page, image: landed.image, deliveredAt, through: state.transmissions };
  const others = state.shown.filter(({ page }) => page !== landed.page);
  const isOver = state.sending === undefined || state.sending.number === transmission;
  const next = {
    ...noted(state, { ...entryOf(report, deliveredAt), result: "acknowledged" }),
    ...(state.refreshing && { refreshing: stillRefreshing(state.refreshing, landed) }),
    shown: isLatest ? [...others, present].sort((a, b) => a.page - b.page) : state.shown,
    lastUpdate: later(state.lastUpdate, deliveredAt),
    lastOkUpdate: later(state.lastOkUpdate, deliveredAt),
    ...(isLatest && before?.image !== landed.image && { lastDisplayUpdate: deliveredAt }),
    ...(isOver && { sending: undefined, tries: 0 }),
  };
  if (!isOver) return next;
  if (pageToSend(next) === undefined) return { ...next, sendDue: undefined, givenUp: undefined };
  return { ...next, sendDue: next.givenUp === undefined ? now : undefined };
}

/** What is left of a refresh once a transmission has landed: one that was begun before it does not count. */
function stillRefreshing(refreshing: Refreshing, { page, number }: Transmission): Refreshing | undefined {
  if (number <= refreshing.after) return refreshing;
  const pages = refreshing.pages.filter((one) => one !== page);
  return pages.length > 0 ? { ...refreshing, pages } : undefined;
}

/** A transmission failed: it is repeated under its own number, with growing waits. */
function fail(state: LabelState, report: LabelReport, now: Date): LabelState {
  const { transmission, at, reason } = report;
  const failed = {
    ...noted(state, { ...entryOf(report, new Date(at)), result: "failed", ...(reason && { reason }) }),
    lastUpdate: later(state.lastUpdate, new Date(at)),
  };
  if (state.sending?.number !== transmission) return failed;
  const wait = Math.min(FIRST_RETRY_MS * 2 ** (state.tries - 1), LAST_RETRY_MS);
  return { ...failed, sendDue: new Date(now.getTime() + wait) };
}

const entryOf = ({ transmission, transceiver }: LabelReport, at: Date) => ({
  at: at.getTime(),
  event: "picture" as const,
  ...(transmission !== undefined && { transmission }),
  ...(transceiver && { transceiver }),
});

const later = (one: Date | undefined, other: Date): Date => (one !== undefined && one > other ? one : other);

const newestFirst = (transceivers: readonly string[], latest: string): string[] =>
  [latest, ...transceivers.filter((one) => one !== latest)].slice(0, TRANSCEIVERS_KEPT);
