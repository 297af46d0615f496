import type { DecimalSign } from "../prices/decimal-sign.ts";
import { decimalSignIn, readPrice } from "../prices/read-price.ts";
import type { CsvRow } from "./csv.ts";

/**
 * The meaning of a column: nothing, a field of the item, one of its codes, or a property with the column's own name.
 */
export const targets = [
  "",
  "itemId",
  "itemName",
  "price",
  "itemGroup",
  "department",
  "presentation",
  "sics",
  "property",
] as const;
export type Target = (typeof targets)[number];

/** A row for the API, made from a row of the file. */
export interface ItemRow {
  itemId: string;
  itemName?: string;
  price?: string;
  itemGroup?: string;
  department?: string;
  presentation?: string;
  sics?: string[];
  properties?: Record<string, string>;
}

/**
 * Words in a header that identify its column, in English, German and Croatian; compared without diacritics, spaces and
 * case.
 */
const words: readonly (readonly [Target, RegExp])[] = [
  ["sics", /^(barcode|barkod|ean|gtin|upc|sic|sics|plu|strichcode|ean\d*|eancode|eankod)$/],
  [
    "itemId",
    /^(itemid|item|id|sku|(item|article|product)(number|no|id|code)|artikel(nummer|nr|id)?|artnr|sifra(proizvoda|artikla)?|brojartikla)$/,
  ],
  [
    "itemName",
    /^(itemname|name|(product|item|article)name|title|bezeichnung|artikelname|artikelbezeichnung|naziv(proizvoda|artikla)?|opis)$/,
  ],
  ["price", /^(price|(sales|retail|unit|selling)?price|preis|vk|vkpreis|verkaufspreis|cijena|mpc|maloprodajnacijena)$/],
  ["itemGroup", /^(itemgroup|group|category|warengruppe|kategorie|gruppe|grupa|kategorija(proizvoda)?)$/],
  ["department", /^(department|abteilung|odjel)$/],
  ["presentation", /^(presentation|ipf|aufmachung|prikaz)$/],
];
const plainOf = (header: string): string =>
  header
    .normalize("NFD")
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");

/** Guesses the meaning of each column from its header or, if that does not help, from the values in the first rows. */
export function guessTargets(header: readonly string[], rows: readonly CsvRow[]): Target[] {
  const taken = new Set<Target>();
  const take = (target: Target): Target => {
    if (taken.has(target) && target !== "sics") return "";
    taken.add(target);
    return target;
  };
  const guessed = header.map((name) => take(words.find(([, pattern]) => pattern.test(plainOf(name)))?.[0] ?? ""));
  const fill = (target: Target, isLike: (values: string[]) => boolean) => {
    if (taken.has(target)) return;
    const at = guessed.findIndex((found, column) => found === "" && isLike(valuesOf(rows, column)));
    if (at >= 0) guessed[at] = take(target);
  };
  fill(
    "itemId",
    (values) => values.every((value) => /^[\w./-]{1,32}$/.test(value)) && new Set(values).size === values.length,
  );
  fill("price", (values) => values.every((value) => /^\D{0,4}\d+[.,]\d{2}\D{0,4}$/.test(value)));
  fill("itemName", (values) => values.every((value) => /\p{L}{2}/u.test(value)));
  return guessed;
}

const valuesOf = (rows: readonly CsvRow[], column: number): string[] => {
  const values = rows.map(({ cells }) => cells[column]?.trim() ?? "").filter(Boolean);
  return values.length > 0 ? values : [" "];
};

/** Returns the decimal sign of a list's prices, or `otherwise` if they do not show it. */
export const decimalSignOfList = (rows: readonly CsvRow[], columns: readonly Target[], otherwise: DecimalSign) =>
  decimalSignIn(valuesOf(rows, columns.indexOf("price")), otherwise);

/** Creates a row for the API; empty cells are left out, since they change nothing. An invalid price is kept as written. */
export function itemOf(
  cells: readonly string[],
  header: readonly string[],
  columns: readonly Target[],
  decimal: DecimalSign,
): ItemRow {
  const item: ItemRow = { itemId: "" };
  const sics: string[] = [];
  const properties: [string, string][] = [];
  for (const [column, target] of columns.entries()) {
    const value = cells[column]?.trim() ?? "";
    if (target === "" || value === "") continue;
    if (target === "sics") sics.push(value);
    else if (target === "property") properties.push([header[column] ?? "", value]);
    else item[target] = target === "price" ? (readPrice(value, decimal) ?? value) : value;
  }
  if (sics.length > 0) item.sics = sics;
  if (properties.length > 0) item.properties = Object.fromEntries(properties);
  return item;
}
