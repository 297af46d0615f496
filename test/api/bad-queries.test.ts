import test from "ava";
import { labelFor } from "../harness/glass.ts";
import { openShelfwire, type Shelfwire } from "../harness/shelfwire.ts";
import { pointersOf, refused } from "./calls.ts";

let shelfwire: Shelfwire;
test.before(async () => {
  shelfwire = await openShelfwire({ workers: [] });
});
test.after.always(() => shelfwire.close());

const barcode = labelFor("apple");

/** Queries with a value that is none, each with the place of its fault. */
const bad: [path: string, pointer: string][] = [
  ["/items?projection=XL", "/query/projection"],
  ["/items?projection=s", "/query/projection"],
  ["/items?projection=", "/query/projection"],
  ["/items?projection=S&projection=M", "/query/projection"],
  ["/items?start=-1", "/query/start"],
  ["/items?start=two", "/query/start"],
  ["/items?limit=0", "/query/limit"],
  ["/items?limit=1001", "/query/limit"],
  ["/items?limit=1.5", "/query/limit"],
  ["/items?limit=1e2", "/query/limit"],
  ["/items?limit=", "/query/limit"],
  ["/items?limit=1&limit=2", "/query/limit"],
  ["/items/apple?projection=XL", "/query/projection"],
  ["/labels?projection=XL", "/query/projection"],
  ["/labels?start=-1", "/query/start"],
  ["/labels?limit=0", "/query/limit"],
  ["/labels?limit=20001", "/query/limit"],
  ["/labels?serializeDatesToIso8601=yes", "/query/serializeDatesToIso8601"],
  [`/labels/${barcode}?projection=XL`, "/query/projection"],
  [`/labels/${barcode}?serializeDatesToIso8601=1`, "/query/serializeDatesToIso8601"],
];

for (const [path, pointer] of bad) {
  test(`GET ${path} is 400`, async (t) => {
    t.deepEqual(pointersOf(await refused(t, await shelfwire.call("GET", path), 400)), [pointer]);
  });
}

test("all bad values of a query are named at once", async (t) => {
  const answer = await shelfwire.call("GET", "/items?projection=XL&start=-1&limit=0");
  t.deepEqual(pointersOf(await refused(t, answer, 400)), ["/query/limit", "/query/projection", "/query/start"]);
});

for (const timeout of ["-1", "60001", "soon", "0.5"]) {
  test(`link-single with timeout=${timeout} is 400`, async (t) => {
    const answer = await shelfwire.call("POST", `/labels/link-single?timeout=${timeout}`, { barcode, itemId: "apple" });
    t.deepEqual(pointersOf(await refused(t, answer, 400)), ["/query/timeout"]);
  });
}

test("the largest limits are good", async (t) => {
  t.is((await shelfwire.call("GET", "/items?limit=1000")).status, 200);
  t.is((await shelfwire.call("GET", "/labels?limit=20000")).status, 200);
});

test("unknown query parameters are ignored", async (t) => {
  t.is((await shelfwire.call("GET", "/items?verbose=maybe&constructor=1&__proto__=1")).status, 200);
});

test("an id in the path is bound like one in a body", async (t) => {
  const path = async (path: string) => pointersOf(await refused(t, await shelfwire.call("GET", path), 400));
  t.deepEqual(await path(`/items/${"x".repeat(129)}`), ["/path/itemId"]);
  t.deepEqual(await path("/items/a%00b"), ["/path/itemId"]);
  t.deepEqual(await path(`/labels/${"x".repeat(65)}`), ["/path/barcode"]);
});

test("an id in the path that is not well encoded is no item", async (t) => {
  await refused(t, await shelfwire.call("GET", "/items/%E0%A4%A"), 404);
});
