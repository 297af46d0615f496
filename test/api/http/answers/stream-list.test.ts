import test from "ava";
import { labelFor } from "../../../harness/glass.ts";
import type { Served } from "../../../harness/served.ts";
import { servedStack } from "../../../harness/served-stack.ts";
import { bodyOf, deleteItem, type ItemBody, type LabelBody, openStore, writeItems, writeLabels } from "../../calls.ts";

const COUNT = 25;
const PAGE = 7;

const shelfwire = servedStack({ workers: ["item", "link"] });
let large: Served;
test.before(async () => {
  const ids = Array.from({ length: COUNT }, (_, index) => `item ${(index * 11) % COUNT}`);
  await writeItems(
    shelfwire,
    ids.map((itemId) => ({ itemId })),
  );
  await writeLabels(
    shelfwire,
    ids.map((itemId) => ({ barcode: labelFor(itemId), links: [{ itemId }] })),
  );
  large = await openStore(shelfwire, "large");
  const rows = Array.from({ length: 1201 }, (_, index) => index);
  await writeItems(
    large,
    rows.map((index) => ({ itemId: `item ${index}`, price: "1.99" })),
  );
  await writeLabels(
    large,
    rows.map((index) => ({ barcode: labelFor(`item ${index}`) })),
  );
});

const idsOf = async (query: string, store = shelfwire) =>
  (await bodyOf<ItemBody[]>(await store.call("GET", `/items?projection=S${query}`))).map(({ itemId }) => itemId);
const barcodesOf = async (query: string, store = shelfwire) =>
  (await bodyOf<LabelBody[]>(await store.call("GET", `/labels?projection=S${query}`))).map(({ barcode }) => barcode);

/** Reads all pages of a list, one after the other. */
async function pagesOf(list: (query: string) => Promise<string[]>): Promise<string[][]> {
  const pages: string[][] = [];
  for (let start = 0; start < COUNT; start += PAGE) pages.push(await list(`&start=${start}&limit=${PAGE}`));
  return pages;
}

for (const [what, list] of [
  ["items", idsOf],
  ["labels", barcodesOf],
] as const) {
  test.serial(`${what} are listed by ID`, async (t) => {
    const all = await list("");
    t.is(all.length, COUNT);
    t.deepEqual(all, all.toSorted());
  });

  test.serial(`pages of ${what} neither repeat nor skip entries`, async (t) => {
    const pages = await pagesOf(list);
    t.deepEqual(
      pages.map(({ length }) => length),
      [7, 7, 7, 4],
    );
    t.deepEqual(pages.flat(), await list(""));
  });

  test.serial(`a list that starts after the last of the ${what} is empty`, async (t) => {
    t.deepEqual(await list(`&start=${COUNT}`), []);
    t.deepEqual(await list("&start=1000000&limit=1"), []);
  });

  test.serial(`without a limit the first 100 ${what} are listed`, async (t) => {
    t.deepEqual(await list("", large), await list("&limit=100", large));
    t.is((await list("", large)).length, 100);
  });
}

test.serial("a long list is one JSON array, complete and in order", async (t) => {
  const answer = await large.call("GET", "/items?limit=1000");
  t.is(answer.headers.get("content-type")?.split(";")[0], "application/json");
  const ids = (await bodyOf<ItemBody[]>(answer)).map(({ itemId }) => itemId);
  t.is(ids.length, 1000);
  t.deepEqual([...ids, ...(await idsOf("&start=1000&limit=1000", large))], await allIds());
});

test.serial("one call may request 20,000 labels", async (t) => {
  const barcodes = await barcodesOf("&limit=20000", large);
  t.is(new Set(barcodes).size, 1201);
  t.deepEqual(barcodes, barcodes.toSorted());
});

test.serial("each element of a list has the same fields as when it is read alone", async (t) => {
  const items = await bodyOf<ItemBody[]>(await shelfwire.call("GET", "/items"));
  for (const item of items.slice(0, 3)) {
    const one = await bodyOf<{ value: ItemBody }>(await shelfwire.call("GET", `/items/${item.itemId}`));
    t.deepEqual(one.value, item);
    t.is(item.links.length, 1);
  }
  const labels = await bodyOf<LabelBody[]>(await shelfwire.call("GET", "/labels"));
  for (const label of labels.slice(0, 3)) {
    t.deepEqual(await bodyOf<LabelBody>(await shelfwire.call("GET", `/labels/${label.barcode}`)), label);
    t.is(label.links.length, 1);
  }
});

test.serial("a store without items or labels returns empty lists", async (t) => {
  const empty = await openStore(shelfwire, "empty");
  t.deepEqual(await bodyOf(await empty.call("GET", "/items")), []);
  t.deepEqual(await bodyOf(await empty.call("GET", "/labels")), []);
});

test.serial("a store does not list the items of a store whose ID is a prefix of its own", async (t) => {
  const longer = await openStore(shelfwire, "large-2");
  await writeItems(longer, [{ itemId: "only here" }]);
  t.deepEqual(await idsOf("", longer), ["only here"]);
  t.false((await allIds()).includes("only here"));
});

test.serial("an item is listed whatever its ID begins with", async (t) => {
  const odd = await openStore(shelfwire, "odd");
  const ids = [" ", "!", "/", "~", "é", "\ud7ff", "\uffff", "🍎", "\u{10ffff}"].map((first) => `${first} item`);
  await writeItems(
    odd,
    ids.map((itemId) => ({ itemId })),
  );
  t.deepEqual((await idsOf("", odd)).toSorted(), ids.toSorted());
});

test.serial("deleted items do not count towards a page", async (t) => {
  const before = await idsOf("");
  const [gone, ...others] = before as [string, ...string[]];
  await deleteItem(shelfwire, gone);
  t.deepEqual((await pagesOf(idsOf)).flat(), others);
});

const allIds = async (): Promise<string[]> => Array.from({ length: 1201 }, (_, index) => `item ${index}`).toSorted();
