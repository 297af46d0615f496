import type { SectionOf } from "../section.ts";
import type { priceLists as english } from "./en.ts";

/** Messages for the price list pages, in Croatian. */
export const priceLists: SectionOf<typeof english> = {
  "lists.title": "Cjenici",
  "lists.link": "Cjenici",
  "lists.none": "U posljednjih nekoliko dana nije poslan nijedan cjenik.",
  "lists.hint": "Promjene koje su poslane zajedno. Poništite pogrešan cjenik: ono što je stiglo poslije ostaje.",
  "lists.sent": "Pošiljatelj: {name}, {time}",
  "lists.starts": "Počinje: {time}",
  "lists.undone": "Poništeno: {name}, {time}",
  "lists.undo": "Poništi",
  "lists.undoOne": "Poništi {list}",
  "lists.undoLater": "Može se poništiti kad se primijene svi njegovi reci.",
  "lists.sure": "Poništiti {list}?",
  "lists.sureWhat": "Svi njegovi artikli dobivaju natrag prijašnje vrijednosti, osim onih koje su se otad promijenile.",
  "lists.undoing": "Poništava se…",
  "lists.held": "Prijašnje cijene zadržane su dok ih druga osoba ne odobri.",
  "lists.applied": "od {total} redaka primijenjeno",
  "lists.drawn": "od {total} etiketa nacrtano",
  "lists.acknowledged": "od {total} etiketa prikazuje ga",
  "lists.jumps": "Najveće promjene",
  "lists.noJumps": "Nijedna se cijena ne mijenja.",
  "lists.failures": "Nije primijenjeno ili nije vraćeno",
  "lists.csv": "Preuzmi kao CSV",
  "lists.state.SCHEDULED": "Zakazano",
  "lists.state.APPLYING": "Primjenjuje se",
  "lists.state.APPLIED": "Primijenjeno",
  "lists.state.UNDOING": "Poništava se",
  "lists.state.UNDONE": "Poništeno",
  "lists.more": { one: "Još {count} redak", few: "Još {count} retka", other: "Još {count} redaka" },
};
