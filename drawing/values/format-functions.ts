import { decimalText } from "../../domain/expression/decimal.ts";
import type { OwnFunction } from "../../domain/expression/expression.ts";
import { isNumber } from "../../domain/prices/price-number.ts";
import { notice } from "../../schemas/drawing-notice.ts";
import { dateText } from "./format-date.ts";
import { numberText } from "./format-number.ts";
import { priceText } from "./format-price.ts";
import { ValueError } from "./value-error.ts";

/** A store's settings for writing prices, numbers and dates: the map `store` of an expression. */
export interface StoreMap {
  readonly locale: string;
  readonly currency: string;
  readonly timeZone: string;
  /** Whether unit prices of goods sold by weight or volume are per 100 g or 100 ml. */
  readonly unitPricePer100?: boolean;
}

/** Steps for each call: as many as for a call that formats a date. */
const STEPS = 200;

/** Steps for a letter of a date's pattern, since a part of the date is formatted for it. */
const DATE_LETTER_STEPS = 5;

/** Maximum length of a string that a function accepts: an item's longest value. */
export const MAX_ARGUMENT = 4096;

/** Maximum number of decimal places of a rounded number, and of a calculated one unless the design specifies how many. */
const MAX_DECIMALS = 6;

type Numeric = string | bigint | number;
const numericTypes = ["string", "int", "double"] as const;

/** Functions that a design's text may call to calculate a value, and to format it by the store's settings. */
export const formatFunctions: readonly OwnFunction[] = [
  ...numericTypes.flatMap((type) => [
    inStore(`price(${type}): string`, (store, value: Numeric) => priceOf(value, store, store.currency)),
    inStore(`price(${type}, string): string`, (store, value: Numeric, currency: string) =>
      priceOf(value, store, currency),
    ),
    inStore(`number(${type}): string`, ({ locale }, value: Numeric) => numberText(textOf(value, MAX_DECIMALS), locale)),
    inStore(`number(${type}, int): string`, ({ locale }, value: Numeric, decimals: bigint) =>
      numberText(textOf(value), locale, Number(decimals)),
    ),
    inStore(`round(${type}): double`, (_, value: Numeric) => roundedTo(value, 0n, "half")),
    inStore(`round(${type}, int): double`, (_, value: Numeric, decimals: bigint) => roundedTo(value, decimals, "half")),
    inStore(`floor(${type}): double`, (_, value: Numeric) => roundedTo(value, 0n, "down")),
    inStore(`floor(${type}, int): double`, (_, value: Numeric, decimals: bigint) => roundedTo(value, decimals, "down")),
  ]),
  inStore("date(string): string", ({ locale, timeZone }, text: string) => dateText(text, locale, timeZone)),
  inStore(
    "date(string, string): string",
    ({ locale, timeZone }, text: string, pattern: string) => dateText(text, locale, timeZone, pattern),
    ([, pattern]) => DATE_LETTER_STEPS * textLength([pattern]),
  ),
];

/**
 * Defines a function that reads the store's settings. Each character of its strings costs a step, in addition to what `more`
 * charges.
 */
export function inStore<Values extends unknown[]>(
  signature: string,
  call: (store: StoreMap, ...values: Values) => string | number,
  more: (values: readonly unknown[]) => number = () => 0,
): OwnFunction {
  return {
    signature,
    cost: (...values) => STEPS + textLength(values) + more(values),
    call: ({ store }, ...values: Values) => call(store as unknown as StoreMap, ...values),
  };
}

/** Returns the length of all strings among a call's values. Throws ValueError for a string that is too long. */
function textLength(values: readonly unknown[]): number {
  const lengths = values.map((value) => (typeof value === "string" ? value.length : 0));
  const longest = Math.max(0, ...lengths);
  if (longest > MAX_ARGUMENT) throw new ValueError(notice("ARGUMENT_TOO_LONG", { most: MAX_ARGUMENT, count: longest }));
  return lengths.reduce((sum, length) => sum + length, 0);
}

/** A price that was sent keeps every decimal place. A calculated price has as many as its currency. */
const priceOf = (value: Numeric, { locale }: StoreMap, currency: string): string =>
  typeof value === "number"
    ? priceText(decimalText(value), locale, currency, "rounded")
    : priceText(String(value), locale, currency);

const textOf = (value: Numeric, decimals?: number): string =>
  typeof value === "number" ? decimalText(value, decimals) : String(value);

function roundedTo(value: Numeric, decimals: bigint, mode: "half" | "down"): number {
  if (decimals < 0n || decimals > MAX_DECIMALS)
    throw new ValueError(notice("DECIMALS_OF_ROUNDING", { most: MAX_DECIMALS, decimals: String(decimals) }));
  if (typeof value === "string" && !isNumber(value)) throw new ValueError(notice("NOT_A_NUMBER", { text: value }));
  return Number(decimalText(value, Number(decimals), mode));
}
