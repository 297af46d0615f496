import type { OwnFunction } from "../../evaluator/expression/expression.ts";
import { dateText } from "./format-date.ts";
import { numberText } from "./format-number.ts";
import { priceText } from "./price-parts.ts";

/** How a store writes prices, numbers and dates: the map `store` of an expression. */
interface StoreMap {
  readonly locale: string;
  readonly currency: string;
  readonly timeZone: string;
}

/** What one of them takes at the most, a date, in the work of a node of an expression. */
const STEPS = 200;

/** What the texts of a design may call, to write a value in the manner of its store. */
export const formatFunctions: readonly OwnFunction[] = [
  inStore("price(string)", ({ locale, currency }, text: string) => priceText(text, locale, currency)),
  inStore("price(int)", ({ locale, currency }, value: bigint) => priceText(String(value), locale, currency)),
  inStore("price(double)", ({ locale, currency }, value: number) =>
    priceText(decimalOf(value), locale, currency, "rounded"),
  ),
  ...["string", "int", "double"].flatMap((type) => [
    inStore(`number(${type})`, ({ locale }, value: Numeric) => numberText(textOf(value), locale)),
    inStore(`number(${type}, int)`, ({ locale }, value: Numeric, decimals: bigint) =>
      numberText(textOf(value), locale, Number(decimals)),
    ),
  ]),
  inStore("date(string)", ({ locale, timeZone }, text: string) => dateText(text, locale, timeZone)),
  inStore("date(string, string)", ({ locale, timeZone }, text: string, pattern: string) =>
    dateText(text, locale, timeZone, pattern),
  ),
];

type Numeric = string | bigint | number;

function inStore<Values extends unknown[]>(
  signature: string,
  call: (store: StoreMap, ...values: Values) => string,
): OwnFunction {
  return {
    signature: `${signature}: string`,
    steps: STEPS,
    call: ({ store }, ...values: Values) => call(store as unknown as StoreMap, ...values),
  };
}

const textOf = (value: Numeric): string => (typeof value === "number" ? decimalOf(value) : String(value));

/** Above it a binary fraction has no more decimals to tell. */
const MOST = 1e15;

/** What was calculated, in decimals as a price is sent: without what binary fractions leave behind the sixth. */
function decimalOf(value: number): string {
  if (!(Math.abs(value) < MOST)) throw new RangeError(`${value} is no number that can be shown`);
  return value.toFixed(6).replace(/\.?0+$/, "");
}
