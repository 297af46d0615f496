import test from "ava";
import { glassOf, labelFor } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";
import { readItem, writeItems, writeLabels } from "../calls.ts";

const barcode = labelFor("apple");

const shelfwire = ownStack();
test.before(async () => {
  await writeItems(shelfwire, [{ itemId: "apple", itemName: "Apple", price: "1.99" }]);
  await writeLabels(shelfwire, [{ barcode, links: [{ itemId: "apple" }] }]);
  await glassOf(shelfwire, barcode);
});

// Dates in milliseconds: in the default form, two pictures drawn in the same second have the same date.
const PATHS = [
  "/items/apple?projection=M",
  `/labels/${barcode}?serializeDatesToIso8601=true`,
  `/labels/${barcode}/image`,
];
const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  shelfwire.call(method, path, undefined, { "accept-encoding": "identity", ...headers });

for (const path of PATHS) {
  test.serial(`GET ${path.split("?")[0]} returns a strong ETag, and 304 if the caller sends it`, async (t) => {
    const first = await get(path);
    const tag = first.headers.get("etag") ?? "";
    t.regex(tag, /^"[\w-]+"$/);
    t.is(first.headers.get("cache-control"), "private, no-cache");
    for (const [known, method] of [
      [tag, "GET"],
      [`W/${tag}`, "GET"],
      [`"other", ${tag}`, "GET"],
      ["*", "GET"],
      [tag, "HEAD"],
    ] as const) {
      const answer = await get(path, { "if-none-match": known }, method);
      t.is(answer.status, 304, `${method} ${known}`);
      t.is(answer.headers.get("etag"), tag);
      t.is(await answer.text(), "");
      for (const name of ["content-type", "content-length"]) t.is(answer.headers.get(name), null, name);
    }
    t.is((await get(path, { "if-none-match": '"other"' })).status, 200);
    t.is((await get(path, {}, "HEAD")).headers.get("etag"), tag);
  });
}

test.serial("each projection has its own tag", async (t) => {
  const [small, large] = [await get("/items/apple?projection=S"), await get("/items/apple?projection=L")];
  t.not(small.headers.get("etag"), large.headers.get("etag"));
});

test.serial("a change gives an item, its label and its picture new tags", async (t) => {
  const before = await Promise.all(PATHS.map(async (path) => (await get(path)).headers.get("etag") ?? ""));
  await writeItems(shelfwire, [{ itemId: "apple", price: "2.49" }]);
  t.is((await readItem(shelfwire, "apple")).price, "2.49");
  await glassOf(shelfwire, barcode);
  for (const [index, path] of PATHS.entries()) {
    const answer = await get(path, { "if-none-match": before[index] ?? "" });
    t.is(answer.status, 200, path);
    t.not(answer.headers.get("etag"), before[index] ?? "");
  }
});

test.serial("a compressed item has a weak tag", async (t) => {
  const properties = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`property-${index}`, "value"]));
  await writeItems(shelfwire, [{ itemId: "large", properties }]);
  const packed = await get("/items/large", { "accept-encoding": "gzip" });
  t.is(packed.headers.get("content-encoding"), "gzip");
  const tag = packed.headers.get("etag") ?? "";
  t.true(tag.startsWith('W/"'));
  const again = await get("/items/large", { "accept-encoding": "gzip", "if-none-match": tag });
  t.is(again.status, 304);
  t.is(again.headers.get("vary"), "Accept-Encoding");
});

test.serial("lists and missing resources have no ETag", async (t) => {
  for (const path of ["/items", "/labels", "/items/nothing"]) t.is((await get(path)).headers.get("etag"), null, path);
});
