import { type Unit, unitNamed } from "./units.ts";

/** A parsed quantity: its unit as it was sent, and the known unit that it means, if any. */
export interface Quantity {
  /** Packs in a multipack (6 of `6 x 330 ml`), otherwise 1. */
  count: number;
  /** The contents of a pack, with a decimal point. */
  number: string | undefined;
  sent: string;
  unit: Unit | undefined;
  /** Set if the text may also be a size (`2 x 3 m`). */
  mayBeSize?: true;
}

/**
 * A quantity without spaces around it. Spaces may only follow a number. Otherwise, two parts of the pattern could match the same
 * spaces.
 */
const QUANTITY = /^(?:(\d+(?:[.,]\d+)?)\s*)?(\p{L}[\p{L}\d²³]*)\.?$/u;

/** Reads a quantity (`0.50 KG`), a multipack (`6 x 330 ml`), or only a unit. Undefined for any other text. */
export function readQuantity(text: string): Quantity | undefined {
  const trimmed = text.trim();
  const [, number, sent] = QUANTITY.exec(trimmed) ?? [];
  const one = sent === undefined ? undefined : quantityOf("1", number, sent);
  // `4x85g` also looks like a number with a unit.
  return one?.unit === undefined ? (readMultipack(trimmed) ?? one) : one;
}

/** A longer text is not a multipack. */
const MAX_MULTIPACK_LENGTH = 40;
const TOKEN = /\d+(?:[.,]\d+)?|[mм][23²³]|\p{L}+|\S/giu;
const NUMBER = /^\d/;
const WORD = /^\p{L}/u;
/** Signs between factors, on Latin and Cyrillic keyboards. */
const SIGNS = new Set(["x", "×", "х", "*"]);
/** Words between the number of packs and the contents of each. */
const EACH = new Set(["à", "á", "a", "@", "je", "po", "od", "of", "per", "по", "de", "da"]);

/** Reads `6 x 330 ml`, `330 ml x 6`, `21 g x 2 kom`, `6 à 330 ml` and `4 Stk. à 250 g`. Undefined for any other text. */
function readMultipack(text: string): Quantity | undefined {
  if (text.length > MAX_MULTIPACK_LENGTH) return undefined;
  const all = text.match(TOKEN) ?? [];
  const tokens = all.filter((token, index) => token !== "." || !WORD.test(all[index - 1] ?? ""));
  const [first = "", second = "", third = "", fourth = "", fifth = "", ...more] = tokens;
  if (more.length > 0) return undefined;
  if (isJoint(second)) return fifth === "" ? packOf(first, second, third, fourth) : undefined;
  if (SIGNS.has(third.toLowerCase())) {
    if (WORD.test(fourth)) return undefined;
    if (fifth === "" || unitNamed(fifth) === "piece") return packOf(fourth, third, first, second);
  }
  const isCounted = WORD.test(second) && [undefined, "piece"].includes(unitNamed(second));
  // In a size, no word follows the first number.
  return isCounted && isJoint(third) ? packOf(first, "à", fourth, fifth) : undefined;
}

const isJoint = (token: string): boolean => SIGNS.has(token.toLowerCase()) || EACH.has(token.toLowerCase());
const isLength = (unit: Unit | undefined): boolean => unit === "m" || unit === "cm" || unit === "mm";

function packOf(count: string, joint: string, number: string, sent: string): Quantity | undefined {
  if (!/^\d+$/.test(count) || !NUMBER.test(number) || !WORD.test(sent)) return undefined;
  const quantity = quantityOf(count, number, sent);
  const mayBeSize = SIGNS.has(joint.toLowerCase()) && isLength(quantity.unit);
  return { ...quantity, ...(mayBeSize && { mayBeSize }) };
}

const quantityOf = (count: string, number: string | undefined, sent: string): Quantity => ({
  count: Number(count),
  number: number?.replace(",", "."),
  sent,
  unit: unitNamed(sent),
});
