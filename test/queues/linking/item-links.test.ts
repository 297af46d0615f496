import { randomUUID } from "node:crypto";
import test from "ava";
import { MAX_LINKS_OF_ITEM } from "../../../domain/linking/links-of-item.ts";
import { enterItemLinks, leaveItemLinks, linksOfItems } from "../../../queues/linking/item-links.ts";
import { itemLinks } from "../../../records/kinds/items.ts";
import { itemKey, linkKey } from "../../../schemas/keys.ts";
import { ownSystem } from "../../harness/own.ts";

const own = ownSystem();

/** Creates a store with its items' links. */
function aStore() {
  const store = `t/${randomUUID()}/s/main`;
  const { commit, records } = own.system;
  return {
    store,
    enter: (...entries: [itemId: string, label: string, stamp: number][]) =>
      enterItemLinks(
        commit,
        store,
        entries.map(([itemId, label, stamp]) => ({ itemId, eslId: label, displayPosition: 0, stamp })),
      ),
    leave: (...left: [itemId: string, id: string, movedBy: number][]) =>
      leaveItemLinks(
        commit,
        left.map(([itemId, id, movedBy]) => ({ itemId, link: linkKey(store, id), movedBy })),
      ),
    async listed(itemId: string) {
      const key = itemKey(store, itemId);
      return (await records.read(itemLinks, [key])).get(key)?.links.map(({ id, stamp }) => [id, stamp]);
    },
  };
}

test("links are added once to their items' lists and found through these lists", async (t) => {
  const { store, enter, listed } = aStore();
  t.is((await enter(["milk", "A1", 1], ["bread", "A2", 1], ["milk", "A3", 1])).size, 0);
  await enter(["milk", "A1", 5]);
  t.deepEqual((await listed("milk"))?.toSorted(), [
    ["A1-0", 5],
    ["A3-0", 1],
  ]);
  const found = await linksOfItems(
    own.system.records,
    ["milk", "bread", "butter"].map((id) => itemKey(store, id)),
  );
  t.deepEqual(
    found.toSorted(),
    ["A1-0", "A2-0", "A3-0"].map((id) => linkKey(store, id)),
  );
});

test("links that exceed an item's list are reported, and links of other items are added", async (t) => {
  const { store, enter, listed } = aStore();
  const links = Array.from({ length: MAX_LINKS_OF_ITEM }, (_, index) => ({ id: `L${index}-0`, stamp: 1 }));
  await own.system.commit.change(itemLinks, [itemKey(store, "full")], () => ({ links }), "bulk");
  const refused = await enter(["full", "A1", 2], ["other", "A2", 2], ["full", "A3", 2]);
  t.deepEqual(
    [...refused].map(({ eslId }) => eslId as string),
    ["A1", "A3"],
  );
  t.deepEqual(await listed("other"), [["A2-0", 2]]);
  t.is((await listed("full"))?.length, MAX_LINKS_OF_ITEM);
});

test("a link leaves its former item's list unless it has returned in the meantime", async (t) => {
  const { enter, leave, listed } = aStore();
  await enter(["milk", "A1", 1], ["milk", "A2", 7], ["milk", "A3", 8], ["milk", "A4", 1], ["bread", "A1", 1]);
  await leave(["milk", "A1-0", 7], ["milk", "A2-0", 7], ["milk", "A3-0", 7], ["butter", "A1-0", 7]);
  t.deepEqual((await listed("milk"))?.toSorted(), [
    ["A2-0", 7],
    ["A3-0", 8],
    ["A4-0", 1],
  ]);
  t.deepEqual(await listed("bread"), [["A1-0", 1]]);
  t.is(await listed("butter"), undefined, "an item without a list gets none");
});
