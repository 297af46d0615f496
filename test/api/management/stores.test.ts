import test from "ava";
import { eventually } from "../../harness/eventually.ts";
import { servedStack } from "../../harness/served-stack.ts";
import { bodyOf, pointersOf, refused } from "../calls.ts";
import { manage } from "./calls.ts";

const shelfwire = servedStack({ workers: ["item"] });

const store = {
  name: "Harbour",
  timeZone: "Europe/Zagreb",
  currency: "EUR",
  locale: "hr-HR",
  linkDepartments: [{ id: "1", alias: "floor", transceivers: ["T1"] }],
};
const call = (method: string, path: string, body?: unknown, headers = {}) =>
  manage(shelfwire, method, path, body, headers);

const night = { quietHours: { from: "22:00", to: "06:00" } };

test("a store is created, accepts items, is changed and listed", async (t) => {
  const items = (method: string, body?: unknown) => callStore("harbour", method, body);
  t.is((await items("PATCH", [{ itemId: "1" }])).status, 404);
  const made = await call("PUT", "/stores/harbour", store, { "if-none-match": "*" });
  t.deepEqual(await bodyOf(made), { storeId: "harbour", ...store });
  t.is((await items("PATCH", [{ itemId: "1" }])).status, 202);
  const tag = (await call("GET", "/stores/harbour")).headers.get("etag") ?? "";
  const changed = { ...store, name: "Harbour street", parameters: { ITEM_MUST_EXIST: false }, ...night };
  t.is((await call("PUT", "/stores/harbour", changed, { "if-match": tag })).status, 200);
  await refused(t, await call("PUT", "/stores/harbour", store, { "if-match": tag }), 412);
  const listed = await bodyOf<{ storeId: string }[]>(await call("GET", "/stores"));
  t.deepEqual(
    listed.map(({ storeId }) => storeId),
    ["harbour", "main"],
  );
  t.deepEqual(listed[0] as object, { storeId: "harbour", ...changed });
  await eventually("the store's items are stored", async () => (await items("GET")).ok);
});

test("the tag of a large store works as If-Match, even if the caller accepts compressed responses", async (t) => {
  const linkDepartments = Array.from({ length: 40 }, (_, id) => ({
    id: `${id}`,
    alias: `floor ${id}`,
    transceivers: [],
  }));
  const encoded = { "accept-encoding": "gzip" };
  t.is((await call("PUT", "/stores/main", { ...store, linkDepartments })).status, 200);
  const read = await call("GET", "/stores/main", undefined, encoded);
  const tag = read.headers.get("etag") ?? "";
  t.is(read.headers.get("content-encoding"), null);
  await refused(t, await call("PUT", "/stores/main", store, { "if-match": `W/${tag}` }), 412);
  const changed = { ...store, linkDepartments, name: "Large" };
  const written = await call("PUT", "/stores/main", changed, { "if-match": tag, ...encoded });
  t.is(written.status, 200);
  const next = written.headers.get("etag") ?? "";
  t.is((await call("PUT", "/stores/main", changed, { "if-match": next })).status, 200);
});

test("an unknown store returns 404", async (t) => {
  await refused(t, await call("GET", "/stores/none"), 404);
});

const faults: [string, object, string[]][] = [
  ["an unknown time zone", { timeZone: "Europe/Atlantis" }, ["/timeZone"]],
  ["no locale", { locale: "not a locale" }, ["/locale"]],
  ["an unknown currency code", { currency: "euro" }, ["/currency"]],
  [
    "a duplicate department",
    { linkDepartments: [store.linkDepartments[0], { id: "floor", transceivers: [] }] },
    ["/linkDepartments"],
  ],
  ["no name", { name: "" }, ["/name"]],
  ["quiet hours that last all day", { quietHours: { from: "22:00", to: "22:00" } }, ["/quietHours/to"]],
  [
    "quiet hours that are not a time of day",
    { quietHours: { from: "24:00", to: "6:00" } },
    ["/quietHours/from", "/quietHours/to"],
  ],
];
for (const [what, differs, pointers] of faults) {
  test(`a store with ${what} is refused`, async (t) => {
    t.deepEqual(
      pointersOf(await refused(t, await call("PUT", "/stores/refused", { ...store, ...differs }), 400)),
      pointers,
    );
    await refused(t, await call("GET", "/stores/refused"), 404);
  });
}

async function callStore(storeId: string, method: string, body?: unknown): Promise<Response> {
  return fetch(`${shelfwire.origin}/t/demo/s/${storeId}/api/public/core/v1/items`, {
    method,
    headers: { authorization: `Bearer ${await shelfwire.token()}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}
