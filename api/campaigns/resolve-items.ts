import type { Db } from "mongodb";
import { campaignPrice, hasPrices } from "../../domain/campaigns/campaign-price.ts";
import { regularOf } from "../../domain/campaigns/offers.ts";
import { items } from "../../records/kinds/items.ts";
import { listRecords } from "../../records/list-records.ts";
import type { Records } from "../../records/records.ts";
import { type Campaign, MAX_CAMPAIGN_ITEMS } from "../../schemas/campaign.ts";
import type { PreviewedItem } from "../../schemas/campaign-answers.ts";
import { inBatches } from "../../schemas/in-batches.ts";
import { exists, type Item, propertiesOf } from "../../schemas/item.ts";
import { itemKey } from "../../schemas/keys.ts";
import type { Stored } from "../../schemas/record.ts";
import { ProblemError } from "../http/problem-error.ts";

/** A campaign's item in a store: its regular values and its price, or the reason why it is left out. */
export interface ResolvedItem {
  itemId: string;
  item?: Stored<Item>;
  price?: string;
  leftOut?: NonNullable<PreviewedItem["leftOut"]>;
}

export type Selection = Pick<Campaign, "items" | "filter" | "prices">;

export interface ResolveWorld {
  db: Db;
  records: Records;
}

const ITEMS_PER_READ = 500;

/**
 * Returns a campaign's items in a store, with prices based on their current regular values: first the listed items, then
 * those that match the filter.
 */
export async function resolveItems(world: ResolveWorld, store: string, selection: Selection): Promise<ResolvedItem[]> {
  const { items: listed = [], prices = {} } = selection;
  const own = new Map(listed.map(({ itemId, price }) => [itemId, price]));
  const resolved: ResolvedItem[] = [];
  for (const batch of inBatches([...own.keys()], ITEMS_PER_READ)) {
    const found = await world.records.read(
      items,
      batch.map((itemId) => itemKey(store, itemId)),
    );
    for (const itemId of batch)
      resolved.push(resolve(itemId, found.get(itemKey(store, itemId)), own.get(itemId), prices));
  }
  for await (const item of filtered(world, store, selection)) {
    if (own.has(item.itemId)) continue;
    resolved.push(resolve(item.itemId, item, undefined, prices));
    if (resolved.length > MAX_CAMPAIGN_ITEMS) throw tooMany();
  }
  return resolved;
}

function resolve(
  itemId: string,
  stored: Stored<Item> | undefined,
  own: string | undefined,
  prices: NonNullable<Selection["prices"]>,
): ResolvedItem {
  if (stored === undefined || !exists(stored)) return { itemId, leftOut: "NO_ITEM" };
  const item = regularOf(stored);
  const price = own ?? campaignPrice(prices, item);
  if (price !== undefined) return { itemId, item, price };
  return { itemId, item, ...(hasPrices(prices) && { leftOut: "NO_PRICE" as const }) };
}

/** Yields the items of a store that match a filter, by their regular values. */
async function* filtered({ db }: ResolveWorld, store: string, { filter }: Selection): AsyncGenerator<Stored<Item>> {
  if (filter === undefined) return;
  const { itemGroup, department, property, value } = filter;
  const stored = {
    deleted: { $exists: false },
    ...(itemGroup !== undefined && { itemGroup }),
    ...(department !== undefined && { department }),
  };
  const hasProperty = (item: Item) =>
    propertiesOf(regularOf(item)).some((one) => one.key === property && (value === undefined || one.value === value));
  for await (const batch of listRecords(db, items, { prefix: itemKey(store, ""), filter: stored }))
    yield* property === undefined ? batch : batch.filter(hasProperty);
}

const tooMany = (): ProblemError =>
  new ProblemError(
    "invalid-request",
    `The filter matches more than ${MAX_CAMPAIGN_ITEMS} items in a store. Choose a narrower filter, or create several campaigns.`,
  );
