/** A price as an exact number: `digits` times ten to the power of `-scale`. */
export interface PriceNumber {
  digits: bigint;
  scale: number;
}

/** Parses a price. Undefined for text that is not a number, such as "2 for 5". */
export function priceNumber(text: string): PriceNumber | undefined {
  if (!/^-?\d+(\.\d+)?$/.test(text)) return undefined;
  const [whole = "", fraction = ""] = text.split(".");
  return { digits: BigInt(whole + fraction), scale: fraction.length };
}

/** Returns a number below 0 if the first is smaller, above 0 if it is larger. */
export function compare(one: PriceNumber, other: PriceNumber): number {
  const scale = Math.max(one.scale, other.scale);
  const difference = scaledTo(scale, one) - scaledTo(scale, other);
  return difference < 0n ? -1 : Number(difference > 0n);
}

export const isPositive = ({ digits }: PriceNumber): boolean => digits > 0n;

/** Returns the product of a price and a number from a setting. */
export const product = (one: PriceNumber, factor: number): PriceNumber => {
  const other = settingNumber(factor);
  return { digits: one.digits * other.digits, scale: one.scale + other.scale };
};

/** Whether a price rises or falls by more than this percentage. False if the former price is not above zero. */
export function changesBeyond(was: PriceNumber, price: PriceNumber, percent: number): boolean {
  if (!isPositive(was)) return false;
  const scale = Math.max(was.scale, price.scale);
  const change = scaledTo(scale, price) - scaledTo(scale, was);
  const allowed = product({ digits: scaledTo(scale, was), scale: 0 }, percent);
  return (change < 0n ? -change : change) * 100n * power(allowed.scale) > allowed.digits;
}

/** Returns the change in percent, rounded to a tenth. Undefined if the former price is not above zero. */
export function percentOf(was: PriceNumber, price: PriceNumber): number | undefined {
  if (!isPositive(was)) return undefined;
  const scale = Math.max(was.scale, price.scale);
  const before = scaledTo(scale, was);
  const change = scaledTo(scale, price) - before;
  const tenths = ((change < 0n ? -change : change) * 2000n + before) / (2n * before);
  return Number(change < 0n ? -tenths : tenths) / 10;
}

const power = (exponent: number): bigint => 10n ** BigInt(exponent);
const scaledTo = (scale: number, { digits, scale: own }: PriceNumber): bigint => digits * power(scale - own);

/** Throws for a number whose text has an exponent, because no setting may be that small or that large. */
function settingNumber(value: number): PriceNumber {
  const found = priceNumber(String(value));
  if (found === undefined) throw new RangeError(`${value} is not a number between 0.000001 and 1e21`);
  return found;
}
