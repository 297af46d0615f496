import type { Db } from "mongodb";
import type { ActivityLog } from "../../../records/activity/activity-log.ts";
import { journalCollection } from "../../../records/requests/journal.ts";
import type { ActivityEntry, ActivityRow } from "../../../schemas/activity.ts";
import { activityKey, chunkKey } from "../../../schemas/keys.ts";
import type { NotificationEntry } from "../../../schemas/notification.ts";

interface Dependencies {
  db: Db;
  activityLog: Pick<ActivityLog, "readEnds">;
}

/** How far the activity log of a store was read. */
interface Cursor {
  _id: string;
  place: number;
}

/** Entries of a store's log that are read in one pass. */
const MAX_ENTRIES = 2_000;
const MAX_FAILED = 50;
const ofOperation = {
  "patch-items": "LIST",
  "undo-list": "LIST",
  "campaign-items": "CAMPAIGN",
  "apply-scheduled": "SCHEDULED",
} as const satisfies Record<string, NotificationEntry["of"]>;
const operations = Object.keys(ofOperation) as (keyof typeof ofOperation)[];
type Found = Pick<ActivityEntry, "at" | "operation" | "request" | "rows">;

/** Finds the price lists and campaigns whose rows have failed since the last look, by what the activity log entered. */
export function createReadFailures({ db, activityLog }: Dependencies) {
  const cursors = db.collection<Cursor>("notificationcursor");
  const entries = db.collection<ActivityEntry>("activity");

  /** Of these requests, those that belong to a price list. Single changes of items are the business of who sent them. */
  async function listsAmong(store: string, found: readonly Found[]): Promise<Set<number>> {
    const keys = found.flatMap(({ operation, request }) =>
      operation === "patch-items" && request !== undefined ? [chunkKey(store, request, 0)] : [],
    );
    const chunks = await journalCollection(db)
      .find({ _id: { $in: keys } }, { projection: { number: 1, list: 1 } })
      .toArray();
    return new Set(chunks.flatMap(({ number, list }) => (list === undefined ? [] : [number])));
  }

  return {
    /**
     * What has failed in a store, by its key; `moveOn` is to be called once it was collected: it would be found again otherwise. A store
     * that nobody has watched before begins with what comes.
     */
    async find(store: string, storeId: string): Promise<{ failures: NotificationEntry[]; moveOn(): Promise<void> }> {
      const [cursor, ends] = await Promise.all([cursors.findOne({ _id: store }), activityLog.readEnds([store])]);
      const end = ends.get(store)?.place ?? 0;
      const from = Math.max(cursor?.place ?? end, end - MAX_ENTRIES);
      const moveOn = async () => {
        if (end !== cursor?.place) await cursors.updateOne({ _id: store }, { $set: { place: end } }, { upsert: true });
      };
      if (from >= end) return { failures: [], moveOn };
      const found: Found[] = await entries
        .find(
          {
            _id: { $gt: activityKey(store, from), $lte: activityKey(store, end) },
            store,
            status: { $in: ["FAILED", "PARTIAL"] },
            operation: { $in: operations },
          },
          { projection: { at: 1, operation: 1, request: 1, rows: 1 } },
        )
        .sort({ _id: 1 })
        .limit(MAX_FAILED)
        .toArray();
      const lists = await listsAmong(store, found);
      const listed = found.filter(({ operation, request = 0 }) => operation !== "patch-items" || lists.has(request));
      return { failures: entriesOf(listed, storeId), moveOn };
    },
  };
}
export type ReadFailures = ReturnType<typeof createReadFailures>;

/** One entry for each request, whose parts are added up. */
function entriesOf(found: readonly Found[], store: string): NotificationEntry[] {
  return [...Map.groupBy(found, ({ request = 0 }) => request)].map(([request, parts]) => {
    const [first] = parts as [Found, ...Found[]];
    const count = parts.reduce((sum, { rows }) => sum + failedIn(rows), 0);
    const of = ofOperation[first.operation as keyof typeof ofOperation];
    return {
      ...{ id: `failed ${store} ${request}`, kind: "FAILED_LIST", store, event: "HAPPENED", of, request },
      at: new Date(first.at),
      count: Math.max(1, count),
    };
  });
}

const failedIn = (rows: string): number =>
  (JSON.parse(rows) as ActivityRow[]).filter(({ failed }) => failed !== undefined).length;
