import { brotliCompressSync, gzipSync } from "node:zlib";
import test from "ava";
import { servedStack } from "../../harness/served-stack.ts";
import { readItem, refused, writeItems } from "../calls.ts";

const shelfwire = servedStack({ workers: ["item"] });

const JSON_TYPE = { "content-type": "application/json" };
const patchBytes = async (body: Uint8Array<ArrayBuffer>, headers: Record<string, string>) =>
  fetch(`${shelfwire.base}/items`, {
    method: "PATCH",
    body,
    headers: { authorization: `Bearer ${await shelfwire.token()}`, ...headers },
  });

test.serial("a property may be named __proto__ and is plain data", async (t) => {
  const properties = JSON.parse('{"__proto__": "1", "brand": "Orchard"}') as Record<string, string>;
  await writeItems(shelfwire, [{ itemId: "poisoned", properties }]);
  t.deepEqual(Object.entries((await readItem(shelfwire, "poisoned")).properties), Object.entries(properties));
});

test.serial("a compressed body is decompressed; corrupt compression returns 400", async (t) => {
  const headers = { ...JSON_TYPE, "content-encoding": "gzip" };
  t.is((await patchBytes(gzipSync('[{"itemId": "packed"}]'), headers)).status, 202);
  await refused(t, await patchBytes(Buffer.from("no gzip"), headers), 400);
  await refused(t, await patchBytes(gzipSync("[]").subarray(0, 12), headers), 400);
});

test.serial("a small body that decompresses to a huge one returns 413", async (t) => {
  const bomb = gzipSync(Buffer.alloc(40 * 2 ** 20, " "));
  await refused(t, await patchBytes(bomb, { ...JSON_TYPE, "content-encoding": "gzip" }), 413);
});

test.serial("a charset other than UTF-8 returns 415, and bytes that are not UTF-8 return 400", async (t) => {
  const body = Buffer.from('[{"itemId": "latin", "itemName": "é"}]', "latin1");
  await refused(t, await patchBytes(body, { "content-type": "application/json; charset=iso-8859-1" }), 415);
  await refused(t, await patchBytes(body, JSON_TYPE), 400);
});

test.serial("every UTF-8 character is returned as it was sent", async (t) => {
  const itemName = "Čaj od šipka – 0,5 l · 你好 😀";
  await writeItems(shelfwire, [{ itemId: "tea", itemName }]);
  t.is((await readItem(shelfwire, "tea")).itemName, itemName);
});

test.serial("a brotli body is decompressed; corrupt compression returns 400", async (t) => {
  const headers = { ...JSON_TYPE, "content-encoding": "br" };
  t.is((await patchBytes(brotliCompressSync('[{"itemId": "packed"}]'), headers)).status, 202);
  await refused(t, await patchBytes(Buffer.from("not brotli at all"), headers), 400);
});

for (const [what, text] of [
  ["lists", `${"[".repeat(100_000)}${"]".repeat(100_000)}`],
  ["objects", `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`],
  ["endless lists", "[".repeat(100_000)],
  ["lists in an unknown field", `[{"itemId": "deep", "extra": ${"[".repeat(65)}${"]".repeat(65)}}]`],
] as const) {
  test.serial(`a body of deeply nested ${what} returns 400`, async (t) => {
    const { type } = await refused(t, await patchBytes(Buffer.from(text), JSON_TYPE), 400);
    t.is(type, "/problems/malformed-body");
  });
}

test.serial("brackets in strings do not count as depth", async (t) => {
  const body = Buffer.from(JSON.stringify([{ itemId: "brackets", itemName: "[".repeat(1_000) }]));
  t.is((await patchBytes(body, JSON_TYPE)).status, 202);
});

for (const [body, pointer] of [
  ['[{"itemId": "twice", "price": "1.99", "price": "2.99"}]', "/0/price"],
  [
    '[{"itemId": "twice"}, {"itemId": "other", "properties": {"brand": "a", "br\\u0061nd": "b"}}]',
    "/1/properties/brand",
  ],
  ['[{"itemId": "twice", "itemId": "twice"}]', "/0/itemId"],
] as const) {
  test.serial(`${body} returns 400 and names the duplicate field`, async (t) => {
    const problem = await refused(t, await patchBytes(Buffer.from(body), JSON_TYPE), 400);
    t.is(problem.type, "/problems/duplicate-field");
    t.deepEqual(problem.errors, [{ pointer, detail: "occurs twice" }]);
    t.is((await shelfwire.call("GET", "/items/twice")).status, 404);
  });
}

test.serial("keys of Mongo operators and prototypes are plain data wherever they occur", async (t) => {
  const properties = { $set: "1", "unit.price": "2", constructor: "3", $where: "4", a$b: "5", "": "6" };
  const { "": _, ...kept } = properties;
  await writeItems(shelfwire, [{ itemId: '{"$gt": ""}', properties: kept }]);
  t.deepEqual((await readItem(shelfwire, '{"$gt": ""}')).properties, kept);
  await refused(t, await patchBytes(Buffer.from('[{"itemId": {"$gt": ""}}]'), JSON_TYPE), 400);
  t.is((await shelfwire.call("GET", `/items/${encodeURIComponent('{"$ne": ""}')}`)).status, 404);
});

test.serial("a string of 10 MB in a short field returns 400", async (t) => {
  const body = Buffer.from(JSON.stringify([{ itemId: "x".repeat(10 * 2 ** 20) }]));
  const { errors = [] } = await refused(t, await patchBytes(body, JSON_TYPE), 400);
  t.is(errors[0]?.pointer, "/0/itemId");
  t.true((errors[0]?.detail.length ?? 0) < 200);
});

test.serial("an empty body of any type, or of none, counts as no body", async (t) => {
  for (const headers of [{}, JSON_TYPE, { "content-type": "text/plain" }]) {
    const { errors } = await refused(t, await patchBytes(Buffer.alloc(0), headers), 400);
    t.deepEqual(errors, [{ pointer: "", detail: "is missing" }]);
  }
});
