import { randomUUID } from "node:crypto";
import test from "ava";
import { HOURS, openStoreCounts } from "../../../queues/metrics/store-counts.ts";
import { storeKey, tenantKey } from "../../../schemas/keys.ts";
import { ownSystem } from "../../harness/own.ts";

const own = ownSystem();
const HOUR_MS = 3_600_000;
const none = { NEW: 0, PENDING: 0, OK: 0, ERROR: 0, OFFLINE: 0, UNKNOWN: 0 };

test("the number of overdue labels is kept for each hour of a day, as last counted, and a store no longer counted is omitted", async (t) => {
  const tenant = randomUUID();
  const [busy, gone] = [storeKey(tenant, "busy"), storeKey(tenant, "gone")];
  let at = new Date("2026-03-02T08:10:00Z").getTime();
  const { note, read } = openStoreCounts(own.system.redis, () => new Date(at));
  await note(new Map([[gone, { ...none, OK: 1 }]]));
  await note(new Map([[busy, { ...none, OK: 5, ERROR: 4, NEW: 9 }]]));
  at += HOUR_MS;
  await note(new Map([[busy, { ...none, PENDING: 7 }]]));
  await note(new Map([[busy, { ...none, PENDING: 1, OFFLINE: 1, UNKNOWN: 1 }]]));
  at += 1.5 * HOUR_MS;
  const found = await read(tenantKey(tenant));
  t.deepEqual([...found.keys()], [busy]);
  t.deepEqual(found.get(busy)?.plState, { ...none, PENDING: 1, OFFLINE: 1, UNKNOWN: 1 });
  t.deepEqual(found.get(busy)?.behind, [...Array<undefined>(HOURS - 3), 4, 3, undefined]);
  t.deepEqual(await read(tenantKey("other")), new Map());
});
