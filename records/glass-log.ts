import type { Db } from "mongodb";
import type { GlassEntry } from "../schemas/glass.ts";
import { keysUnder } from "../schemas/keys.ts";
import { batchesOf } from "./mongodb/batches-of.ts";
import { deleteInBatches } from "./mongodb/delete-in-batches.ts";
import { duplicateKeysOf } from "./mongodb/duplicate-keys.ts";
import { findAtOnce } from "./mongodb/find-at-once.ts";
import { type Among, nextOwner } from "./owners.ts";

/** The pictures that labels showed, by label and time. Entries are added and never changed, and expire. */
export interface GlassLog {
  /** Idempotent: an existing entry is unchanged. */
  add(entries: readonly GlassEntry[]): Promise<void>;
  /** Reads what these label pages showed at a given time: each page's last entry up to then; no entry if that is unknown. */
  readAt(pages: readonly { label: string; page: number }[], at: Date): Promise<GlassEntry[]>;
  /** Reads at most `count` entries of each page up to a time, and at most `count` later ones, in chronological order. */
  readAround(pages: readonly { label: string; page: number }[], at: Date, count: number): Promise<GlassEntry[]>;
  /** Reads, in batches, how many milliseconds each picture delivered in a store since then took to reach the glass. */
  scanTimes(store: string, since: Date): AsyncIterable<Pick<GlassEntry, "at" | "tookMs">[]>;
  /** Deletes the entries among these ids that are older than `before`, as long as `goOn` allows it; returns their number. */
  forget(before: Date, among: Among, goOn?: () => Promise<boolean>): Promise<number>;
}

type StoredEntry = GlassEntry & { _id: string };

const TIMES_PER_BATCH = 5_000;

export function openGlassLog(db: Db): GlassLog {
  const entries = db.collection<StoredEntry>("glass");

  /** Reads each page's last entries up to a time, newest first. */
  async function readBefore(pages: readonly { label: string; page: number }[], at: Date, limit: number) {
    const found = pages.map(({ label, page }) => {
      const filter = { _id: { $gte: prefixOf(label, page), $lt: firstAfter(label, page, at) } };
      return findAtOnce<StoredEntry>(db, entries.collectionName, { filter, sort: { _id: -1 }, limit });
    });
    return (await Promise.all(found)).flat().map(withoutId);
  }

  return {
    async add(added) {
      if (added.length === 0) return;
      const documents = added.map((entry) => ({ _id: idOf(entry), ...entry }));
      await entries.insertMany(documents, { ordered: false }).catch((error: unknown) => {
        if (duplicateKeysOf(error) === undefined) throw error;
      });
    },

    readAt: (pages, at) => readBefore(pages, at, 1),

    async readAround(pages, at, count) {
      const later = pages.map(({ label, page }) => {
        const filter = { _id: { $gte: firstAfter(label, page, at), $lt: `${prefixOf(label, page)}~` } };
        return findAtOnce<StoredEntry>(db, entries.collectionName, { filter, sort: { _id: 1 }, limit: count });
      });
      const [before, after] = await Promise.all([readBefore(pages, at, count), Promise.all(later)]);
      return [...before, ...after.flat().map(withoutId)].sort((one, other) => one.at.getTime() - other.at.getTime());
    },

    async *scanTimes(store, since) {
      const ofStore = { _id: keysUnder(`${store}/`), store, at: { $gte: since } };
      const cursor = entries.find(ofStore, { projection: { _id: 0, at: 1, tookMs: 1 } });
      yield* batchesOf(cursor, TIMES_PER_BATCH);
    },

    async forget(before, among, goOn = async () => true) {
      const at = { $lt: before };
      let forgotten = 0;
      for (let last = ""; ; ) {
        const store = await nextOwner(entries, { owner: "store", field: "at", asked: at, among }, last);
        if (store === undefined) return forgotten;
        const expired = { _id: keysUnder(`${store}/`), store, at };
        forgotten += await deleteInBatches(entries, expired, { sort: { at: 1 }, goOn });
        if (!(await goOn())) return forgotten;
        last = store;
      }
    },
  };
}

/** A label page's keys are in chronological order, so its entries are one range of keys. */
const prefixOf = (label: string, page: number): string => `${label}/glass/${page}/`;
/** Returns the smallest key of an entry after a time, to the millisecond. */
const firstAfter = (label: string, page: number, at: Date): string =>
  `${prefixOf(label, page)}${new Date(at.getTime() + 1).toISOString()}`;
const withoutId = ({ _id, ...entry }: StoredEntry): GlassEntry => entry;
const idOf = ({ label, page, at, transmission }: GlassEntry): string =>
  `${prefixOf(label, page)}${at.toISOString()}-${transmission}`;
