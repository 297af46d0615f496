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

/** How often a step is due, and how many labels it reads: a process reads two thousand a second at most. */
export const COUNT_INTERVAL_MS = 1_000;
const LABELS_PER_STEP = 2_000;
/** From the end of the count of a partition to its next one. */
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

/** The count of a partition that is under way, through its key `last`, by store. */
interface CountUnderWay {
  partition: Partition;
  last: string;
  stores: Map<string, StateCounts>;
}

/**
 * Counts the labels of the installation by state, step by step: each process those of its partitions, whose figures stay
 * until it has counted them again. Each call makes the next step, or none if none is due. The counts of each store of a
 * partition are recorded at its end.
 */
export function createCountLabels(dependencies: Dependencies) {
  const { db, records, partitions, metrics, storeCounts, offlineAfterMs, now } = dependencies;
  /** By partition, what was counted, and when. */
  const counted = new Map<string, { counts: StateCounts; at: number }>();
  let underWay: CountUnderWay | undefined;

  /** Reads labels of a partition, at most `limit`, and counts them; returns their number. */
  async function count({ partition, last, stores }: CountUnderWay, limit: number): Promise<string[]> {
    const _id = last === "" ? partition : { $gt: last, $lt: partition.$lt };
    const query = { filter: { _id }, projection: { _id: 1 }, sort: { _id: 1 }, limit } as const;
    const keys = (await findAtOnce<{ _id: string }>(db, labels.name, query)).map((label) => label._id);
    const states = await records.readFields(labelStates, keys, plStateFields);
    // Determining whether a label's picture is older than its item takes more reads than a count may cost: such a label
    // is PENDING soon.
    for (const key of keys) {
      const store = storeOf(key);
      const counts = stores.get(store) ?? none();
      counts[plStateOf(states.get(key), false, now(), offlineAfterMs)] += 1;
      stores.set(store, counts);
    }
    return keys;
  }

  /** Figures of all own partitions, once each of them was counted: of two processes' a sum counts no label twice. */
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
