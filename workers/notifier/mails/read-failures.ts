import type { Db } from "mongodb";
import type { ActivityLog } from "../../../records/activity/activity-log.ts";
import { batchesOf } from "../../../records/mongodb/batches-of.ts";
import { journalCollection } from "../../../records/requests/journal.ts";
import type { ActivityEntry, ActivityRow } from "../../../schemas/activity.ts";
import { activityKey, chunkKey, keysUnder } from "../../../schemas/keys.ts";
import type { NotificationEntry } from "../../../schemas/notification.ts";
import { listOfRequest } from "../../../schemas/price-list.ts";

interface Dependencies {
  db: Db;
  activityLog: Pick<ActivityLog, "readEnds">;
}

/** How far a store's activity log has been read. */
interface Cursor {
  _id: string;
  place: number;
}

/** Number of entries of a store's log that one check reads; the next check continues after them. */
const MAX_ENTRIES = 2_000;
/** Number of requests with failed rows that one check returns; the next check returns further requests. */
const MAX_FAILED = 50;
/** Number of entries that are read to locate a time in the log, whose times are nearly in order. */
const ENTRIES_ABOUT = 50;
/** Number of entries that are read together with their rows. The rows of one entry take up to about 250 KB. */
const ROWS_PER_READ = 20;
const ofOperation = {
  "patch-items": "LIST",
  "undo-list": "LIST",
  "campaign-items": "CAMPAIGN",
  "apply-scheduled": "SCHEDULED",
} as const satisfies Record<string, NotificationEntry["of"]>;
const operations = Object.keys(ofOperation) as (keyof typeof ofOperation)[];
const isFailed = { status: { $in: ["FAILED", "PARTIAL"] }, operation: { $in: operations } } as const;
type Found = Pick<ActivityEntry, "_id" | "place" | "at" | "operation" | "request" | "part" | "parts">;

/**
 * What has failed in a store. `moveOn` must be called once the failures have been collected for everybody; otherwise, they are
 * found again.
 */
export interface Failures {
  failures: NotificationEntry[];
  moveOn(): Promise<void>;
}

/**
 * Finds, in the activity log, the price lists, undos, campaigns and scheduled changes with rows that have failed since the last
 * check.
 */
export function createReadFailures({ db, activityLog }: Dependencies) {
  const cursors = db.collection<Cursor>("notificationcursor");
  const entries = db.collection<ActivityEntry>("activity");

  /**
   * Returns the place after which reading begins: where reading last ended or, if nobody has watched the store before or for a
   * long time, the place at a given time.
   */
  async function beginOf(store: string, cursor: Cursor | null, end: number, since: Date): Promise<number> {
    if (cursor !== null && end - cursor.place <= MAX_ENTRIES) return cursor.place;
    const about = await entries
      .find(
        { _id: keysUnder(`${store}/activity/`), store, moment: { $gte: since.toISOString() } },
        { projection: { place: 1 } },
      )
      .sort({ moment: 1 })
      .limit(ENTRIES_ABOUT)
      .toArray();
    return Math.max(cursor?.place ?? 0, Math.min(end, ...about.map(({ place }) => place - 1)));
  }

  /**
   * Finds the price list of each of these requests. Single changes to items are left out, since they concern only their sender.
   * If the journal no longer has a request, it counts as a price list if it had several parts.
   */
  async function listsOf(store: string, requests: readonly Found[][]): Promise<Map<number, string>> {
    const numbers = requests.flatMap(([first]) =>
      first?.operation === "patch-items" ? [{ request: first.request ?? 0, parts: first.parts ?? 1 }] : [],
    );
    const keys = numbers.map(({ request }) => chunkKey(store, request, 0));
    const chunks = await journalCollection(db)
      .find({ _id: { $in: keys } }, { projection: { number: 1, list: 1 } })
      .toArray();
    const known = new Map(chunks.map(({ number, list }) => [number, list]));
    return new Map(
      numbers.flatMap(({ request, parts }): [number, string][] => {
        const list = known.has(request) ? known.get(request) : parts > 1 ? "" : undefined;
        return list === undefined ? [] : [[request, list || listOfRequest(request)]];
      }),
    );
  }

  /** Counts failed rows by request. */
  async function countRows(store: string, parts: readonly Found[]): Promise<Map<number, number>> {
    const counts = new Map<number, number>();
    if (parts.length === 0) return counts;
    const found = entries.find(
      { _id: { $in: parts.map(({ _id }) => _id) }, store },
      { projection: { request: 1, rows: 1 } },
    );
    for await (const batch of batchesOf(found, ROWS_PER_READ))
      for (const { request = 0, rows } of batch) counts.set(request, (counts.get(request) ?? 0) + failedIn(rows));
    return counts;
  }

  return {
    /** Finds what has failed in a store since the last check, or since a given time if nobody has watched the store before. */
    async find(store: string, storeId: string, since: Date): Promise<Failures> {
      const [cursor, ends] = await Promise.all([cursors.findOne({ _id: store }), activityLog.readEnds([store])]);
      const { place: end = 0, number = 0 } = ends.get(store) ?? {};
      const from = await beginOf(store, cursor, end, since);
      const to = Math.min(end, from + MAX_ENTRIES);
      const found: Found[] = await entries
        .find(
          { _id: { $gt: activityKey(store, from), $lte: activityKey(store, to) }, store, ...isFailed },
          { projection: { place: 1, at: 1, operation: 1, request: 1, part: 1, parts: 1 } },
        )
        .sort({ _id: 1 })
        .toArray();
      const { whole, through } = wholeRequests(found, { from, to, isEnd: to === end, number });
      const lists = await listsOf(store, whole);
      const told = whole.filter(([first]) => first?.operation !== "patch-items" || lists.has(first.request ?? 0));
      const counts = await countRows(store, told.flat());
      return {
        failures: entriesOf(told, lists, counts, storeId),
        async moveOn() {
          if (through !== cursor?.place)
            await cursors.updateOne({ _id: store }, { $set: { place: through } }, { upsert: true });
        },
      };
    },
  };
}
export type ReadFailures = ReturnType<typeof createReadFailures>;

/**
 * Returns the requests that have been logged completely, up to a maximum, and the place in the log up to which nothing remains to
 * be read. A request with parts still missing waits for the next check, so that it is reported only once.
 */
function wholeRequests(
  found: readonly Found[],
  { from, to, isEnd, number }: { from: number; to: number; isEnd: boolean; number: number },
): { whole: Found[][]; through: number } {
  const requests = [...Map.groupBy(found, ({ request = 0 }) => request).values()];
  const isOpen = (parts: readonly Found[]): boolean => {
    const { request = 0, part = 0, parts: count = 1 } = parts.at(-1) ?? {};
    return request > number || (!isEnd && part + 1 < count);
  };
  const last = requests.at(-1);
  const cut = requests.length > MAX_FAILED ? MAX_FAILED : last && isOpen(last) ? requests.length - 1 : undefined;
  const first = cut === undefined ? undefined : requests[cut]?.[0];
  const through = first === undefined ? to : first.place - 1;
  // A request that fills a whole check by itself does not wait forever.
  return through > from || first === undefined || (first.request ?? 0) > number
    ? { whole: requests.slice(0, cut), through }
    : { whole: requests, through: to };
}

/** Returns one entry per request, or per list, with the counts of its requests added up. */
function entriesOf(
  requests: readonly Found[][],
  lists: ReadonlyMap<number, string>,
  counts: ReadonlyMap<number, number>,
  store: string,
): NotificationEntry[] {
  const first = requests.flatMap(([one]) => (one ? [one] : []));
  const groups = Map.groupBy(first, ({ request = 0 }) => lists.get(request) ?? request);
  return [...groups.values()].flatMap((group) => {
    const [one] = group;
    if (one === undefined) return [];
    const { request = 0, operation, at } = one;
    const count = group.reduce((sum, { request: number = 0 }) => sum + (counts.get(number) ?? 0), 0);
    const of = ofOperation[operation as keyof typeof ofOperation];
    return {
      ...{ id: `failed ${store} ${request}`, kind: "FAILED_LIST", store, event: "HAPPENED", of, request },
      at: new Date(at),
      count: Math.max(1, count),
    };
  });
}

const failedIn = (rows: string): number =>
  (JSON.parse(rows) as ActivityRow[]).filter(({ failed }) => failed !== undefined).length;
