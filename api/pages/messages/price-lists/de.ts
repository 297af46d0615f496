import type { SectionOf } from "../section.ts";
import type { priceLists as english } from "./en.ts";

/** Messages for the price list pages, in German. */
export const priceLists: SectionOf<typeof english> = {
  "lists.title": "Preislisten",
  "lists.link": "Preislisten",
  "lists.none": "In den letzten Tagen wurde keine Preisliste gesendet.",
  "lists.hint":
    "Änderungen, die zusammen gesendet wurden. Mach eine falsche Preisliste rückgängig: Was danach kam, bleibt.",
  "lists.sent": "Gesendet von {name}, {time}",
  "lists.starts": "Beginnt: {time}",
  "lists.undone": "Rückgängig gemacht von {name}, {time}",
  "lists.undo": "Rückgängig machen",
  "lists.undoOne": "{list} rückgängig machen",
  "lists.undoLater": "Sie kann rückgängig gemacht werden, sobald alle ihre Zeilen übernommen sind.",
  "lists.sure": "{list} rückgängig machen?",
  "lists.sureWhat":
    "Alle ihre Artikel erhalten ihre früheren Werte zurück, außer denen, die sich seither geändert haben.",
  "lists.undoing": "Wird rückgängig gemacht …",
  "lists.held": "Die früheren Preise sind angehalten, bis eine zweite Person sie freigibt.",
  "lists.applied": "von {total} Zeilen übernommen",
  "lists.drawn": "von {total} Etiketten gezeichnet",
  "lists.acknowledged": "von {total} Etiketten zeigen sie",
  "lists.jumps": "Größte Änderungen",
  "lists.noJumps": "Kein Preis ändert sich.",
  "lists.failures": "Nicht übernommen oder nicht wiederhergestellt",
  "lists.csv": "Als CSV herunterladen",
  "lists.state.SCHEDULED": "Geplant",
  "lists.state.APPLYING": "Wird übernommen",
  "lists.state.APPLIED": "Übernommen",
  "lists.state.UNDOING": "Wird rückgängig gemacht",
  "lists.state.UNDONE": "Rückgängig gemacht",
  "lists.more": { one: "{count} weitere Zeile", other: "{count} weitere Zeilen" },
};
