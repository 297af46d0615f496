import test from "ava";
import { labelFor } from "../../../harness/glass.ts";
import { servedStack } from "../../../harness/served-stack.ts";
import { pointersOf, refused } from "../../calls.ts";

const shelfwire = servedStack({ workers: [] });

const barcode = labelFor("apple");
/** Without this header, forms other than the strict ones are tolerated (test/api/tolerance). */
const strict = { prefer: "handling=strict" };

/** Queries with an invalid value, each with the pointer of its fault. */
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
  ["/labels?filter[plState]=", "/query/filter[plState]"],
  ["/labels?filter[plState]=ok", "/query/filter[plState]"],
  ["/labels?filter[plState]=OK,AWAY", "/query/filter[plState]"],
  ["/labels?filter%5BplState%5D=OK&filter%5BplState%5D=AWAY", "/query/filter[plState]"],
  ["/labels?filter[batteryState]=EMPTY", "/query/filter[batteryState]"],
  ["/labels?filter[batteryState]=low", "/query/filter[batteryState]"],
  ["/labels?filter[barcode]=", "/query/filter[barcode]"],
  ["/labels?filter[barcode]", "/query/filter[barcode]"],
  ["/labels?filter[barcode]=D1,", "/query/filter[barcode]"],
  [`/labels?filter[barcode]=${"x".repeat(65)}`, "/query/filter[barcode]"],
  ["/labels?filter[barcode]=a%00b", "/query/filter[barcode]"],
  ["/labels?filter[modelName]=", "/query/filter[modelName]"],
  [`/labels?filter[modelName]=${"x".repeat(129)}`, "/query/filter[modelName]"],
  ["/labels?sortProperty=links", "/query/sortProperty"],
  ["/labels?sortProperty=positions", "/query/sortProperty"],
  ["/labels?sortProperty=barCode", "/query/sortProperty"],
  ["/labels?sortProperty=", "/query/sortProperty"],
  ["/labels?sortProperty=barcode&sortProperty=plState", "/query/sortProperty"],
  ["/labels?sortDirection=up", "/query/sortDirection"],
  ["/labels?sortDirection=", "/query/sortDirection"],
  ["/labels?sortDirection=ASC,DESC", "/query/sortDirection"],
  ["/labels?serializeDatesToIso8601=yes", "/query/serializeDatesToIso8601"],
  [`/labels/${barcode}?projection=XL`, "/query/projection"],
  [`/labels/${barcode}?serializeDatesToIso8601=1`, "/query/serializeDatesToIso8601"],
];

for (const [path, pointer] of bad) {
  test(`GET ${path} returns 400`, async (t) => {
    t.deepEqual(pointersOf(await refused(t, await shelfwire.call("GET", path, undefined, strict), 400)), [pointer]);
  });
}

test("all invalid values of a query are listed in one response", async (t) => {
  const answer = await shelfwire.call("GET", "/items?projection=XL&start=-1&limit=0");
  t.deepEqual(pointersOf(await refused(t, answer, 400)), ["/query/limit", "/query/projection", "/query/start"]);
});

test("an invalid filter reports the value and what would be right", async (t) => {
  const { errors } = await refused(t, await shelfwire.call("GET", "/labels?filter[plState]=OK,away"), 400);
  t.is(errors?.length, 1);
  t.like(errors?.[0], {
    pointer: "/query/filter[plState]",
    detail: 'must be one of NEW, PENDING, OK, ERROR, OFFLINE, UNKNOWN, not "away"',
  });
  const direction = await refused(t, await shelfwire.call("GET", "/labels?sortDirection=up"), 400);
  t.is(direction.errors?.length, 1);
  t.like(direction.errors?.[0], { pointer: "/query/sortDirection", detail: 'must be ASC or DESC, but is "up"' });
});

for (const timeout of ["-1", "60001", "soon", "0.5"]) {
  test(`link-single with timeout=${timeout} returns 400`, async (t) => {
    const answer = await shelfwire.call("POST", `/labels/link-single?timeout=${timeout}`, { barcode, itemId: "apple" });
    t.deepEqual(pointersOf(await refused(t, answer, 400)), ["/query/timeout"]);
  });
}

test("the largest limits are accepted", async (t) => {
  t.is((await shelfwire.call("GET", "/items?limit=1000")).status, 200);
  t.is((await shelfwire.call("GET", "/labels?limit=20000")).status, 200);
});

test("a limit beyond the maximum is reduced to it, and the response says so", async (t) => {
  const answer = await shelfwire.call("GET", "/items?limit=5000");
  t.is(answer.status, 200);
  t.is(answer.headers.get("warning"), '299 - "limit=5000 is more than the maximum; 1000 is used"');
});

test("with strict handling an unknown query parameter is refused", async (t) => {
  const path = "/labels?filter[modelname]=Large";
  const problem = await refused(t, await shelfwire.call("GET", path, undefined, strict), 400);
  t.deepEqual(pointersOf(problem), ["/query/filter[modelname]"]);
  const { headers } = await shelfwire.call("GET", path);
  t.regex(headers.get("warning") ?? "", /^299 - "filter\[modelname\] is not .* nearest is filter\[modelName\]/);
});

test("unknown query parameters are ignored", async (t) => {
  t.is((await shelfwire.call("GET", "/items?verbose=maybe&constructor=1&__proto__=1")).status, 200);
  t.is((await shelfwire.call("GET", "/labels?filter[color]=&filter=1&filter[__proto__]=1&sort=up")).status, 200);
});

test("an ID in a path has the same limits as in a body", async (t) => {
  const path = async (path: string) => pointersOf(await refused(t, await shelfwire.call("GET", path), 400));
  t.deepEqual(await path(`/items/${"x".repeat(129)}`), ["/path/itemId"]);
  t.deepEqual(await path("/items/a%00b"), ["/path/itemId"]);
  t.deepEqual(await path(`/labels/${"x".repeat(65)}`), ["/path/barcode"]);
});

for (const id of ["%zz", "%C0%80", "%E0%A4%A", "%", "a%2"]) {
  test(`the path /items/${id} returns 400: it is not percent-encoded UTF-8`, async (t) => {
    const problem = await refused(t, await fetch(`${shelfwire.base}/items/${id}`), 400);
    t.is(problem.type, "/problems/malformed-path");
  });
}
