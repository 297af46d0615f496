import type { SectionOf } from "../section.ts";
import type { care as english } from "./en.ts";

/** Messages for label care, in Croatian. */
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
  "care.replace": "Baterije koje treba zamijeniti u 30 dana",
  "care.replaceNone": "U sljedećih 30 dana ne treba zamijeniti nijednu bateriju.",
  "care.unknown": "Nije poznato koliko će baterija trajati: njezin se napon ne javlja.",
  "care.lasts": {
    one: "Baterija: oko {count} dan",
    few: "Baterija: oko {count} dana",
    other: "Baterija: oko {count} dana",
  },
  "care.range": "između {earliest} i {latest} dana",
  "care.forecasts": {
    one: "Prognoza postoji za bateriju {count} etikete.",
    few: "Prognoza postoji za baterije {count} etikete.",
    other: "Prognoza postoji za baterije {count} etiketa.",
  },
  "care.full": "Potpuna osvježavanja",
};
