/** A price as an exact number: `digits` times ten to the power of `-scale`. */
export interface PriceNumber {
  digits: bigint;
  scale: number;
}

/** Whether a string is a number in digits, such as `-1.50`. */
export const isNumber = (text: string): boolean => /^-?\d+(?:\.\d+)?$/.test(text);

/** Whether a string is a price in digits, such as `1.50`. */
export const isPrice = (text: string): boolean => /^\d+(?:\.\d+)?$/.test(text);

/** Parses a price. Undefined for text that is not a number, such as "2 for 5". */
export function priceNumber(text: string): PriceNumber | undefined {
  if (!isNumber(text)) return undefined;
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

/** Returns the digits of a price with this many decimal places. */
export const scaledTo = (scale: number, { digits, scale: own }: PriceNumber): bigint =>
  digits * 10n ** BigInt(scale - own);

/** Throws for a number whose text has an exponent, because no setting may be that small or that large. */
function settingNumber(value: number): PriceNumber {
  const found = priceNumber(String(value));
  if (found === undefined) throw new RangeError(`${value} is not a number between 0.000001 and 1e21`);
  return found;
}
