import type { Jump, ListedItem } from "../../schemas/price-list.ts";
import { percentOf } from "../prices/price-change.ts";
import { priceNumber } from "../prices/price-number.ts";

/** Returns the price changes in a list: changes that cannot be compared come first, then the largest jumps. */
export function jumpsOf(items: readonly ListedItem[]): Omit<Jump, "itemName">[] {
  const jumps = items.flatMap(([itemId, was, price]) => {
    if (price === null || price === was) return [];
    const [before, after] = [was === null ? undefined : priceNumber(was), priceNumber(price)];
    return [{ itemId, was, price, percent: (before && after && percentOf(before, after)) ?? null }];
  });
  return jumps.sort((one, other) => sizeOf(other) - sizeOf(one));
}

const sizeOf = ({ percent }: Pick<Jump, "percent">): number =>
  percent === null ? Number.MAX_VALUE : Math.abs(percent);
