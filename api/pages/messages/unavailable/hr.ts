import type { SectionOf } from "../section.ts";
import type { problems as english } from "./en.ts";

/** Messages that say why a page is not available, in Croatian. */
export const problems: SectionOf<typeof english> = {
  "problem.title": "Ova stranica nije dostupna",
  "problem.right": "Nemate pravo to vidjeti. Obratite se osobi koja vam je dala pristup.",
  "problem.store": "Nemate pristup ovoj trgovini.",
  "problem.noStore": "Ova trgovina ne postoji.",
  "problem.noPage": "Na ovoj adresi nema stranice.",
  "problem.nothing": "Ova etiketa ne postoji u ovoj trgovini.",
  "problem.later": "Shelfwire trenutačno nije dostupan. Pokušajte ponovno za koji trenutak.",
  "problem.failed": "Nešto je pošlo po zlu. Pokušajte ponovno. Ako se ponovi, javite operateru.",
  "outage.mongodb.away": "Shelfwire trenutačno ne može doći do svoje baze podataka. Pokušajte ponovno za trenutak.",
  "outage.mongodb.full": "Baza podataka sustava Shelfwire puna je pa se ništa ne može spremiti.",
  "outage.mongodb.denied": "Baza podataka odbija pristup sustavu Shelfwire.",
  "outage.redis.away":
    "Shelfwire trenutačno ne može provjeriti prijave pa se nijedna stranica ne otvara. Pokušajte ponovno za trenutak.",
  "outage.redis.full": "Dio sustava Shelfwire je pun pa se nitko ne može prijaviti.",
  "outage.operator":
    "Za operatere: postavka je {setting}. U zapisniku poslužitelja navedeni su host, razlog i rješenje.",
};
