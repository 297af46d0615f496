import test from "ava";
import { createBulkPlaces } from "../../../queues/worker/bulk-places.ts";

/** Takes places for `count` jobs of a tenant; returns how many jobs got a place. */
const takeMany = ({ take }: ReturnType<typeof createBulkPlaces>, tenant: string, count: number): number =>
  Array.from({ length: count }, () => take(tenant)).filter(Boolean).length;

test("tenants that fill the bulk share leave places for tenants without a place and for interactive jobs", (t) => {
  const places = createBulkPlaces(64);
  t.is(takeMany(places, "a", 30) + takeMany(places, "b", 30), 48);
  t.is(takeMany(places, "c", 2), 1, "a tenant without a job gets one more place");
  const further = Array.from({ length: 20 }, (_, index) => takeMany(places, `d${index}`, 1));
  t.is(
    further.reduce((sum, count) => sum + count, 0),
    7,
    "an eighth of all places is kept for interactive jobs",
  );
});

test("a returned place is free, and a tenant without places counts as new", (t) => {
  const places = createBulkPlaces(16);
  t.is(takeMany(places, "a", 20), 12);
  t.is(takeMany(places, "b", 2), 1);
  places.leave("b");
  t.is(takeMany(places, "b", 2), 1);
  places.leave("a");
  t.is(takeMany(places, "a", 2), 0, "the other tenant fills the share");
  places.leave("b");
  t.is(takeMany(places, "a", 2), 1);
});

for (const [concurrency, share] of [
  [1, 1],
  [2, 2],
  [16, 12],
] as const)
  test(`of a process's ${concurrency} jobs at most ${share} are one tenant's bulk jobs`, (t) => {
    t.is(takeMany(createBulkPlaces(concurrency), "a", 64), share);
  });
