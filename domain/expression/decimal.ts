/** A finite decimal number: `digits` times ten to the power of `-scale`. */
interface Decimal {
  digits: bigint;
  scale: number;
}

export type ArithmeticOperator = "+" | "-" | "*" | "/";

/**
 * Significant digits of a quotient. With 20, one in ten thousand quotients is rounded to the wrong double. A quotient of two
 * doubles and the midpoint between two doubles always differ within about 33 digits.
 */
const QUOTIENT_DIGITS = 40;
/**
 * If the last digits of two numbers are this far apart, the smaller number does not change the sum at the precision of a
 * double.
 */
const MAX_APART = 80;
/** At this number and above, the decimal places of a double are not reliable. */
const MAX_NUMBER = 1e15;

/**
 * Calculates in decimal, so that 3.0 * 1.1 is 3.3 and not 3.3000000000000003. The result is the double nearest to the exact
 * result, so a result of at most 15 digits is exact. Undefined unless both operands are doubles.
 */
export function calculate(operator: ArithmeticOperator, left: unknown, right: unknown): number | undefined {
  if (typeof left !== "number" || typeof right !== "number") return undefined;
  const native = nativeResult(operator, left, right);
  if (!Number.isFinite(native) || isExact(native, left, right)) return native;
  const [one, other] = [decimalOf(left), decimalOf(right)];
  if (operator === "*") return numberOf({ digits: one.digits * other.digits, scale: one.scale + other.scale });
  if (operator === "/") return numberOf(quotient(one, other));
  if (Math.abs(one.scale - other.scale) > MAX_APART) return native;
  const scale = Math.max(one.scale, other.scale);
  const [first, second] = [one, other].map((value) => value.digits * power(scale - value.scale)) as [bigint, bigint];
  return numberOf({ digits: operator === "+" ? first + second : first - second, scale });
}

/**
 * Formats a number with all of its decimal places and without an exponent, or with at most the given number of them. `half`
 * rounds halves away from zero; `down` returns the next lower number. A string must consist of digits with at most one point.
 * Throws RangeError for a double that is not finite or is too large to have reliable decimal places.
 */
export function decimalText(
  value: number | bigint | string,
  decimals?: number,
  mode: "half" | "down" = "half",
): string {
  if (typeof value === "number" && !(Math.abs(value) < MAX_NUMBER))
    throw new RangeError(`${value} is not a number that can be shown`);
  const exact = decimalOf(value);
  return plainText(decimals === undefined || exact.scale <= decimals ? exact : cut(exact, decimals, mode));
}

/** Returns the product of two decimals, which are strings, with all of its digits. */
export function productText(one: string, other: string): string {
  const [first, second] = [decimalOf(one), decimalOf(other)];
  return plainText({ digits: first.digits * second.digits, scale: first.scale + second.scale });
}

/** Removes zeros from the end with a loop, because a pattern would start again at each inner zero. */
export function withoutFinalZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === "0") end -= 1;
  return digits.slice(0, end);
}

/** For a decimal without a positive exponent. No decimal that is shown has one. */
function plainText({ digits, scale }: Decimal): string {
  if (scale === 0) return String(digits);
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, "0");
  const fraction = withoutFinalZeros(text.slice(-scale));
  return `${digits < 0n ? "-" : ""}${text.slice(0, -scale)}${fraction && "."}${fraction}`;
}

function nativeResult(operator: ArithmeticOperator, left: number, right: number): number {
  if (operator === "+") return left + right;
  if (operator === "-") return left - right;
  return operator === "*" ? left * right : left / right;
}

/** Whether no digit has been lost. True for whole numbers, and also for zero, because a decimal would lose its sign. */
const isExact = (result: number, left: number, right: number): boolean =>
  left === 0 || right === 0 || [result, left, right].every(Number.isSafeInteger);

function decimalOf(value: number | bigint | string): Decimal {
  const [mantissa = "", exponent = "0"] = String(value).split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), scale: fraction.length - Number(exponent) };
}

const numberOf = ({ digits, scale }: Decimal): number => Number(`${digits}e${-scale}`);

const power = (exponent: number): bigint => 10n ** BigInt(exponent);

function quotient(one: Decimal, other: Decimal): Decimal {
  const lacking = QUOTIENT_DIGITS + String(other.digits).length - String(one.digits).length;
  const more = Math.max(0, lacking);
  return { digits: (one.digits * power(more)) / other.digits, scale: one.scale - other.scale + more };
}

function cut({ digits, scale }: Decimal, decimals: number, mode: "half" | "down"): Decimal {
  const unit = power(scale - decimals);
  const [whole, rest] = [digits / unit, digits % unit];
  if (mode === "down") return { digits: rest < 0n ? whole - 1n : whole, scale: decimals };
  const isUp = 2n * (rest < 0n ? -rest : rest) >= unit;
  return { digits: isUp ? whole + (digits < 0n ? -1n : 1n) : whole, scale: decimals };
}
