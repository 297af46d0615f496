import type { SectionOf } from "../section.ts";
import type { care as english } from "./en.ts";

/** The texts of the care of labels, in German. */
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
};
