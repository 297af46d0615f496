import { priceText } from "../values/format-price.ts";
import { lowestPrice30In } from "../values/unit-functions.ts";
import { unitPriceIn } from "../values/unit-price.ts";
import { inLanguage } from "../values/units.ts";

/** Captions that a template writes in its store's language. */
export interface Words {
  offer: string;
  clearance: string;
  /** Follows the deposit, which is not part of the price. */
  deposit: string;
  /** The caption of the members' price. */
  withCard: string;
  /** The caption of the price for everybody, if members have a different price. */
  withoutCard: string;
  noPrice: string;
  /** The longest usual price, and the longest text that the law requires. */
  longestPrice: string;
  longestUnitPrice: string;
  longestLowestPrice: string;
}

type Row = readonly [string, string, string, string, string, string];

/** Captions for offer, clearance, deposit, with card, without card and no price, in the languages of the EU and some others. */
const rows: Readonly<Record<string, Row>> = {
  bg: ["ОФЕРТА", "РАЗПРОДАЖБА", "депозит", "с карта", "без карта", "Няма цена"],
  bs: ["AKCIJA", "RASPRODAJA", "povratna naknada", "s karticom", "bez kartice", "Cijena nije dostupna"],
  cs: ["AKCE", "VÝPRODEJ", "záloha", "s kartou", "bez karty", "Cena není k dispozici"],
  da: ["TILBUD", "UDSALG", "pant", "med kort", "uden kort", "Ingen pris"],
  de: ["ANGEBOT", "ABVERKAUF", "Pfand", "mit Karte", "ohne Karte", "Kein Preis verfügbar"],
  el: ["ΠΡΟΣΦΟΡΑ", "ΞΕΠΟΥΛΗΜΑ", "εγγύηση", "με κάρτα", "χωρίς κάρτα", "Χωρίς τιμή"],
  en: ["OFFER", "CLEARANCE", "deposit", "with card", "without card", "No price available"],
  es: ["OFERTA", "LIQUIDACIÓN", "depósito", "con tarjeta", "sin tarjeta", "Sin precio"],
  et: ["SOODUS", "LÕPUMÜÜK", "pant", "kaardiga", "kaardita", "Hind puudub"],
  fi: ["TARJOUS", "LOPPUMYYNTI", "pantti", "kortilla", "ilman korttia", "Hinta puuttuu"],
  fr: ["PROMO", "DÉSTOCKAGE", "consigne", "avec carte", "sans carte", "Prix indisponible"],
  ga: ["TAIRISCINT", "GLANADH", "éarlais", "le cárta", "gan chárta", "Níl praghas ann"],
  hr: ["AKCIJA", "RASPRODAJA", "povratna naknada", "s karticom", "bez kartice", "Cijena nije dostupna"],
  hu: ["AKCIÓ", "KIÁRUSÍTÁS", "betétdíj", "kártyával", "kártya nélkül", "Nincs ár"],
  it: ["OFFERTA", "LIQUIDAZIONE", "cauzione", "con carta", "senza carta", "Prezzo assente"],
  lt: ["AKCIJA", "IŠPARDAVIMAS", "užstatas", "su kortele", "be kortelės", "Kainos nėra"],
  lv: ["AKCIJA", "IZPĀRDOŠANA", "depozīts", "ar karti", "bez kartes", "Cenas nav"],
  mt: ["OFFERTA", "TNEĦĦIJA", "depożitu", "bil-karta", "mingħajr karta", "Prezz nieqes"],
  nl: ["ACTIE", "UITVERKOOP", "statiegeld", "met kaart", "zonder kaart", "Geen prijs"],
  pl: ["PROMOCJA", "WYPRZEDAŻ", "kaucja", "z kartą", "bez karty", "Brak ceny"],
  pt: ["OFERTA", "LIQUIDAÇÃO", "depósito", "com cartão", "sem cartão", "Sem preço"],
  ro: ["OFERTĂ", "LICHIDARE", "garanție", "cu card", "fără card", "Preț indisponibil"],
  sk: ["AKCIA", "VÝPREDAJ", "záloha", "s kartou", "bez karty", "Cena chýba"],
  sl: ["AKCIJA", "RAZPRODAJA", "kavcija", "s kartico", "brez kartice", "Cena ni na voljo"],
  sr: ["AKCIJA", "RASPRODAJA", "kaucija", "sa karticom", "bez kartice", "Cena nije dostupna"],
  "sr-Cyrl": ["АКЦИЈА", "РАСПРОДАЈА", "кауција", "са картицом", "без картице", "Цена није доступна"],
  sv: ["ERBJUDANDE", "UTFÖRSÄLJNING", "pant", "med kort", "utan kort", "Pris saknas"],
  tr: ["KAMPANYA", "TASFİYE", "depozito", "kartla", "kartsız", "Fiyat yok"],
  uk: ["АКЦІЯ", "РОЗПРОДАЖ", "застава", "з карткою", "без картки", "Ціни немає"],
};

/** The languages in which templates have captions. */
export const templateLanguages: readonly string[] = Object.keys(rows);

const table = Object.fromEntries(Object.entries(rows).map(([language, row]) => [language, JSON.stringify(row)]));

/** Returns the captions in a locale's language, or in English. */
export function wordsOf(locale: string): Words {
  const [offer, clearance, deposit, withCard, withoutCard, noPrice]: Row = JSON.parse(
    inLanguage(table, locale) ?? (table.en as string),
  );
  return {
    offer,
    clearance,
    deposit,
    withCard,
    withoutCard,
    noPrice,
    longestPrice: priceText("249.99", locale, "EUR"),
    longestUnitPrice: unitPriceIn("18750", "1 kg", { locale, currency: "EUR", timeZone: "UTC" }),
    longestLowestPrice: `${lowestPrice30In(locale)}: ${priceText("249.99", locale, "EUR")}`,
  };
}
