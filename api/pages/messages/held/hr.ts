import type { SectionOf } from "../section.ts";
import type { held as english } from "./en.ts";

/** Messages for the pages with held prices, in Croatian. */
export const held: SectionOf<typeof english> = {
  "held.title": "Zadržane cijene",
  "held.link": {
    one: "{count} popis je zadržan",
    few: "{count} popisa su zadržana",
    other: "{count} popisa je zadržano",
  },
  "held.none": "Ništa nije zadržano.",
  "held.hint": "Zadržane cijene ništa ne mijenjaju dok ih druga osoba ne odobri.",
  "held.waiting": "Čeka odluku",
  "held.decided": "Odlučeno",
  "held.one": "Zadržana pošiljka {number}",
  "held.sentBy": "Pošiljatelj: {name}, {time}",
  "held.expires": "Istječe: {time}",
  "held.rows": {
    one: "Zadržan je {count} redak od {rows}",
    few: "Zadržana su {count} retka od {rows}",
    other: "Zadržano je {count} redaka od {rows}",
  },
  "held.largest": "Najveća promjena: {percent} %",
  "held.change": "{was} → {price}",
  "held.first": "Prva cijena: {price}",
  "held.percent": "{percent} %",
  "held.more": { one: "Još {count} redak", few: "Još {count} retka", other: "Još {count} redaka" },
  "held.state.WAITING": "Čeka",
  "held.state.APPROVED": "Odobreno",
  "held.state.REFUSED": "Odbijeno",
  "held.state.EXPIRED": "Nije odlučeno na vrijeme",
  "held.by": "{name}, {time}",
  "held.approve": "Odobri",
  "held.refuse": "Odbij",
  "held.note": "Napomena",
  "held.sure": "Odobriti sve ove cijene?",
  "held.sureWhat": {
    one: "{count} redak primjenjuje se odmah.",
    few: "{count} retka primjenjuju se odmah.",
    other: "{count} redaka primjenjuje se odmah.",
  },
  "held.row": "Cijena je zadržana dok je druga osoba ne odobri.",
  "held.own": "Vi ste poslali ove cijene: o njima odlučuje druga osoba.",
  "held.noRight": "Nemate pravo odlučivati o zadržanim cijenama.",
};
