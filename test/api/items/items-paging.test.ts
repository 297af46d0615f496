import test from "ava";
import { servedStack } from "../../harness/served-stack.ts";
import { bodyOf, deleteItem, type ItemBody, pointersOf, refused, writeItems } from "../calls.ts";

const shelfwire = servedStack({ workers: ["item"] });
const idOf = (index: number) => `page ${String(index).padStart(2, "0")}`;
test.before(() =>
  writeItems(
    shelfwire,
    Array.from({ length: 11 }, (_, index) => ({ itemId: idOf(index) })),
  ),
);

/** Returns a page of the list, and the query of the next one. */
async function readPage(query: string) {
  const answer = await shelfwire.call("GET", `/items?${query}`);
  const next = /^<\?([^>]*)>; rel="next"$/.exec(answer.headers.get("link") ?? "")?.[1];
  return { ids: (await bodyOf<ItemBody[]>(answer)).map(({ itemId }) => itemId), next };
}

test.serial("pages follow one another by their links, and the last page has no link", async (t) => {
  const pages: string[][] = [];
  for (let query: string | undefined = "projection=S&limit=4"; query !== undefined; ) {
    const { ids, next } = await readPage(query);
    pages.push(ids);
    query = next;
  }
  t.deepEqual(
    pages.map(({ length }) => length),
    [4, 4, 3],
  );
  t.deepEqual(
    pages.flat(),
    Array.from({ length: 11 }, (_, index) => idOf(index)),
  );
});

test.serial("a page by offset has no link", async (t) => {
  t.is((await readPage("start=0&limit=4")).next, undefined);
});

test.serial("an offset together with a cursor is refused, and so is a string that is not a cursor", async (t) => {
  const { next = "" } = await readPage("limit=4");
  for (const query of [`${next}&start=0`, "after=4711"])
    t.is(pointersOf(await refused(t, await shelfwire.call("GET", `/items?${query}`), 400)).length, 1);
});

test.serial(
  "an item that is deleted or created between two pages does not make another item repeat or disappear",
  async (t) => {
    const first = await readPage("limit=4");
    await deleteItem(shelfwire, idOf(0));
    await deleteItem(shelfwire, idOf(3));
    await writeItems(shelfwire, [{ itemId: "before all" }]);
    const second = await readPage(first.next ?? "");
    t.deepEqual(second.ids, [4, 5, 6, 7].map(idOf));
  },
);

test.serial("all items are deleted page by page", async (t) => {
  for (let query: string | undefined = "limit=3"; query !== undefined; ) {
    const { ids, next } = await readPage(query);
    for (const itemId of ids) await deleteItem(shelfwire, itemId);
    query = next;
  }
  t.deepEqual((await readPage("limit=100")).ids, []);
});
