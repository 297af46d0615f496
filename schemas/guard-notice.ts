import { type Notice, noticesOf } from "./notice.ts";

/** Which guard a price hits, with its numbers, in English by its code. */
export const guardTexts = {
  // Of a row.
  PRICE_NOT_NUMBER: 'the price "{price}" is not a number',
  PRICE_NOT_POSITIVE: "the price {price} is not above zero",
  PRICE_LOW: "the price {price} is below {least}, the lowest allowed",
  PRICE_HIGH: "the price {price} is above {most}, the highest allowed",
  PRICE_RISE: "the price rises by {percent} %, from {was} to {price}; {most} % are allowed",
  PRICE_FALL: "the price falls by {percent} %, from {was} to {price}; {most} % are allowed",
  PRICE_BELOW_COST: "the price {price} is less than {least} times the cost {cost}",
  PRICE_ABOVE_COST: "the price {price} is more than {most} times the cost {cost}",
  PRICE_FROZEN: "prices may not change until {until}",
  PRICE_RISE_FROZEN: "prices may not rise until {until}",
  PRICE_OUT_OF_HOURS: "prices may not change at this hour, but again from {from}",
  PRICE_NEVER: "prices may not change: all hours in which they may have passed",
  // Of a request as a whole.
  TOO_MANY_PRICES: "{count} items change their price at once; {most} may",
  TOO_LARGE_SHARE: "{count} of the store's {items} items change their price at once; {most} % may",
} as const;

export type GuardCode = keyof typeof guardTexts;
export type GuardNotice = Notice<GuardCode>;
export const { notice: guardNotice, text: guardText } = noticesOf(guardTexts);
