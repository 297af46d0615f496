import type { SectionOf } from "../section.ts";
import type { navigation as english } from "./en.ts";

/** Messages for the links in the frame of every page, in Croatian. */
export const navigation: SectionOf<typeof english> = {
  "nav.skip": "Preskoči na sadržaj",
  "nav.label": "Stranice",
  "nav.overview": "Pregled",
  "nav.shelf": "Polica",
  "nav.store": "Trgovina",
  "nav.aisle": "Uz policu",
  "nav.items": "Artikli",
  "nav.work": "Zadaci",
  "nav.designer": "Dizajni",
  "nav.stores": "Trgovine",
  "nav.allStores": { one: "{count} trgovina", few: "Sve {count} trgovine", other: "Svih {count} trgovina" },
};
