import type { SectionOf } from "../section.ts";
import type { navigation as english } from "./en.ts";

/** Messages for the links in the frame of every page, in German. */
export const navigation: SectionOf<typeof english> = {
  "nav.skip": "Zum Inhalt springen",
  "nav.label": "Seiten",
  "nav.overview": "Übersicht",
  "nav.shelf": "Regal",
  "nav.store": "Filiale",
  "nav.aisle": "Vor Ort",
  "nav.items": "Artikel",
  "nav.work": "Aufgaben",
  "nav.designer": "Designs",
  "nav.stores": "Filialen",
  "nav.allStores": { one: "{count} Filiale", other: "Alle {count} Filialen" },
};
