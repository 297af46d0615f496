import type { Commit } from "../../queues/changes/commit.ts";
import { priceListParts, priceLists } from "../../records/kinds/price-lists.ts";
import type { Records } from "../../records/records.ts";
import { idOf, priceListKey, priceListPartKey } from "../../schemas/keys.ts";
import {
  type ListedItem,
  MAX_REQUESTS_PER_LIST,
  type PriceList,
  type PriceListPart,
} from "../../schemas/price-list.ts";
import type { ItemWorld } from "./world.ts";

/** Writes price lists and the items that they change. */
export function createListRecords(
  records: Pick<Records, "read">,
  commit: Commit,
): Pick<ItemWorld, "enterList" | "enterUndo" | "readListFirsts"> {
  return {
    async enterList(store, { list, number, since, by, startsAt, parts }) {
      let first = number;
      const entered = (_: string, current: PriceList | undefined): PriceList => {
        const known = current ?? { since, ...(by && { sentBy: by }), requests: [] };
        const times = [known.startsAt, startsAt].flatMap((time) => time?.getTime() ?? []);
        const requests = withNumber(known.requests, number);
        first = Math.min(...requests);
        return { ...known, ...(times.length > 0 && { startsAt: new Date(Math.min(...times)) }), requests };
      };
      await commit.change(priceLists, [priceListKey(store, list)], entered, "bulk");
      const byKey = new Map([...parts].map(([part, items]) => [priceListPartKey(store, list, number, part), items]));
      const joined = (key: string, current: PriceListPart | undefined): PriceListPart => ({
        items: JSON.stringify(joinedItems(current, byKey.get(key) ?? [])),
      });
      await commit.change(priceListParts, [...byKey.keys()], joined, "bulk");
      return first;
    },

    async readListFirsts(store, lists) {
      const keys = lists.map((list) => priceListKey(store, list));
      const found = await records.read(priceLists, keys);
      return new Map([...found].map(([key, { requests }]) => [idOf(key), Math.min(...requests)]));
    },

    async enterUndo(store, list, { number, at, by }) {
      const undone = (_: string, current: PriceList | undefined): PriceList | undefined => {
        const { undo = { at, ...(by && { by }), requests: [] } } = current ?? {};
        return current && { ...current, undo: { ...undo, requests: withNumber(undo.requests, number) } };
      };
      await commit.change(priceLists, [priceListKey(store, list)], undone, "bulk");
    },
  };
}

const withNumber = (numbers: readonly number[], number: number): number[] =>
  numbers.includes(number) || numbers.length >= MAX_REQUESTS_PER_LIST ? [...numbers] : [...numbers, number];

/** Returns the items of a part. Existing entries stay, since a row that is applied again finds its item already changed. */
function joinedItems(current: PriceListPart | undefined, items: readonly ListedItem[]): ListedItem[] {
  const known = current === undefined ? [] : (JSON.parse(current.items) as ListedItem[]);
  const ids = new Set(known.map(([itemId]) => itemId));
  return [...known, ...items.filter(([itemId]) => !ids.has(itemId))];
}
