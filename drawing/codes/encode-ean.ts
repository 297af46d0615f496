import { gs1CheckDigit } from "../../domain/linking/barcodes/check-digits.ts";
import { notice } from "../../schemas/drawing-notice.ts";
import { shortened } from "../text/shortened.ts";
import { CodeError } from "./code-error.ts";

/** Names of EAN and UPC codes by their number of digits (GS1 General Specifications, section 5.2). */
const names = { 8: "EAN-8", 12: "UPC-A", 13: "EAN-13" } as const;
export type EanLength = keyof typeof names;

/** Widths of space, bar, space and bar, in modules, for each left digit with odd parity. Even parity reverses them. */
const ODD = ["3211", "2221", "2122", "1411", "1132", "1231", "1114", "1312", "1213", "3112"];
/** Parities of an EAN-13's left digits (1 is even), by the first digit of the EAN, which has no bars of its own. */
const PARITIES = ["000000", "001011", "001101", "001110", "010011", "011001", "011100", "010101", "010110", "011010"];
const GUARD = "111";
const MIDDLE = "11111";

/** Encodes an EAN-13, EAN-8 or UPC-A as alternating widths of bars and spaces, in modules. Throws CodeError. */
export function eanWidths(value: string, length: EanLength): readonly number[] {
  checkEan(value, length);
  // A UPC-A is an EAN-13 with a leading zero.
  const digits = length === 12 ? `0${value}` : value;
  const parities = length === 8 ? "0000" : (PARITIES[Number(digits[0])] ?? "");
  const coded = length === 8 ? digits : digits.slice(1);
  const left = [...coded.slice(0, parities.length)].map((digit, index) => widthsOf(digit, parities[index] === "1"));
  // Digits on the right side have the odd widths, with bars and spaces exchanged.
  const right = [...coded.slice(parities.length)].map((digit) => widthsOf(digit, false));
  return Array.from(GUARD + left.join("") + MIDDLE + right.join("") + GUARD, Number);
}

const widthsOf = (digit: string, isEven: boolean): string => {
  const widths = ODD[Number(digit)] ?? "";
  return isEven ? [...widths].reverse().join("") : widths;
};

function checkEan(value: string, length: EanLength): void {
  const named = { text: shortened(value), kind: names[length] };
  if (!/^\d+$/.test(value) || value.length !== length) {
    throw new CodeError(notice("CODE_DIGITS", { ...named, digits: length }));
  }
  const expected = gs1CheckDigit(value.slice(0, -1));
  if (value.at(-1) !== expected) {
    throw new CodeError(notice("CODE_CHECK_DIGIT", { ...named, expected, digit: value.at(-1) ?? "" }));
  }
}
