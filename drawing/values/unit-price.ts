import { calculate, decimalText } from "../../domain/expression/decimal.ts";
import { isPrice } from "../../domain/prices/price-number.ts";
import { type DrawingNotice, notice } from "../../schemas/drawing-notice.ts";
import { shortened } from "../text/shortened.ts";
import type { StoreMap } from "./format-functions.ts";
import { currencyDecimals, priceText } from "./format-price.ts";
import { type Quantity, readQuantity } from "./quantity.ts";
import { type Unit, unitText } from "./units.ts";
import { ValueError } from "./value-error.ts";

/** The units for which the law requires unit prices (Directive 98/6/EC, article 2). */
type LegalUnit = "kg" | "l" | "m" | "m²" | "m³" | "piece";

/** For each unit: its legal unit, and the fraction of that legal unit that it equals. */
const LEGAL: Readonly<Record<Unit, readonly [unit: LegalUnit, part: number]>> = {
  kg: ["kg", 1],
  g: ["kg", 0.001],
  mg: ["kg", 0.000_001],
  l: ["l", 1],
  dl: ["l", 0.1],
  cl: ["l", 0.01],
  ml: ["l", 0.001],
  m: ["m", 1],
  cm: ["m", 0.01],
  mm: ["m", 0.001],
  "m²": ["m²", 1],
  "m³": ["m³", 1],
  piece: ["piece", 1],
};

/** For each legal unit, the smaller unit for which a store may show prices per 100: 100 g is a tenth of a kilogram. */
const HUNDREDS: Readonly<Partial<Record<LegalUnit, Unit>>> = { kg: "g", l: "ml" };
const PER_LEGAL_UNIT = 10;

/** Returns the quantity of a unit price in the store's language: `kg`, `kom`, or `100 g` if the store is configured so. */
export const baseUnitIn = (quantity: string, store: StoreMap): string => contentsOf(quantity, store).base;

/**
 * Returns the unit price for a price and a quantity, with its unit: `11,98 €/kg`. A unit price that was `sent` is per legal
 * unit, or per 100 g or 100 ml, whichever agrees with price and quantity. It keeps its digits if the store shows unit prices
 * for that quantity. Throws ValueError if the unit price cannot be known: a wrong one is worse than none.
 */
export function unitPriceIn(price: string, quantity: string, store: StoreMap, sent?: string): string {
  const contents = contentsOf(quantity, store);
  const { inLegal, isPerHundred, base } = contents;
  if (!isPrice(price) || Number(price) === 0) throw new ValueError(notice("NOT_A_PRICE", { text: price }));
  const sentFor = sent === undefined ? "nothing" : basisOf(sent, price, contents);
  if (sentFor === "neither")
    throw new ValueError(notice("UNIT_PRICE_WRONG", { sent: sent ?? "", price, quantity: quantity.trim() }));
  const amount = amountOf();
  if (Number(amount) === 0) throw new ValueError(notice("UNIT_PRICE_SMALL", { price, quantity }));
  return `${priceText(amount, store.locale, store.currency)}/${base}`;

  /** Returns the digits that were sent, if nothing must be calculated. */
  function amountOf(): string {
    if (sent !== undefined && sentFor === (isPerHundred ? "hundred" : "legal unit")) return sent;
    if (sent !== undefined && sentFor === "legal unit") return rounded(calculate("/", Number(sent), PER_LEGAL_UNIT));
    if (hasThousands(contents)) throw new ValueError(notice("QUANTITY_UNCLEAR", { text: quantity.trim() }));
    if (inLegal === 0) throw new ValueError(notice("QUANTITY_EMPTY", { text: quantity }));
    return rounded(calculate("/", Number(price), isPerHundred ? inLegal * PER_LEGAL_UNIT : inLegal));
  }

  function rounded(number = 0): string {
    return decimalText(number, currencyDecimals(store.currency));
  }
}

/** Nobody uses thousandths of a gram or similar units: `1.500 ml` may be 1500. */
const hasThousands = ({ number, part }: Contents): boolean => part < 1 && /^[1-9]\d{0,2}\.\d{3}$/.test(number);

/** Returns the quantity to which a unit price that was sent refers. */
function basisOf(sent: string, price: string, contents: Contents): "legal unit" | "hundred" | "neither" {
  if (!isPrice(sent)) return "neither";
  if (agree(sent, price, contents, 1)) return "legal unit";
  return HUNDREDS[contents.legal] && agree(sent, price, contents, PER_LEGAL_UNIT) ? "hundred" : "neither";
}

/** A price with its unit at the end, such as `11,98 €/g`. */
const PRICE_FOR = /\p{Sc}\/(\p{L}[\p{L}\d²³]*)\.?$/u;

/** Returns warnings about text that ends in a price for a part of a legal unit, such as a gram. */
export function notForLegalUnit(text: string): DrawingNotice[] {
  const [, sent] = text.includes("/") ? (PRICE_FOR.exec(text.trimEnd()) ?? []) : [];
  const unit = sent === undefined ? undefined : readQuantity(sent)?.unit;
  if (unit === undefined || LEGAL[unit][1] === 1) return [];
  return [notice("NOT_LEGAL_UNIT", { text: shortened(text), unit, legal: LEGAL[unit][0] })];
}

/** A quantity with the unit of its unit price. */
interface Contents {
  /** The number of packs, and the contents of each as sent, but with a decimal point. */
  count: number;
  number: string;
  /** The share of the legal unit in one sent unit, and in the whole quantity. */
  part: number;
  inLegal: number;
  legal: LegalUnit;
  /** Whether the store shows unit prices per 100 g or 100 ml. */
  isPerHundred: boolean;
  base: string;
}

function contentsOf(text: string, { locale, unitPricePer100 = false }: StoreMap): Contents {
  const { count = 1, number = "1", sent = "", unit, mayBeSize }: Partial<Quantity> = readQuantity(text) ?? {};
  if (unit === undefined) throw new ValueError(notice("QUANTITY_WITHOUT_LAW", { text }));
  if (mayBeSize)
    throw new ValueError(notice("QUANTITY_OR_SIZE", { text, example: `${count} kom à ${number} ${sent}` }));
  const [legal, part] = LEGAL[unit];
  if (legal === "piece" && Number(number) < 1) throw new ValueError(notice("QUANTITY_BELOW_PIECE", { text }));
  const hundred = unitPricePer100 ? HUNDREDS[legal] : undefined;
  const base = unitText({ unit: hundred ?? legal, sent }, locale);
  return {
    count,
    number,
    part,
    inLegal: calculate("*", calculate("*", Number(number), part) as number, count) as number,
    legal,
    isPerHundred: hundred !== undefined,
    base: hundred === undefined ? base : `100\u00a0${base}`,
  };
}

/**
 * Whether a unit price agrees with price and quantity. `perLegalUnit` is how often the unit price's quantity fits into a legal
 * unit. Price lists round both values up, down or to the nearest, such as `0.41 kg` for 405 g. So the last decimal place, or
 * the second if there are fewer, may be off by one.
 */
function agree(sent: string, price: string, { count, number, part }: Contents, perLegalUnit: number): boolean {
  const perUnit = Number(price) / (part * perLegalUnit * count);
  const [quantity, unitPrice] = [Number(number), Number(sent)];
  const isWholeOfSmaller = part < 1 && !number.includes(".");
  // In a multipack, the total may be rounded instead: 274 g for 6 x 45.6 g.
  const ofAll = part < 1 && count > 1 ? HALF / count : 0;
  const inexact = isWholeOfSmaller ? HALF : Math.max(lastDecimal(number), ofAll);
  const least = perUnit / (quantity + inexact);
  const most = quantity > inexact ? perUnit / (quantity - inexact) : Number.POSITIVE_INFINITY;
  return unitPrice >= least - lastDecimal(sent) && unitPrice <= most + lastDecimal(sent);
}

/** Grams and similar units are rounded to the nearest whole unit. */
const HALF = 0.5;

const lastDecimal = (number: string): number => 10 ** -Math.max(2, number.split(".")[1]?.length ?? 0);
