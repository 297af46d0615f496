import type { Db } from "mongodb";
import { plStateFields, plStateOf } from "../../domain/labels/pl-state.ts";
import { labelStates, labels } from "../../records/kinds/labels.ts";
import type { Leases } from "../../records/leases/leases.ts";
import { findAtOnce } from "../../records/mongodb/find-at-once.ts";
import type { Records } from "../../records/records.ts";
import { PlState } from "../../schemas/label.ts";
import type { Metrics } from "./metrics.ts";

/** How often a step is due, and how many labels it reads: a process reads two thousand a second at most. */
export const COUNT_INTERVAL_MS = 1_000;
const LABELS_PER_STEP = 2_000;
/** From the end of a count to the next one. */
const PAUSE_MS = 300_000;
/** When a process asks again whether it may count. */
const RETRY_MS = 60_000;
const LEASE = "label-counts";
/** Longer than the pause, so that the same process continues to count while it lives. */
const LEASE_MS = PAUSE_MS + RETRY_MS;

interface Dependencies {
  db: Db;
  records: Pick<Records, "readFields">;
  leases: Leases;
  metrics: Pick<Metrics, "set" | "clear">;
  offlineAfterMs: number;
  now(): Date;
}

type Counts = Record<(typeof PlState.enum)[number], number>;
const none = (): Counts => Object.fromEntries(PlState.enum.map((state) => [state, 0])) as Counts;

/**
 * Counts the labels of the installation by state, step by step: one process at a time does it, under a lease, and its
 * figures stay until it has counted again. Each call makes the next step, or none if none is due.
 */
export function createCountLabels({ db, records, leases, metrics, offlineAfterMs, now }: Dependencies) {
  let due = 0;
  let last = "";
  let counts = none();

  function begin(afterMs: number): void {
    due = now().getTime() + afterMs;
    last = "";
    counts = none();
  }

  return async function countStep(): Promise<void> {
    if (now().getTime() < due) return;
    if (!(await leases.hold(LEASE, LEASE_MS))) {
      // Another process has newer figures: of two processes' figures a sum would count labels twice.
      metrics.clear("shelfwire_labels");
      begin(RETRY_MS);
      return;
    }
    const found = await findAtOnce<{ _id: string }>(db, labels.name, {
      filter: { _id: { $gt: last } },
      projection: { _id: 1 },
      sort: { _id: 1 },
      limit: LABELS_PER_STEP,
    });
    const keys = found.map(({ _id }) => _id);
    const states = await records.readFields(labelStates, keys, plStateFields);
    // Determining whether a label's picture is older than its item takes more reads than a count may cost: such a label
    // is PENDING soon.
    for (const key of keys) counts[plStateOf(states.get(key), false, now(), offlineAfterMs)] += 1;
    last = keys.at(-1) ?? last;
    if (keys.length === LABELS_PER_STEP) return;
    for (const state of PlState.enum) metrics.set("shelfwire_labels", { state }, counts[state]);
    begin(PAUSE_MS);
  };
}
