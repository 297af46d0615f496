import { gzipSync } from "node:zlib";
import test from "ava";
import { openShelfwire, type Shelfwire } from "../harness/shelfwire.ts";
import { readItem, refused, writeItems } from "./calls.ts";

let shelfwire: Shelfwire;
test.before(async () => {
  shelfwire = await openShelfwire({ workers: ["item"] });
});
test.after.always(() => shelfwire.close());

const JSON_TYPE = { "content-type": "application/json" };
const patchBytes = async (body: Uint8Array<ArrayBuffer>, headers: Record<string, string>) =>
  fetch(`${shelfwire.base}/items`, {
    method: "PATCH",
    body,
    headers: { authorization: `Bearer ${await shelfwire.token()}`, ...headers },
  });

test.serial("a property may be named __proto__: it is plain data", async (t) => {
  const properties = JSON.parse('{"__proto__": "1", "brand": "Orchard"}') as Record<string, string>;
  await writeItems(shelfwire, [{ itemId: "poisoned", properties }]);
  t.deepEqual(Object.entries((await readItem(shelfwire, "poisoned")).properties), Object.entries(properties));
});

test.serial("a body that is packed is unpacked; one that cannot be is 400", async (t) => {
  const headers = { ...JSON_TYPE, "content-encoding": "gzip" };
  t.is((await patchBytes(gzipSync('[{"itemId": "packed"}]'), headers)).status, 202);
  await refused(t, await patchBytes(Buffer.from("no gzip"), headers), 400);
  await refused(t, await patchBytes(gzipSync("[]").subarray(0, 12), headers), 400);
});

test.serial("a small body that unpacks to a huge one is 413", async (t) => {
  const bomb = gzipSync(Buffer.alloc(40 * 2 ** 20, " "));
  await refused(t, await patchBytes(bomb, { ...JSON_TYPE, "content-encoding": "gzip" }), 413);
});

test.serial("a body in another charset than UTF-8 is 415, bytes that are not UTF-8 are 400", async (t) => {
  const body = Buffer.from('[{"itemId": "latin", "itemName": "é"}]', "latin1");
  await refused(t, await patchBytes(body, { "content-type": "application/json; charset=iso-8859-1" }), 415);
  await refused(t, await patchBytes(body, JSON_TYPE), 400);
});

test.serial("every character of UTF-8 comes back as it was sent", async (t) => {
  const itemName = "Čaj od šipka – 0,5 l · 你好 😀";
  await writeItems(shelfwire, [{ itemId: "tea", itemName }]);
  t.is((await readItem(shelfwire, "tea")).itemName, itemName);
});
