import type { SectionOf } from "../section.ts";
import type { search as english } from "./en.ts";

/** Messages for the search across all pages, in Croatian. */
export const search: SectionOf<typeof english> = {
  "search.open": "Traži",
  "search.keys": "Ctrl K",
  "search.field": "Traži artikle, etikete, trgovine i stranice",
  "search.pages": "Stranice",
  "search.stores": "Trgovine",
  "search.items": "Artikli",
  "search.labels": "Etikete",
  "search.reading": {
    one: "Čitanje … zasad {count} zapis",
    few: "Čitanje … zasad {count} zapisa",
    other: "Čitanje … zasad {count} zapisa",
  },
  "search.none": "Ništa nije pronađeno.",
  "search.failed": "Nije se moglo pročitati sve. Pokušajte ponovno za trenutak.",
  "search.close": "Zatvori",
};
