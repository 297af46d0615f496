import type { CampaignPrices } from "../../schemas/campaign.ts";
import { type Item, propertiesOf } from "../../schemas/item.ts";
import { type PriceNumber, priceNumber } from "../prices/price-number.ts";

/** Number of decimal places to which percentages are rounded. */
const PERCENT_SCALE = 2;

/** Whether a campaign changes prices. */
export const hasPrices = ({ fixed, percent, property }: CampaignPrices = {}): boolean =>
  fixed !== undefined || percent !== undefined || property !== undefined;

/**
 * Computes an item's price by a rule from the item's regular values. Undefined if it cannot be computed: the item lacks the
 * property, or its regular price is not a number above zero.
 */
export function campaignPrice(
  { fixed, percent, property, ending }: CampaignPrices,
  item: Pick<Item, "price" | "properties">,
): string | undefined {
  if (fixed !== undefined) return fixed;
  if (property !== undefined) return propertiesOf(item).find(({ key }) => key === property)?.value;
  if (percent === undefined) return undefined;
  const regular = priceNumber(item.price ?? "");
  if (regular === undefined || regular.digits <= 0n) return undefined;
  const reduced = reduce(regular, percent);
  return textOf(ending === undefined ? reduced : endingWith(reduced, ending));
}

/** Returns the reduced price, rounded half up to the price's decimal places. */
function reduce({ digits, scale }: PriceNumber, percent: number): PriceNumber {
  const unit = 10n ** BigInt(PERCENT_SCALE);
  const left = 100n * unit - BigInt(Math.round(percent * Number(unit)));
  const whole = 100n * unit;
  return { digits: (2n * digits * left + whole) / (2n * whole), scale };
}

/**
 * Returns the largest price that ends in these digits and is not above the given price. If no such price is above zero, returns
 * the given price.
 */
function endingWith({ digits, scale }: PriceNumber, ending: string): PriceNumber {
  const [unit, last] = [10n ** BigInt(ending.length), BigInt(ending)];
  const lowered = digits - ((((digits - last) % unit) + unit) % unit);
  return { digits: lowered > 0n ? lowered : digits, scale };
}

function textOf({ digits, scale }: PriceNumber): string {
  const text = digits.toString().padStart(scale + 1, "0");
  return scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`;
}
