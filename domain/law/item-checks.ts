import { type Item, propertiesOf } from "../../schemas/item.ts";
import { compare, type PriceNumber, priceNumber } from "../prices/price-number.ts";
import type { lawChecks } from "./provisions.ts";

type Checks = typeof lawChecks;
type ItemCheck = { [Name in keyof Checks]: Checks[Name]["of"] extends "item" ? Name : never }[keyof Checks];

/** Non-metric units that may appear in item data. */
const NOT_METRIC =
  /(?:^|[\s\d])(fl\.?\s?oz|oz|ounces?|lbs?|pounds?|pints?|pt|gal|gallons?|yd|yards?|ft|feet|in|inch(?:es)?)\.?$/i;

/** The checks of an item, by name. Each returns what is wrong, or undefined if the item complies with the law. */
export const itemChecks: Readonly<Record<ItemCheck, (item: Item) => string | undefined>> = {
  SENT_PRIOR_PRICE({ charged, ...item }) {
    const [sent, lowest] = [propertyOf(item, "lowestPrice30"), charged?.prior];
    if (!isLower(lowest, sent)) return undefined;
    return `lowestPrice30 is ${sent}, but ${lowest} was charged in the period before the current price; send ${lowest}, or show item.priorPrice`;
  },

  NO_REDUCTION({ charged, price, ...item }) {
    const former = propertyOf(item, "formerPrice");
    if (!isLower(price, former) || charged?.prior === undefined || isLower(price, charged.prior)) return undefined;
    return `formerPrice is ${former} and the price ${price}, but the prior price is ${charged.prior}; remove formerPrice`;
  },

  QUANTITY({ price, ...item }) {
    if (price === undefined || priceNumber(price) === undefined) return undefined;
    if (["quantity", "unitPrice", "unit"].some((key) => propertyOf(item, key) !== undefined)) return undefined;
    return 'has no quantity, so no unit price can be shown; send quantity such as "0.75 l"';
  },

  METRIC(item) {
    const quantity = propertyOf(item, "quantity");
    if (quantity === undefined || !NOT_METRIC.test(quantity.trim())) return undefined;
    return `quantity is "${quantity}", which is not metric; send it in kg, g, l, ml or m`;
  },
};

const propertyOf = (item: Pick<Item, "properties">, name: string): string | undefined =>
  propertiesOf(item).find(({ key }) => key === name)?.value;

/** Whether both are numbers and the first is lower than the second. */
function isLower(one: string | undefined, other: string | undefined): boolean {
  const [first, second] = [numberOf(one), numberOf(other)];
  return first !== undefined && second !== undefined && compare(first, second) < 0;
}

const numberOf = (text: string | undefined): PriceNumber | undefined =>
  text === undefined ? undefined : priceNumber(text);
