import type { SectionOf } from "../section.ts";
import type { shelf as english } from "./en.ts";

/** Messages for the shelf page, in Croatian. */
export const shelf: SectionOf<typeof english> = {
  "shelf.title": "Polica",
  "shelf.loading": "Učitavanje etiketa …",
  "shelf.noscript": "Za policu je potreban JavaScript.",
  "shelf.search": "Traži",
  "shelf.searchHint": "Naziv, artikl, barkod, mjesto",
  "shelf.state": "Stanje",
  "shelf.battery": "Baterija",
  "shelf.area": "Odjel etikete",
  "shelf.any": "Sve",
  "shelf.none": "Nema odgovarajućih etiketa",
  "shelf.failed": "Etikete se trenutačno ne mogu učitati. Ponovno učitajte stranicu za koji trenutak.",
  "shelf.notLinked": "Nema artikla",
  "shelf.noPicture": "Još nema slike",
  "shelf.select": "Odaberi",
  "shelf.shown": { one: "{count} etiketa", few: "{count} etikete", other: "{count} etiketa" },
  "shelf.selection": "Odabrane etikete",
  "shelf.selected": {
    one: "Odabrana je {count} etiketa",
    few: "Odabrane su {count} etikete",
    other: "Odabrano je {count} etiketa",
  },
  "shelf.clear": "Poništi odabir",
  "shelf.stop": "Zaustavi",
  "shelf.go": "Nastavi",
  "shelf.done": {
    one: "Obavljeno za {count} etiketu.",
    few: "Obavljeno za {count} etikete.",
    other: "Obavljeno za {count} etiketa.",
  },
  "shelf.stopped": {
    one: "Zaustavljeno nakon {count} etikete.",
    few: "Zaustavljeno nakon {count} etikete.",
    other: "Zaustavljeno nakon {count} etiketa.",
  },
  "shelf.later": {
    one: "{count} etiketa se ne javlja. Doći će na red čim se ponovno javi.",
    few: "{count} etikete se ne javljaju. Doći će na red čim se ponovno jave.",
    other: "{count} etiketa se ne javlja. Doći će na red čim se ponovno jave.",
  },
  "shelf.unreachable": {
    one: "{count} etiketa nije dostupna.",
    few: "{count} etikete nisu dostupne.",
    other: "{count} etiketa nije dostupno.",
  },
  "shelf.unsupported": {
    one: "{count} etiketa to ne može.",
    few: "{count} etikete to ne mogu.",
    other: "{count} etiketa to ne može.",
  },
  "shelf.refused": {
    one: "Nije uspjelo za {count} etiketu.",
    few: "Nije uspjelo za {count} etikete.",
    other: "Nije uspjelo za {count} etiketa.",
  },
  "shelf.rest": {
    one: "Prikaži {count} etiketu",
    few: "Prikaži {count} etikete",
    other: "Prikaži {count} etiketa",
  },
  "confirm.flash": {
    one: "{count} etiketa treptat će 15 sekundi.",
    few: "{count} etikete treptat će 15 sekundi.",
    other: "{count} etiketa treptat će 15 sekundi.",
  },
  "confirm.refresh": {
    one: "{count} etiketa ponovno će dobiti sliku.",
    few: "{count} etikete ponovno će dobiti sliku.",
    other: "{count} etiketa ponovno će dobiti sliku.",
  },
  "confirm.info": {
    one: "{count} etiketa prikazivat će info-stranicu 30 sekundi.",
    few: "{count} etikete prikazivat će info-stranicu 30 sekundi.",
    other: "{count} etiketa prikazivat će info-stranicu 30 sekundi.",
  },
  "confirm.unlink": {
    one: "{count} etiketa bit će odvezana i ostat će prazna dok se ponovno ne poveže artikl.",
    few: "{count} etikete bit će odvezane i ostat će prazne dok se ponovno ne povežu artikli.",
    other: "{count} etiketa bit će odvezano i ostat će prazno dok se ponovno ne povežu artikli.",
  },
};
