import type { Db } from "mongodb";
import { plStateFields, plStateOf } from "../../domain/labels/pl-state.ts";
import { labelStates, labels } from "../../records/kinds/labels.ts";
import { findAtOnce } from "../../records/mongodb/find-at-once.ts";
import type { Records } from "../../records/records.ts";
import { storeOf } from "../../schemas/keys.ts";
import { PlState } from "../../schemas/label.ts";
import type { Partition, Partitions } from "../store-partitions.ts";
import type { Metrics } from "./metrics.ts";
import type { openStoreCounts, StateCounts } from "./store-counts.ts";

/** Interval between steps, and number of labels per step: a process reads at most two thousand labels per second. */
export const COUNT_INTERVAL_MS = 1_000;
const LABELS_PER_STEP = 2_000;
/** Pause between the end of a partition's count and its next count. */
const PAUSE_MS = 300_000;

interface Dependencies {
  db: Db;
  records: Pick<Records, "readFields">;
  partitions: Pick<Partitions, "own">;
  metrics: Pick<Metrics, "set" | "clear">;
  storeCounts: Pick<ReturnType<typeof openStoreCounts>, "note">;
  offlineAfterMs: number;
  now(): Date;
}

const none = (): StateCounts => Object.fromEntries(PlState.enum.map((state) => [state, 0])) as StateCounts;

/** A partition's count in progress, by store, up to and including the key `last`. */
interface CountUnderWay {
  partition: Partition;
  last: string;
  stores: Map<string, StateCounts>;
}

/**
 * Counts the installation's labels by state, step by step. Each process counts the labels in its partitions, and a partition's
 * figures are kept until it has been counted again. Each call performs the next step, if one is due. The counts of a partition's
 * stores are recorded once the whole partition is counted.
 */
export function createCountLabels(dependencies: Dependencies) {
  const { db, records, partitions, metrics, storeCounts, offlineAfterMs, now } = dependencies;
  /** The counts of each partition, and when they were taken. */
  const counted = new Map<string, { counts: StateCounts; at: number }>();
  let underWay: CountUnderWay | undefined;

  /** Reads and counts at most `limit` labels of a partition; returns their keys. */
  async function count({ partition, last, stores }: CountUnderWay, limit: number): Promise<string[]> {
    const _id = last === "" ? partition : { $gt: last, $lt: partition.$lt };
    const query = { filter: { _id }, projection: { _id: 1 }, sort: { _id: 1 }, limit } as const;
    const keys = (await findAtOnce<{ _id: string }>(db, labels.name, query)).map((label) => label._id);
    const states = await records.readFields(labelStates, keys, plStateFields);
    // Finding out whether a label's picture is older than its item would take too many reads for a count. Such a label soon
    // becomes PENDING anyway.
    for (const key of keys) {
      const store = storeOf(key);
      const counts = stores.get(store) ?? none();
      counts[plStateOf(states.get(key), false, now(), offlineAfterMs)] += 1;
      stores.set(store, counts);
    }
    return keys;
  }

  /**
   * Reports the figures of this process's partitions once all are counted. Partitions do not overlap, so sums over processes
   * count no label twice.
   */
  function report(own: readonly Partition[]): void {
    const parts = own.flatMap(({ $gte }) => counted.get($gte)?.counts ?? []);
    if (parts.length === 0) metrics.clear("shelfwire_labels");
    if (parts.length === 0 || parts.length < own.length) return;
    const total = sumOf(parts);
    for (const state of PlState.enum) metrics.set("shelfwire_labels", { state }, total[state]);
  }

  return async function countStep(): Promise<void> {
    const own = await partitions.own("labels");
    const starts = new Set(own.map(({ $gte }) => $gte));
    for (const start of counted.keys()) if (!starts.has(start)) counted.delete(start);
    if (underWay && !starts.has(underWay.partition.$gte)) underWay = undefined;
    const done = new Map<string, StateCounts>();
    const isDue = ({ $gte }: Partition) => now().getTime() - (counted.get($gte)?.at ?? 0) >= PAUSE_MS;
    for (let left = LABELS_PER_STEP; left > 0; ) {
      const next = own.find(isDue);
      underWay ??= next && { partition: next, last: "", stores: new Map() };
      if (underWay === undefined) break;
      const keys = await count(underWay, left);
      underWay.last = keys.at(-1) ?? underWay.last;
      if (keys.length === left) break;
      left -= keys.length;
      const { partition, stores } = underWay;
      counted.set(partition.$gte, { counts: sumOf([...stores.values()]), at: now().getTime() });
      for (const [store, counts] of stores) done.set(store, counts);
      underWay = undefined;
    }
    report(own);
    await storeCounts.note(done);
  };
}

function sumOf(parts: readonly StateCounts[]): StateCounts {
  const sum = none();
  for (const counts of parts) for (const state of PlState.enum) sum[state] += counts[state];
  return sum;
}
