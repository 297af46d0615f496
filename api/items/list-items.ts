import { Type } from "typebox";
import { inBatches } from "../../schemas/in-batches.ts";
import { type Item, ItemAnswer } from "../../schemas/item.ts";
import type { LinkAnswer } from "../../schemas/link.ts";
import { After, Projection, pageLimit, SerializeDates, Start } from "../../schemas/paging.ts";
import type { Stored } from "../../schemas/record.ts";
import { streamList } from "../http/answers/stream-list.ts";
import { route } from "../http/route.ts";
import { assertOneStart, cursorText, placeOf } from "../query/cursor.ts";
import { itemAnswer } from "./item-answer.ts";

export interface ItemListWorld {
  /** Returns a store's items in batches, ordered by id. */
  listItems(store: string, start: number, limit: number): AsyncIterable<Stored<Item>[]>;
  /** Returns the first item ids of a store after an id, in order. */
  listItemIds(store: string, after: string | undefined, limit: number): Promise<readonly string[]>;
  /** Reads the existing items among these, by id. */
  readItems(store: string, itemIds: readonly string[]): Promise<ReadonlyMap<string, Stored<Item>>>;
  /** Reads when each item's next scheduled update is due, by item id. */
  readDue(store: string, itemIds: readonly string[]): Promise<ReadonlyMap<string, Date>>;
  /** Reads the ACTIVE links of items, by item id. */
  readLinks(store: string, itemIds: readonly string[]): Promise<ReadonlyMap<string, readonly LinkAnswer[]>>;
}

export const itemDates = {
  serializeDatesToIso8601: Type.Optional(SerializeDates("`lastUpdated` with its time zone and a local `validFrom`")),
};

const ORDER = "itemId";
const ITEMS_PER_BATCH = 500;

/** The list of items (docs/integrators/calls.md#lists-in-pages). */
export const itemList = (world: ItemListWorld) =>
  route({
    method: "GET",
    path: "/items",
    operationId: "listItems",
    summary: "List items, ordered by id",
    scope: "items:read",
    query: Type.Object({
      projection: Type.Optional(Projection),
      after: Type.Optional(After),
      start: Type.Optional(Start),
      limit: Type.Optional(pageLimit()),
      ...itemDates,
    }),
    answers: { 200: Type.Array(ItemAnswer.any) },
    handle: async ({ store, settings, query }) => {
      const { projection = "L", limit = 100, serializeDatesToIso8601: isIso } = query;
      assertOneStart(query);
      const { batches, next } =
        query.start === undefined
          ? await itemPage(world, store, query.after, limit)
          : { batches: world.listItems(store, query.start, limit), next: undefined };
      const body = await streamList(batches, async (batch) => {
        const itemIds = batch.map(({ itemId }) => itemId);
        const [links, due] = await Promise.all([
          projection === "L" ? world.readLinks(store, itemIds) : new Map<string, LinkAnswer[]>(),
          projection === "S" ? new Map<string, Date>() : world.readDue(store, itemIds),
        ]);
        return batch.map((item) =>
          itemAnswer(item, projection, settings.timeZone, links.get(item.itemId) ?? [], due.get(item.itemId), isIso),
        );
      });
      return { status: 200, type: "application/json", body, next };
    },
  });

/**
 * Returns the page after a cursor. Its ids are read first, so that the link to the next page points exactly after its
 * last entry, even if items are created or deleted while the page is sent.
 */
async function itemPage(
  { listItemIds, readItems }: ItemListWorld,
  store: string,
  after: string | undefined,
  limit: number,
) {
  const from = after === undefined ? undefined : placeOf(after, ORDER).id;
  const ids = await listItemIds(store, from, limit + 1);
  const shown = ids.slice(0, limit);
  async function* read(): AsyncGenerator<Stored<Item>[]> {
    for (const batch of inBatches(shown, ITEMS_PER_BATCH)) {
      const found = await readItems(store, batch);
      yield batch.flatMap((itemId) => found.get(itemId) ?? []);
    }
  }
  const last = shown.at(-1);
  const next = last !== undefined && ids.length > limit ? cursorText(ORDER, { id: last }) : undefined;
  return { batches: read(), next };
}
