import type { Collection, Db } from "mongodb";
import { type ChainEnd, chained } from "../../domain/activity/chain.ts";
import type { ActivityContent, ActivityEntry } from "../../schemas/activity.ts";
import { activityEndKey, activityKey, keysUnder } from "../../schemas/keys.ts";
import { batchesOf } from "../mongodb/batches-of.ts";
import { deleteInBatches } from "../mongodb/delete-in-batches.ts";
import { duplicateKeysOf, isDuplicateKey } from "../mongodb/duplicate-keys.ts";
import type { Among } from "../owners.ts";

/** How far an owner's log extends. */
export interface ActivityEnd extends ChainEnd {
  /** The store or tenant. */
  owner: string;
  /** All requests up to this number have been logged, as have `parts` parts of the next request. */
  number: number;
  parts: number;
  /** The last entry that expired. */
  expired?: ChainEnd;
}

/** Which entries to read: those of a tenant including all its stores, or those of a single owner. */
export interface ActivityFilter {
  owner: { tenant: string } | { store: string };
  person?: string | undefined;
  item?: string | undefined;
  label?: string | undefined;
  /** ISO 8601 in UTC; `from` is included, `to` is not. */
  from?: string | undefined;
  to?: string | undefined;
  /** The moment of an entry: only entries before it are read. */
  before?: string | undefined;
}

/** The activity log: who changed what. Entries are appended to their owner's chain, never change, and expire. */
export interface ActivityLog {
  /** The ends of these owners' logs; a log without entries ends at 0. */
  readEnds(owners: readonly string[]): Promise<Map<string, ActivityEnd>>;
  /** The ends of all logs among these keys. */
  scanEnds(among: Among): AsyncIterable<ActivityEnd[]>;
  /** The entries after a log's end: a process appended them, but was killed before it moved the end. */
  readAhead(end: ActivityEnd): Promise<ActivityEntry[]>;
  /**
   * Appends entries after an end and returns the appended entries. If some are missing, another process is appending to the same
   * log.
   */
  append(end: ActivityEnd, contents: readonly ActivityContent[]): Promise<ActivityEntry[]>;
  /** Stores a log's end unless a later one is already stored. */
  moveEnd(end: ActivityEnd): Promise<void>;
  /** Finds entries, newest first, in batches. */
  find(filter: ActivityFilter, limit: number): AsyncGenerator<ActivityEntry[]>;
  /** All entries of an owner, in chain order, in batches. */
  scan(owner: string): AsyncGenerator<ActivityEntry[]>;
  /** Deletes a log's oldest entries, those dated before `before`; returns their number. */
  forget(end: ActivityEnd, before: Date, goOn: () => Promise<boolean>): Promise<number>;
}

type StoredEnd = Omit<ActivityEnd, "owner"> & { _id: string };

/** Number of entries per batch; an entry can be about 250 KB. */
const ENTRIES_PER_BATCH = 20;
const ENDS_PER_BATCH = 1_000;

export function openActivityLog(db: Db): ActivityLog {
  const entries: Collection<ActivityEntry> = db.collection("activity");
  const ends: Collection<StoredEnd> = db.collection("activityend");

  /** Returns the last expired entry at the beginning of a log. */
  async function lastExpired({ owner, expired }: ActivityEnd, before: Date): Promise<ChainEnd | undefined> {
    let last: ChainEnd | undefined;
    const cursor = entries
      .find(
        {
          _id: { $gt: activityKey(owner, expired?.place ?? 0), $lt: keysUnder(`${owner}/activity/`).$lt },
          store: owner,
        },
        { projection: { place: 1, hash: 1, at: 1 } },
      )
      .sort({ _id: 1 });
    for await (const batch of batchesOf(cursor, ENDS_PER_BATCH))
      for (const { place, hash, at } of batch) {
        if (at >= before.toISOString()) return last;
        last = { place, hash };
      }
    return last;
  }

  return {
    async readEnds(owners) {
      const found = await ends.find({ _id: { $in: owners.map(activityEndKey) } }).toArray();
      const known = new Map(found.map((end) => [ownerOfEnd(end), endOf(end)]));
      return new Map(
        owners.map((owner) => [owner, known.get(owner) ?? { owner, place: 0, hash: "", number: 0, parts: 0 }]),
      );
    },

    async *scanEnds(among) {
      for await (const batch of batchesOf(ends.find({ _id: { ...among } }).sort({ _id: 1 }), ENDS_PER_BATCH))
        yield batch.map(endOf);
    },

    readAhead: ({ owner, place }) =>
      entries
        .find({ _id: { $gt: activityKey(owner, place), $lt: keysUnder(`${owner}/activity/`).$lt }, store: owner })
        .sort({ _id: 1 })
        .toArray(),

    async append(end, contents) {
      const added = chained(end.owner, end, contents);
      if (added.length === 0) return added;
      try {
        // Entries are inserted in order, so that the chain has no gap, even if this process is killed.
        await entries.insertMany(added, { ordered: true });
        return added;
      } catch (error) {
        const [refused] = duplicateKeysOf(error) ?? [];
        if (refused === undefined) throw error;
        return added.slice(0, refused.index);
      }
    },

    async moveEnd({ owner, expired: _, ...end }) {
      const isBehind = {
        $or: [{ place: { $lt: end.place } }, { number: { $lt: end.number } }, { parts: { $lt: end.parts } }],
      };
      try {
        await ends.updateOne(
          { _id: activityEndKey(owner), place: { $lte: end.place }, ...isBehind },
          { $set: end },
          { upsert: true },
        );
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    },

    find(filter, limit) {
      return batchesOf(entries.find(queryOf(filter)).sort({ moment: -1 }).limit(limit), ENTRIES_PER_BATCH);
    },

    scan(owner) {
      const ofOwner = { _id: keysUnder(`${owner}/activity/`), store: owner };
      return batchesOf(entries.find(ofOwner).sort({ _id: 1 }), ENTRIES_PER_BATCH);
    },

    async forget(end, before, goOn) {
      const { owner } = end;
      const expired = (await lastExpired(end, before)) ?? end.expired;
      if (expired === undefined) return 0;
      // Stored before the deletion, so that the chain begins after the deleted entries even if this process is killed.
      await ends.updateOne({ _id: activityEndKey(owner) }, { $set: { expired } });
      const old = { _id: { $gte: `${owner}/activity/`, $lte: activityKey(owner, expired.place) }, store: owner };
      return deleteInBatches(entries, old, { sort: { _id: 1 }, goOn });
    },
  };
}

const ownerOfEnd = ({ _id }: StoredEnd): string => _id.slice(0, -activityEndKey("").length);
const endOf = ({ _id, ...end }: StoredEnd): ActivityEnd => ({ owner: ownerOfEnd({ _id, ...end }), ...end });

function queryOf({ owner, person, item, label, from, to, before }: ActivityFilter) {
  const until = [to, before].filter((moment) => moment !== undefined).toSorted()[0];
  const moment = { ...(from !== undefined && { $gte: from }), ...(until !== undefined && { $lt: until }) };
  const own =
    "store" in owner
      ? { _id: keysUnder(`${owner.store}/activity/`), store: owner.store }
      : { _id: keysUnder(`${owner.tenant}/`), tenant: owner.tenant };
  return {
    ...own,
    ...(person !== undefined && { "actor.id": person }),
    ...(item !== undefined && { items: item }),
    ...(label !== undefined && { labels: label }),
    ...(Object.keys(moment).length > 0 && { moment }),
  };
}
