import type { SectionOf } from "../section.ts";
import type { care as english } from "./en.ts";

/** The texts of the care of labels, in Croatian. */
export const care: SectionOf<typeof english> = {
  "care.title": "Održavanje",
  "care.store": "Održavanje etiketa",
  "care.refreshes": {
    one: "{count} osvježavanje u 31 dan",
    few: "{count} osvježavanja u 31 dan",
    other: "{count} osvježavanja u 31 dan",
  },
  "care.perDay": "Prosječno {perDay} dnevno",
  "care.none": "Još nema izbrojenih osvježavanja.",
  "care.price": "Druga cijena",
  "care.link": "Drugi artikli",
  "care.design": "Drugi dizajn ili vrijednost",
  "care.repeat": "Ista slika ponovno",
};
