import { LRUCache } from "lru-cache";
import type { Db } from "mongodb";
import { automaticSwitch, DECIDE_AHEAD_MS, MAKE_AHEAD_MS } from "../../domain/labels/decide-switch.ts";
import type { Commit } from "../../queues/changes/commit.ts";
import { type Partitions, rangesBehind } from "../../queues/store-partitions.ts";
import { schedules } from "../../records/kinds/items.ts";
import { switches } from "../../records/kinds/switches.ts";
import { readTypesByNumber } from "../../records/linking/types-by-number.ts";
import { firstScheduled } from "../../records/mongodb/due-keys.ts";
import type { FirstTogether } from "../../records/mongodb/find-first-together.ts";
import { nextOwners } from "../../records/owners.ts";
import type { Records } from "../../records/records.ts";
import { itemKey, keysUnder, switchKey, tenantOf } from "../../schemas/keys.ts";
import { keepsPictures } from "../../schemas/label-type.ts";
import type { Stored } from "../../schemas/record.ts";
import type { Schedule } from "../../schemas/schedule.ts";
import { switchIdOf } from "../../schemas/switch.ts";

interface Dependencies {
  db: Db;
  firstTogether: FirstTogether;
  records: Records;
  commit: Commit;
  partitions: Pick<Partitions, "own">;
  /** By the database's clock, like the changes of a switch. */
  now(): Date;
  /** A monotonic clock, in milliseconds. */
  clock(): number;
}

/** Minimum time before a switch. Changes that are due sooner are sent as usual, since they could not be prepared. */
const LEAST_AHEAD_MS = DECIDE_AHEAD_MS + 30_000;
/** Number of stores per pass; the next pass continues after the last one. */
const STORES_PER_PASS = 200;
/** Maximum number of switch times per store; later times follow once earlier ones have passed. */
const TIMES_PER_STORE = 10;
const CACHE_TTL_MS = 60_000;
const MAX_CACHED_TENANTS = 1_000;

/**
 * Returns a function that combines a store's changes that are scheduled for the same time into a switch, so that the labels
 * show them together even though no call requested a switch. Only tenants with a label type that can keep pictures get
 * switches. Must be called repeatedly; an existing switch, even one that was called off, stays unchanged.
 */
export function createMakeSwitches(dependencies: Dependencies): () => Promise<void> {
  const { db, firstTogether, records, commit, partitions, now, clock } = dependencies;
  const stored = db.collection<Stored<Schedule>>(schedules.name);
  const known = new LRUCache<string, { keeps: boolean; readAt: number }>({ max: MAX_CACHED_TENANTS });
  /** The store after which the next pass begins; empty if it begins with the first store. */
  let last = "";

  async function keepsAny(tenant: string): Promise<boolean> {
    const cached = known.get(tenant);
    if (cached && clock() - cached.readAt < CACHE_TTL_MS) return cached.keeps;
    const keeps = [...(await readTypesByNumber(records, tenant)).values()].some(keepsPictures);
    known.set(tenant, { keeps, readAt: clock() });
    return keeps;
  }

  /** Reads the next times at which something in a store changes, with one index entry per time. */
  async function timesOf(store: string, after: Date, until: Date): Promise<Date[]> {
    const times: Date[] = [];
    while (times.length < TIMES_PER_STORE) {
      const due = { $gt: times.at(-1) ?? after, $lte: until };
      const [next] = await stored
        .find({ _id: keysUnder(itemKey(store, "")), store, due }, { projection: { due: 1 } })
        .sort({ store: 1, due: 1 })
        .limit(1)
        .toArray();
      if (next?.due === undefined) break;
      times.push(next.due);
    }
    return times;
  }

  async function makeOf(store: string, after: Date, until: Date): Promise<void> {
    if (!(await keepsAny(tenantOf(store)))) return;
    const times = (await timesOf(store, after, until)).filter(isWhole);
    const byKey = new Map(times.map((showAt) => [switchKey(store, switchIdOf(showAt)), showAt]));
    await commit.change(
      switches,
      [...byKey.keys()],
      (key, current) => {
        const showAt = byKey.get(key);
        return current === undefined && showAt ? automaticSwitch(showAt) : undefined;
      },
      "bulk",
    );
  }

  return async () => {
    const [after, until] = [new Date(now().getTime() + LEAST_AHEAD_MS), new Date(now().getTime() + MAKE_AHEAD_MS)];
    const own = await partitions.own("switches");
    if ((await firstTogether(firstScheduled({ $gt: after, $lte: until }))) === undefined) return;
    const due = { owner: "store", field: "due", asked: { $gt: after, $lte: until } };
    const stores: string[] = [];
    for (const { among, after: behind } of rangesBehind(last, own))
      stores.push(...(await nextOwners(stored, { ...due, among }, behind, STORES_PER_PASS - stores.length)));
    last = stores.length < STORES_PER_PASS ? "" : (stores.at(-1) ?? "");
    for (const store of stores) await makeOf(store, after, until);
  };
}

/** Labels switch at a whole second. */
const isWhole = (time: Date): boolean => time.getMilliseconds() === 0;
