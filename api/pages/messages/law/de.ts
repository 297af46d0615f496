import type { SectionOf } from "../section.ts";
import type { law as english } from "./en.ts";

/** Messages about findings of the law checks, in German. */
export const law: SectionOf<typeof english> = {
  "law.title": "Gesetz",
  "law.hint": {
    one: "Nach dem Gesetz im Land der Filiale, in ihren Designs und in {count} Artikel. Ersetzt keinen Rat eines Anwalts.",
    other:
      "Nach dem Gesetz im Land der Filiale, in ihren Designs und in {count} Artikeln. Ersetzt keinen Rat eines Anwalts.",
  },
  "law.more": { one: "und {count} weiterer", other: "und {count} weitere" },
  "law.check.PRIOR_PRICE": "Eine Ermäßigung steht ohne den niedrigsten Preis der letzten 30 Tage",
  "law.check.PERCENT_BASE": "Ein Prozentsatz ist nicht vom niedrigsten Preis der letzten 30 Tage berechnet",
  "law.check.STRUCK_PRICE": "Ein durchgestrichener Preis ist nicht der niedrigste Preis der letzten 30 Tage",
  "law.check.UNIT_PRICE": "Ein Preis steht ohne Grundpreis",
  "law.check.LOYALTY_PRICE": "Ein Preis für Mitglieder steht ohne den Preis für alle",
  "law.check.LOYALTY_CONDITION": "Ein Preis für Mitglieder sagt nicht, wer ihn bekommt",
  "law.check.DEPOSIT_APART": "Das Pfand ist im Preis enthalten",
  "law.check.DEPOSIT_SHOWN": "Das Pfand fehlt",
  "law.check.LEGIBLE_SIZE": "Ein Preis ist kleiner als 3 mm",
  "law.check.LEGIBLE_CONTRAST": "Ein Preis hebt sich kaum vom Hintergrund ab",
  "law.check.SENT_PRIOR_PRICE": "Der gesendete niedrigste Preis von 30 Tagen ist zu hoch",
  "law.check.NO_REDUCTION": "Ein ermäßigter Preis liegt nicht unter dem niedrigsten Preis der letzten 30 Tage",
  "law.check.QUANTITY": "Die Menge für den Grundpreis fehlt",
  "law.check.METRIC": "Eine Menge ist nicht metrisch",
  "law.check.UNIT_OF_UNIT_PRICE": "Grundpreise gelten nicht je Kilogramm oder Liter",
};
