import pLimit from "p-limit";
import { HISTORY_ENTRIES, type HistoryAnswer } from "../../../schemas/label-history.ts";
import type { Observed } from "./observe.ts";
import type { Clock } from "./send-at-times.ts";
import type { LoadStore } from "./set-up.ts";

type Event = Pick<HistoryAnswer, "time" | "event" | "result" | "requestId">;

/** A label whose picture should change because of an accepted call. */
export interface Landing {
  observed: Observed;
  label: number;
  /**
   * Milliseconds from the planned time until the label acknowledged the picture of the change or of a later change. Undefined
   * if it has not acknowledged one, "forgotten" if its history no longer reaches back that far, and "unread" if it could not
   * be read.
   */
  ms?: number | "forgotten" | "unread" | undefined;
}

const READS_AT_ONCE = 8;
const POLL_INTERVAL_MS = 2_000;

/**
 * Returns the time, in milliseconds since 1970, at which a label acknowledged the first picture that shows a request or a later
 * request of its store. `history` has the newest event first. A full history that begins after the request was answered may
 * lack that event.
 */
export function landedAt(
  history: readonly Event[],
  { requestId, answeredAt }: { requestId: number; answeredAt: number },
): number | "forgotten" | undefined {
  const oldest = history.at(-1);
  if (history.length >= HISTORY_ENTRIES && oldest && Date.parse(oldest.time) > answeredAt) return "forgotten";
  const landed = history.findLast(
    (one) => one.event === "picture" && one.result === "acknowledged" && (one.requestId ?? 0) >= requestId,
  );
  return landed && Date.parse(landed.time);
}

/**
 * Reads from the histories of the changed labels when they acknowledged their pictures. It begins after the last call and makes
 * one read per label, so it puts no load on the installation during the measurement. Labels still without their picture are read
 * again until `until`.
 */
export async function readGlass(
  observed: readonly Observed[],
  { stores, clock, until }: { stores: readonly LoadStore[]; clock: Clock; until: number },
): Promise<Landing[]> {
  const landings = observed
    .filter(({ requestId, call }) => requestId !== undefined && call.kind !== "flash")
    .flatMap((one) => one.call.labels.map((label): Landing => ({ observed: one, label })));
  const limit = pLimit(READS_AT_ONCE);
  for (;;) {
    const open = landings.filter(isOpen);
    const byLabel = Map.groupBy(open, ({ observed: { call }, label }) => `${call.store} ${label}`);
    await Promise.all([...byLabel.values()].map((group) => limit(() => readLabel(group, stores))));
    if (!landings.some(isOpen) || clock.now() > until) return landings;
    await clock.wait(POLL_INTERVAL_MS);
  }
}

const isOpen = ({ ms }: Landing): boolean => ms === undefined || ms === "unread";

/** Sets the times of one label's landings. */
async function readLabel(group: readonly Landing[], stores: readonly LoadStore[]): Promise<void> {
  const [first] = group;
  const store = stores[first?.observed.call.store ?? -1];
  if (first === undefined || store === undefined) return;
  const path = `${store.base}/labels/${store.barcodes[first.label]}/history?serializeDatesToIso8601=true`;
  const { status, body } = await store.caller.send("GET", path);
  for (const landing of group) {
    const { requestId = 0, plannedAt, answeredMs } = landing.observed;
    const landed =
      status === 200 ? landedAt(body as Event[], { requestId, answeredAt: plannedAt + answeredMs }) : "unread";
    landing.ms = typeof landed === "number" ? landed - plannedAt : landed;
  }
}
