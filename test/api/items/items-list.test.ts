import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import test from "ava";
import { items } from "../../../api/items/items.ts";
import type { Item } from "../../../schemas/item.ts";
import type { Stored } from "../../../schemas/record.ts";
import { demoStore } from "../../../scripts/demo/catalogue.ts";
import { partOf } from "../../harness/part-of.ts";

const store = "t/demo/s/main";
const envelope = { store, rev: 1, writeId: "", changedAt: new Date(0) };
const item = (itemId: string): Stored<Item> => {
  const bare = { itemId, sics: [], properties: [], stamps: {}, created: 1 };
  return { ...envelope, ...bare, _id: `${store}/items/${itemId}` };
};
const page = (name: string): Stored<Item>[] => Array.from({ length: 500 }, (_, index) => item(`${name}${index}`));

/** Reads GET /items over two batches of records; returns the list and how many items are in each read of links or schedules. */
async function list(projection: "S" | "M" | "L") {
  const due: number[] = [];
  const links: number[] = [];
  const route = items({
    acceptRows: async () => 0,
    acceptGuarded: async () => ({ requestId: 0 }),
    readItem: async () => undefined,
    readPriceList: async () => undefined,
    listItemIds: async (_store, _after, limit) =>
      [...page("a"), ...page("b")].slice(0, limit).map(({ itemId }) => itemId),
    readItems: async (_store, itemIds) => new Map(itemIds.map((itemId) => [itemId, item(itemId)])),
    readCares: async () => [],
    now: () => new Date(),
    async *listItems() {
      yield page("a");
      yield page("b");
    },
    async readLinks(_store, itemIds) {
      links.push(itemIds.length);
      return new Map();
    },
    async readDue(_store, itemIds) {
      due.push(itemIds.length);
      return new Map([["b7", new Date("2026-03-01T09:00:00Z")]]);
    },
  }).find(({ operationId }) => operationId === "listItems");
  const settings = { ...envelope, ...demoStore, _id: store };
  const call = { store, settings, params: {}, query: { projection, limit: 1000 }, body: undefined };
  const answer = await route?.handle(partOf(call));
  const body: { itemId: string; validFrom?: string | null }[] = JSON.parse(await text(answer?.body as Readable));
  return { due, links, body };
}

test("the next changes of items are read once per page of records", async (t) => {
  const { due, links, body } = await list("L");
  t.deepEqual(
    [due, links],
    [
      [500, 500],
      [500, 500],
    ],
  );
  t.is(body.length, 1000);
  t.is(body.find(({ itemId }) => itemId === "b7")?.validFrom, "2026-03-01 10:00:00");
  t.is(body.find(({ itemId }) => itemId === "a7")?.validFrom, null);
});

test("nothing outside the projection is read", async (t) => {
  const [small, medium] = [await list("S"), await list("M")];
  t.deepEqual([small.due, small.links], [[], []]);
  t.deepEqual([medium.due, medium.links], [[500, 500], []]);
});
