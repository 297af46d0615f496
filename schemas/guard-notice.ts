import { type Notice, noticesOf } from "./notice.ts";

/** English text for each guard that a price or a request hits, by code; the price or the request is the sentence's subject. */
export const guardTexts = {
  // About a row.
  PRICE_NOT_NUMBER: 'is "{price}", which is not a number',
  PRICE_NOT_POSITIVE: "is {price}, which is not above zero",
  PRICE_LOW: "is {price}, below {least}, the lowest allowed",
  PRICE_HIGH: "is {price}, above {most}, the highest allowed",
  PRICE_RISE: "rises by {percent}%, from {was} to {price}; at most {most}% is allowed",
  PRICE_FALL: "falls by {percent}%, from {was} to {price}; at most {most}% is allowed",
  PRICE_BELOW_COST: "is {price}, less than {least} times the cost {cost}",
  PRICE_ABOVE_COST: "is {price}, more than {most} times the cost {cost}",
  PRICE_FROZEN: "must not change until {until}",
  PRICE_RISE_FROZEN: "must not rise until {until}",
  PRICE_OUT_OF_HOURS: "must not change at this hour; changes are allowed from {from}",
  PRICE_NEVER: "must not change: all hours in which changes were allowed have passed",
  // About a request as a whole.
  TOO_MANY_PRICES: "changes the price of {count} items at once; at most {most} are allowed",
  TOO_LARGE_SHARE: "changes the price of {count} of the store's {items} items at once; at most {most}% is allowed",
} as const;

export type GuardCode = keyof typeof guardTexts;
export type GuardNotice = Notice<GuardCode>;
export const { notice: guardNotice, text: guardText } = noticesOf(guardTexts);
