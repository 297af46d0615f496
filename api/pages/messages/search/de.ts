import type { SectionOf } from "../section.ts";
import type { search as english } from "./en.ts";

/** Messages for the search across all pages, in German. */
export const search: SectionOf<typeof english> = {
  "search.open": "Suchen",
  "search.keys": "Strg K",
  "search.field": "Artikel, Etiketten, Filialen und Seiten suchen",
  "search.pages": "Seiten",
  "search.stores": "Filialen",
  "search.items": "Artikel",
  "search.labels": "Etiketten",
  "search.reading": { one: "Wird gelesen … bisher {count} Eintrag", other: "Wird gelesen … bisher {count} Einträge" },
  "search.none": "Nichts gefunden.",
  "search.failed": "Nicht alles konnte gelesen werden. Versuche es gleich noch einmal.",
  "search.close": "Schließen",
};
