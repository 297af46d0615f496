import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import test from "ava";
import { itemPages } from "../../../records/kinds/items.ts";
import { itemKey } from "../../../schemas/keys.ts";
import { rowErrors, rowNotice } from "../../../schemas/row-notice.ts";
import { DEMO_STORE, itemOutcomes, labelFor } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";
import { deleteItem, numberOf, openStore, pointersOf, readItem, refused, writeItems, writeLabels } from "../calls.ts";
import { images, pngOf } from "../images/files.ts";

const shelfwire = ownStack({ workers: ["item", "link", "pages"] });

type File = [field: string, bytes: Uint8Array<ArrayBuffer> | Buffer, name?: string];

async function send(path: string, files: readonly File[], { base } = shelfwire): Promise<Response> {
  const form = new FormData();
  for (const [field, bytes, name] of files) form.append(field, new Blob([Buffer.from(bytes)]), name ?? "image.png");
  const headers = { authorization: `Bearer ${await shelfwire.token()}` };
  return fetch(`${base}${path}`, { method: "POST", headers, body: form });
}

const upload = async (path: string, image: Buffer, store = shelfwire) =>
  itemOutcomes(store, await numberOf(await send(path, [["imageFile", image]], store)));

const remove = async (path: string) => itemOutcomes(shelfwire, await numberOf(await shelfwire.call("DELETE", path)));

/** Returns the page, size and colours of an item's uploaded images. */
async function imagesOf(itemId: string) {
  const key = itemKey(DEMO_STORE, itemId);
  const pages = (await shelfwire.system.records.read(itemPages, [key])).get(key);
  return pages?.images.map(({ page, width, height, colors }) => `${page} ${width}x${height} ${colors.length}`) ?? [];
}

test.serial("without resize one image of one size is set", async (t) => {
  await writeItems(shelfwire, [{ itemId: "apple" }]);
  t.deepEqual(await upload("/items/apple/page/0", await images.PNG(400, 300)), [
    { itemId: "apple", status: "SUCCESS", errors: [] },
  ]);
  t.deepEqual(await imagesOf("apple"), ["0 400x300 2"]);
  t.is((await upload("/items/apple/page/0?resize=0", await images.JPEG(400, 300)))[0]?.status, "SUCCESS");
});

test.serial("resize 0 with a wrong size makes the row an ERROR, and its message lists the sizes", async (t) => {
  await writeItems(shelfwire, [{ itemId: "pear" }]);
  const [outcome] = await upload("/items/pear/page/0", await images.PNG(399, 300));
  t.is(outcome?.status, "ERROR");
  t.regex(outcome?.errors[0] ?? "", /399 x 300 .*400 x 300/);
  t.deepEqual(await imagesOf("pear"), []);
});

for (const resize of [1, 2]) {
  test.serial(`resize ${resize} sets the images of every size and palette of the page`, async (t) => {
    const itemId = `all ${resize}`;
    await writeItems(shelfwire, [{ itemId }]);
    await upload(`/items/${encodeURIComponent(itemId)}/page/0?resize=${resize}`, await images.GIF(70, 30));
    t.deepEqual(await imagesOf(itemId), [
      "0 152x152 2",
      "0 152x152 3",
      "0 208x112 2",
      "0 208x112 3",
      "0 296x128 3",
      "0 296x128 3",
      "0 400x300 2",
      "0 592x128 3",
      "0 648x480 3",
      "0 800x480 3",
    ]);
  });
}

test.serial("an item's image sizes are those of its labels' models", async (t) => {
  await writeItems(shelfwire, [{ itemId: "linked" }]);
  await writeLabels(shelfwire, [{ barcode: labelFor("linked", "1314"), links: [{ itemId: "linked" }] }]);
  t.is((await upload("/items/linked/page/0", await images.PNG(296, 128)))[0]?.status, "ERROR");
  await upload("/items/linked/page/0?resize=2", await images.PNG(296, 128));
  t.deepEqual(await imagesOf("linked"), ["0 400x300 2"]);
});

test.serial("the row is an ERROR if none of the item's labels has the page", async (t) => {
  await writeItems(shelfwire, [{ itemId: "plum" }]);
  await writeLabels(shelfwire, [{ barcode: labelFor("plum"), links: [{ itemId: "plum" }] }]);
  for (const page of [1, 2]) {
    const [outcome] = await upload(`/items/plum/page/${page}?resize=1`, await images.PNG(10, 10));
    t.is(outcome?.status, "ERROR");
    t.regex(outcome?.errors[0] ?? "", new RegExp(`page ${page}`));
  }
});

test.serial("an unknown item makes the row an ERROR", async (t) => {
  const [outcome] = await upload("/items/nobody/page/0", await images.PNG(400, 300));
  t.deepEqual(outcome, {
    itemId: "nobody",
    status: "ERROR",
    ...rowErrors(rowNotice("ITEM_UNKNOWN", { item: "nobody" })),
  });
  await refused(t, await shelfwire.call("GET", "/items/nobody"), 404);
});

test.serial("with ITEM_MUST_EXIST=false an upload creates the item", async (t) => {
  const store = await openStore(shelfwire, "lenient", { parameters: { ITEM_MUST_EXIST: false } });
  const outcome = { itemId: "a/b", status: "SUCCESS_NEW_ITEM", errors: [] };
  t.deepEqual((await upload("/items/a%2Fb/page/0", await images.PNG(400, 300), store)) as unknown, [outcome]);
  t.is((await readItem(store, "a/b")).itemId, "a/b");
});

test.serial("ITEM_MUST_EXIST defaults to true", async (t) => {
  const store = await openStore(shelfwire, "silent", { parameters: {} });
  t.is((await upload("/items/x/page/0", await images.PNG(400, 300), store))[0]?.status, "ERROR");
});

test.serial("DELETE removes all images of a page", async (t) => {
  await writeItems(shelfwire, [{ itemId: "quince" }]);
  await upload("/items/quince/page/0?resize=1", await images.BMP(20, 10));
  const removed = [{ itemId: "quince", status: "SUCCESS", errors: [] }];
  t.deepEqual((await remove("/items/quince/page/0")) as unknown, removed);
  t.deepEqual(await imagesOf("quince"), []);
  t.deepEqual((await remove("/items/quince/page/0")) as unknown, removed);
  t.is((await remove("/items/nobody/page/0"))[0]?.status, "ITEM_NOT_FOUND");
});

test.serial("deleting an item removes its page images", async (t) => {
  await writeItems(shelfwire, [{ itemId: "fig" }]);
  await upload("/items/fig/page/0?resize=1", await images.PNG(20, 10));
  await deleteItem(shelfwire, "fig");
  await writeItems(shelfwire, [{ itemId: "fig" }]);
  t.deepEqual(await imagesOf("fig"), []);
});

test.serial("uploads and deletions that are sent without waiting are applied in order", async (t) => {
  await writeItems(shelfwire, [{ itemId: "in turn" }]);
  const image = await images.PNG(20, 10);
  const path = "/items/in%20turn/page/0?resize=1";
  const first = await numberOf(await send(path, [["imageFile", image]]));
  const removal = await numberOf(await shelfwire.call("DELETE", "/items/in%20turn/page/0"));
  const last = await upload(path, image);
  t.is(last[0]?.status, "SUCCESS");
  for (const number of [first, removal]) t.is((await itemOutcomes(shelfwire, number))[0]?.status, "SUCCESS");
  t.true((await imagesOf("in turn")).length > 0);
});

const good = pngOf(10, 10);
const bad: [what: string, path: string, files: readonly File[], pointers: string[]][] = [
  ["resize 3", "/items/apple/page/0?resize=3", [["imageFile", good]], ["/query/resize"]],
  ["resize -1", "/items/apple/page/0?resize=-1", [["imageFile", good]], ["/query/resize"]],
  ["a word as resize", "/items/apple/page/0?resize=fit", [["imageFile", good]], ["/query/resize"]],
  ["a fractional resize", "/items/apple/page/0?resize=1.5", [["imageFile", good]], ["/query/resize"]],
  ["an empty resize", "/items/apple/page/0?resize=", [["imageFile", good]], ["/query/resize"]],
  ["page 128", "/items/apple/page/128", [["imageFile", good]], ["/path/pageIndex"]],
  ["a page that no label type has", "/items/apple/page/127", [["imageFile", good]], ["/path/pageIndex"]],
  ["page -1", "/items/apple/page/-1", [["imageFile", good]], ["/path/pageIndex"]],
  ["a word as page", "/items/apple/page/first", [["imageFile", good]], ["/path/pageIndex"]],
  ["no file", "/items/apple/page/0", [], ["/imageFile"]],
  [
    "two files",
    "/items/apple/page/0",
    [
      ["imageFile", good],
      ["imageFile", good],
    ],
    ["/imageFile"],
  ],
  [
    "two files in two fields",
    "/items/apple/page/0",
    [
      ["imageFile", good],
      ["other", good],
    ],
    ["/imageFile"],
  ],
  ["a file in another field", "/items/apple/page/0", [["image", good]], ["/image"]],
  ["an empty file", "/items/apple/page/0", [["imageFile", Buffer.alloc(0)]], ["/imageFile"]],
  [
    "an SVG named as PNG",
    "/items/apple/page/0",
    [["imageFile", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), "image.png"]],
    ["/imageFile"],
  ],
  ["an image over 4096 pixels", "/items/apple/page/0", [["imageFile", pngOf(4097, 1)]], ["/imageFile"]],
  [
    "a small PNG that decompresses to gigabytes",
    "/items/apple/page/0",
    [["imageFile", pngOf(64, 64, { pixels: new Uint8Array(2 ** 26) })]],
    ["/imageFile"],
  ],
  ["a truncated file", "/items/apple/page/0", [["imageFile", good.subarray(0, -5)]], ["/imageFile"]],
];
for (const [what, path, files, pointers] of bad) {
  test.serial(`${what} is refused immediately, and nothing is stored`, async (t) => {
    const before = await shelfwire.system.db.collection("upload").countDocuments();
    t.deepEqual(pointersOf(await refused(t, await send(path, files), 400)), pointers);
    t.is(await shelfwire.system.db.collection("upload").countDocuments(), before);
  });
}

for (const contentType of ["application/json", "image/png", "multipart/form-data", "multipart/mixed; boundary=b"]) {
  test.serial(`a body of the type "${contentType}" is not a form`, async (t) => {
    const answer = await shelfwire.call("POST", "/items/apple/page/0", "{}", { "content-type": contentType });
    await refused(t, answer, 400);
  });
}

test.serial("a truncated form is refused, and a compressed one returns 415", async (t) => {
  const headers = { "content-type": "multipart/form-data; boundary=b" };
  await refused(t, await shelfwire.call("POST", "/items/apple/page/0", "--b\r\n", headers), 400);
  const packed = { ...headers, "content-encoding": "gzip" };
  await refused(t, await shelfwire.call("POST", "/items/apple/page/0", "--b--", packed), 415);
});

test.serial("a file over 8 MiB returns 413, and a file of 8 MiB is checked as an image", async (t) => {
  const noise = Buffer.alloc(8 * 2 ** 20 + 1, "BM");
  await refused(t, await send("/items/apple/page/0", [["imageFile", noise]]), 413);
  await refused(t, await send("/items/apple/page/0", [["imageFile", noise.subarray(0, -1)]]), 400);
});

test.serial("text fields next to the file are ignored", async (t) => {
  const form = new FormData();
  form.append("comment", "of no interest");
  form.append("imageFile", new Blob([await images.PNG(400, 300)]), "../../etc/passwd");
  const headers = { authorization: `Bearer ${await shelfwire.token()}` };
  const answer = await fetch(`${shelfwire.base}/items/apple/page/0`, { method: "POST", headers, body: form });
  t.is((await itemOutcomes(shelfwire, await numberOf(answer)))[0]?.status, "SUCCESS");
});

test.serial("uploaded files are never written to disk", async (t) => {
  const before = await readdir(tmpdir());
  await upload("/items/apple/page/0?resize=1", await images.PNG(500, 500));
  await send("/items/apple/page/0", [["imageFile", Buffer.alloc(9 * 2 ** 20)]]);
  const made = (await readdir(tmpdir())).filter((name) => !before.includes(name));
  t.deepEqual(
    made.filter((name) => /upload|image|^[0-9a-z]{25}$/.test(name)),
    [],
  );
});

test.serial("an upload requires items:write before its body is read", async (t) => {
  const headers = { authorization: `Bearer ${await shelfwire.token({ scope: "items:read" })}` };
  const answer = await fetch(`${shelfwire.base}/items/apple/page/0`, { method: "POST", headers, body: new FormData() });
  await refused(t, answer, 403);
});
