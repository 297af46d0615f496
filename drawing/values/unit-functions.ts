import { decimalText } from "../../domain/expression/decimal.ts";
import type { OwnFunction } from "../../domain/expression/expression.ts";
import { notice } from "../../schemas/drawing-notice.ts";
import { digitalLinkOf } from "./digital-link.ts";
import { discountText } from "./discount.ts";
import { inStore } from "./format-functions.ts";
import { numberText } from "./format-number.ts";
import { priceText } from "./format-price.ts";
import { readQuantity } from "./quantity.ts";
import { baseUnitIn, unitPriceIn } from "./unit-price.ts";
import { inLanguage, unitText } from "./units.ts";
import { ValueError } from "./value-error.ts";

/** In German, the noun cannot be left out. */
const GERMAN = "Niedrigster Preis der letzten 30 Tage";

/** The text that the law requires next to an offer, by language: the lowest price of the last 30 days. */
const LOWEST: Readonly<Record<string, string>> = {
  ...{ bg: "Най-ниска за 30 дни", cs: "Nejnižší za 30 dní", da: "Laveste i 30 dage", de: GERMAN },
  ...{ el: "Χαμηλότερη 30 ημερών", en: "Lowest in 30 days", es: "Más bajo en 30 días", et: "Madalaim 30 päeva" },
  ...{ fi: "Alin 30 päivään", fr: "Plus bas sur 30 jours", ga: "Is ísle le 30 lá", hr: "Najniža u 30 dana" },
  ...{
    hu: "30 napos legalacsonyabb ár",
    it: "Più basso in 30 giorni",
    lt: "Mažiausia per 30 dienų",
    lv: "Zemākā 30 dienās",
  },
  ...{ mt: "L-orħos fi 30 jum", nl: "Laagste in 30 dagen", pl: "Najniższa z 30 dni", pt: "Mais baixo em 30 dias" },
  ...{ ro: "Minim în 30 de zile", sk: "Najnižšia za 30 dní", sl: "Najnižja v 30 dneh", sr: "Najniža u 30 dana" },
  ...{ "sr-Cyrl": "Најнижа 30 дана", sv: "Lägsta på 30 dagar", tr: "30 günün en düşüğü", uk: "Найнижча за 30 днів" },
};

/** Functions for the text of a design: quantities, what the law requires or allows next to a price, and GS1 Digital Links. */
export const unitFunctions: readonly OwnFunction[] = [
  inStore("unit(string): string", ({ locale }, text: string) => unitIn(text, locale)),
  inStore("quantity(string): string", ({ locale }, text: string) => quantityIn(text, locale)),
  inStore("baseUnit(string): string", (store, quantity: string) => baseUnitIn(quantity, store)),
  inStore("unitPrice(string, string): string", (store, price: string, quantity: string) =>
    unitPriceIn(price, quantity, store),
  ),
  inStore("unitPrice(string, string, string): string", (store, price: string, quantity: string, sent: string) =>
    unitPriceIn(price, quantity, store, sent),
  ),
  inStore(
    "lowestPrice30(string): string",
    ({ locale, currency }, price: string) => `${lowestPrice30In(locale)}: ${priceText(price, locale, currency)}`,
  ),
  inStore("discount(string, string): string", ({ locale }, price: string, lowestPrice30: string) =>
    discountText(price, lowestPrice30, locale),
  ),
  inStore("digitalLink(string): string", (_, gtin: string) => digitalLinkOf(gtin)),
  inStore("digitalLink(string, string): string", (_, gtin: string, resolver: string) => digitalLinkOf(gtin, resolver)),
];

/** Returns the name of the lowest price of 30 days in a locale's language. */
export const lowestPrice30In = (locale: string): string => inLanguage(LOWEST, locale) ?? (LOWEST.en as string);

/**
 * Returns the unit of text that is a quantity (`0.50 KG`) or only a unit, as the language spells it. Throws ValueError if there
 * is none.
 */
function unitIn(text: string, locale: string): string {
  const read = readQuantity(text);
  if (read === undefined) throw new ValueError(notice("NO_UNIT", { text }));
  return unitText(read, locale);
}

/**
 * Returns a quantity with its number as the locale writes it, without trailing zeros, and its unit. A multipack is written `6
 * × 330 ml`. Any other text is returned unchanged.
 */
function quantityIn(text: string, locale: string): string {
  const read = readQuantity(text);
  if (read?.number === undefined) return text;
  const each = `${numberText(decimalText(read.number), locale)}\u00a0${unitText(read, locale)}`;
  return read.count === 1 ? each : `${read.count}\u00a0×\u00a0${each}`;
}
