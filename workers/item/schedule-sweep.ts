import type { Db } from "mongodb";
import pLimit from "p-limit";
import type { Logger } from "pino";
import type { EnqueueChunks } from "../../queues/requests/enqueue-chunks.ts";
import { type Partitions, rangesBehind } from "../../queues/store-partitions.ts";
import { schedules } from "../../records/kinds/items.ts";
import { firstScheduled } from "../../records/mongodb/due-keys.ts";
import type { FirstTogether } from "../../records/mongodb/find-first-together.ts";
import { nextOwners } from "../../records/owners.ts";
import type { AcceptedRequest, JournaledChunk } from "../../records/requests/chunks.ts";
import type { Numbers } from "../../records/requests/numbers.ts";
import type { Actor } from "../../schemas/actor.ts";
import type { Stored } from "../../schemas/record.ts";
import type { ApplyScheduled, Schedule } from "../../schemas/schedule.ts";

interface Dependencies {
  db: Db;
  firstTogether: FirstTogether;
  partitions: Pick<Partitions, "own">;
  numbers: Numbers;
  enqueueChunks: EnqueueChunks;
  accept(request: AcceptedRequest): Promise<JournaledChunk[]>;
  now(): Date;
  log: Logger;
}

/** Number of stores with due updates per pass; the next pass continues after the last of them. */
export const MAX_STORES_PER_PASS = 200;
const MAX_CONCURRENT_STORES = 20;

/**
 * Accepts one request for each store with due updates. The request is ordered like any other and contains the time up to which
 * updates apply. Each process does this for the stores in its partitions. Idempotent: if two processes each accept a request, the
 * second finds nothing left to apply. A pass reads one index entry per store, no matter how many updates are due.
 */
export function createScheduleSweep(dependencies: Dependencies) {
  const { db, firstTogether, partitions, numbers, enqueueChunks, accept, now, log } = dependencies;
  /** The number of each store's last request: no other request is accepted before this one is settled. */
  const requested = new Map<string, number>();

  async function request(store: string, until: Date): Promise<void> {
    const rows: ApplyScheduled[] = [{ until: until.toISOString() }];
    const actor: Actor = { kind: "schedule", id: until.toISOString(), channel: "schedule" };
    const [chunk] = await accept({ store, operation: "apply-scheduled", rows, ordered: true, cause: { actor } });
    if (chunk === undefined) return;
    requested.set(store, chunk.number);
    log.debug({ store, number: chunk.number }, "scheduled updates are due");
    await enqueueChunks([chunk]);
  }

  async function requestWhereDone(store: string, until: Date): Promise<void> {
    const { settledThrough, last: lastDrawn } = await numbers.progress(store);
    const earlier = requested.get(store) ?? 0;
    // A number that has not been drawn yet belongs to a removed store with the same id.
    if (settledThrough >= earlier || lastDrawn < earlier) await request(store, until);
  }

  /** The store after which the next pass begins; empty if it begins with the first store. */
  let last = "";

  return async (): Promise<void> => {
    const until = now();
    const own = await partitions.own("schedules");
    if ((await firstTogether(firstScheduled({ $lte: until }))) === undefined) return;
    const due = { owner: "store", field: "due", asked: { $lte: until } };
    const stored = db.collection<Stored<Schedule>>(schedules.name);
    const stores: string[] = [];
    for (const { among, after } of rangesBehind(last, own))
      stores.push(...(await nextOwners(stored, { ...due, among }, after, MAX_STORES_PER_PASS - stores.length)));
    last = stores.length < MAX_STORES_PER_PASS ? "" : (stores.at(-1) ?? "");
    await pLimit(MAX_CONCURRENT_STORES).map(stores, (store) => requestWhereDone(store, until));
  };
}
