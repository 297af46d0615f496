import test from "ava";
import type { PriceGuards } from "../../../schemas/price-guards.ts";
import type { Problem } from "../../../schemas/problem.ts";
import { STORE_ID } from "../../../scripts/demo/catalogue.ts";
import { servedStack } from "../../harness/served-stack.ts";
import { bodyOf } from "../calls.ts";
import { manage } from "./calls.ts";

const shelfwire = servedStack({ workers: [] });
const ofTenant = "/price-guards";
const ofStore = `/stores/${STORE_ID}/price-guards`;
const call = (method: string, path: string, body?: unknown, headers = {}) =>
  manage(shelfwire, method, path, body, headers);
const read = async (path: string) => bodyOf<PriceGuards>(await call("GET", path));
const guards: PriceGuards = {
  ...{ number: true, positive: true, range: { least: "0.05", most: "99" }, change: { rise: 30, fall: 50 } },
  ...{ cost: { property: "cost", least: 1 }, amount: { items: 100, share: 20 }, expiresAfter: 12 },
  windows: [{ days: ["MON", "TUE"], from: "22:00", to: "06:00", firstDate: "2026-03-01" }],
  freezes: [{ from: "08:00", to: "20:00", rises: true }],
};

test.serial("a tenant and a store have no guards until some are set", async (t) => {
  t.deepEqual([await read(ofTenant), await read(ofStore)], [{}, {}]);
});

test.serial("guards are returned as they were set, and a store's guards are its own", async (t) => {
  t.deepEqual(await bodyOf<PriceGuards>(await call("PUT", ofTenant, guards)), guards);
  t.deepEqual(await bodyOf<PriceGuards>(await call("PUT", ofStore, { change: {} })), { change: {} });
  t.deepEqual([await read(ofTenant), await read(ofStore)], [guards, { change: {} }]);
});

test.serial("saving a store keeps its guards, and saving a tenant keeps the tenant's", async (t) => {
  const store = await bodyOf<object>(await call("GET", `/stores/${STORE_ID}`));
  t.is((await call("PUT", `/stores/${STORE_ID}`, { ...store, name: "Another name" })).status, 200);
  t.deepEqual(await read(ofStore), { change: {} });
});

test.serial("a change to guards that have changed meanwhile is refused", async (t) => {
  const tag = (await call("GET", ofTenant)).headers.get("etag") ?? "";
  t.is((await call("PUT", ofTenant, { number: true }, { "if-match": '"another"' })).status, 412);
  t.is((await call("PUT", ofTenant, { number: true }, { "if-match": tag })).status, 200);
  t.is((await call("PUT", ofTenant, {}, { "if-match": tag })).status, 412);
});

const refused: [rule: string, guards: object, pointer: string][] = [
  ["a range that no price is in", { range: { least: "2", most: "1.99" } }, "/range/most"],
  ["a bound that is not a number", { range: { least: "2,50" } }, "/range/least"],
  ["an hour that no clock has", { windows: [{ from: "24:00", to: "06:00" }] }, "/windows/0/from"],
  [
    "a day that no calendar has",
    { freezes: [{ from: "08:00", to: "20:00", firstDate: "2026-02-30" }] },
    "/freezes/0/firstDate",
  ],
  ["a cost without a property", { cost: { least: 1 } }, "/cost/property"],
  ["a guard that does not exist", { rang: {} }, "/rang"],
];
for (const [rule, body, pointer] of refused)
  test.serial(`${rule} is refused, and the error names its place`, async (t) => {
    const answer = await call("PUT", ofStore, body);
    t.is(answer.status, 400);
    t.is(((await answer.json()) as Problem).errors?.[0]?.pointer, pointer);
  });

test.serial("a store whose own guards are removed falls back to its tenant's guards", async (t) => {
  t.is((await call("DELETE", ofStore)).status, 204);
  t.deepEqual(await read(ofStore), {});
  t.is((await call("PUT", "/stores/nowhere/price-guards", {})).status, 404);
});

test("a caller who may not change stores may not change guards", async (t) => {
  const headers = { authorization: `Bearer ${await shelfwire.token({ scope: "ops items:write prices:approve" })}` };
  t.is((await call("GET", ofTenant, undefined, headers)).status, 200);
  t.is((await call("PUT", ofTenant, {}, headers)).status, 403);
});
