import type { OwnFunction } from "../../evaluator/expression/expression.ts";
import { dateText } from "./format-date.ts";
import { numberText } from "./format-number.ts";
import { priceText } from "./price-parts.ts";

/** The settings by which a store writes prices, numbers and dates: the map `store` of an expression. */
interface StoreMap {
  readonly locale: string;
  readonly currency: string;
  readonly timeZone: string;
}

/** Maximum cost of a call (formatting a date), in steps. */
const STEPS = 200;

/** Functions that the texts of a design may call to format a value as its store does. */
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

/** Above this number a binary fraction has no decimals. */
const MAX_NUMBER = 1e15;

/** A calculated number in decimals, rounded to the sixth to drop the error of binary fractions. */
function decimalOf(value: number): string {
  if (!(Math.abs(value) < MAX_NUMBER)) throw new RangeError(`${value} is no number that can be shown`);
  return value.toFixed(6).replace(/\.?0+$/, "");
}
