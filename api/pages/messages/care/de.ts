import type { SectionOf } from "../section.ts";
import type { care as english } from "./en.ts";

/** Messages for label care, in German. */
export const care: SectionOf<typeof english> = {
  "care.title": "Pflege",
  "care.store": "Pflege der Etiketten",
  "care.refreshes": { one: "{count} Bildwechsel in 31 Tagen", other: "{count} Bildwechsel in 31 Tagen" },
  "care.perDay": "Im Mittel {perDay} pro Tag",
  "care.none": "Noch sind keine Bildwechsel gezählt.",
  "care.price": "Anderer Preis",
  "care.link": "Andere Artikel",
  "care.design": "Anderes Design oder anderer Wert",
  "care.repeat": "Dasselbe Bild noch einmal",
  "care.replace": "Batterien, die in 30 Tagen zu wechseln sind",
  "care.replaceNone": "In den nächsten 30 Tagen ist keine Batterie zu wechseln.",
  "care.unknown": "Wie lange die Batterie hält, ist nicht bekannt: Ihre Spannung wird nicht gemeldet.",
  "care.lasts": { one: "Batterie: etwa {count} Tag", other: "Batterie: etwa {count} Tage" },
  "care.range": "zwischen {earliest} und {latest} Tagen",
  "care.forecasts": {
    one: "Für die Batterie von {count} Etikett gibt es eine Vorhersage.",
    other: "Für die Batterien von {count} Etiketten gibt es eine Vorhersage.",
  },
  "care.full": "Volle Bildwechsel",
};
