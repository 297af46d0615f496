import test from "ava";
import { createTenantPlaces } from "../../../queues/metrics/tenant-places.ts";

test("until the busiest tenants are known, the first tenants have series and all others share one", (t) => {
  const places = createTenantPlaces(2);
  const labels = ["a", "b", "c", "a"].map((tenant) => places.labelOf(tenant, 1));
  t.deepEqual(labels, ["a", "b", "other", "a"]);
  t.deepEqual(
    [...places.takeActivity()],
    [
      ["a", 2],
      ["b", 1],
      ["c", 1],
    ],
  );
  t.deepEqual([...places.takeActivity()], []);
});

test("series go to the busiest tenants, and tenants that lost their series are returned", (t) => {
  const places = createTenantPlaces(2);
  for (const tenant of ["a", "b"]) places.labelOf(tenant, 1);
  t.deepEqual(places.giveTo(["c", "b", "d"]), ["a"]);
  t.deepEqual(
    ["a", "b", "c", "d"].map((tenant) => places.labelOf(tenant, 1)),
    ["other", "b", "c", "other"],
  );
});

test("a tenant named like the series for all others has no series of its own", (t) => {
  t.is(createTenantPlaces(2).labelOf("other", 1), "other");
});

test("a tenant named like the shared series takes no place, even if it is among the busiest", (t) => {
  const places = createTenantPlaces(2);
  places.giveTo(["other", "a", "b"]);
  t.deepEqual(
    ["a", "b", "other"].map((tenant) => places.labelOf(tenant, 1)),
    ["a", "b", "other"],
  );
  t.deepEqual(places.giveTo(["c"]), ["a", "b"]);
});

test("activity is kept for a limited number of tenants, however many are busy", (t) => {
  const places = createTenantPlaces(2);
  for (let tenant = 0; tenant < 10_500; tenant += 1) places.labelOf(`tenant ${tenant}`, 1);
  places.labelOf("tenant 3", 4);
  const activity = places.takeActivity();
  t.is(activity.size, 10_000);
  t.is(activity.get("tenant 3"), 5);
});
