import type { SectionOf } from "../section.ts";
import type { held as english } from "./en.ts";

/** Messages for the pages with held prices, in German. */
export const held: SectionOf<typeof english> = {
  "held.title": "Angehaltene Preise",
  "held.link": { one: "{count} Liste ist angehalten", other: "{count} Listen sind angehalten" },
  "held.none": "Nichts ist angehalten.",
  "held.hint": "Angehaltene Preise ändern nichts, bis eine zweite Person sie freigibt.",
  "held.waiting": "Zu entscheiden",
  "held.decided": "Entschieden",
  "held.one": "Angehaltene Sendung {number}",
  "held.sentBy": "Gesendet von {name}, {time}",
  "held.expires": "Läuft ab: {time}",
  "held.rows": { one: "{count} Zeile von {rows} ist angehalten", other: "{count} Zeilen von {rows} sind angehalten" },
  "held.largest": "Größte Änderung: {percent} %",
  "held.change": "{was} → {price}",
  "held.first": "Erster Preis: {price}",
  "held.percent": "{percent} %",
  "held.more": { one: "{count} weitere Zeile", other: "{count} weitere Zeilen" },
  "held.state.WAITING": "Wartet",
  "held.state.APPROVED": "Freigegeben",
  "held.state.REFUSED": "Abgelehnt",
  "held.state.EXPIRED": "Nicht rechtzeitig entschieden",
  "held.by": "{name}, {time}",
  "held.approve": "Freigeben",
  "held.refuse": "Ablehnen",
  "held.note": "Notiz",
  "held.sure": "Alle diese Preise freigeben?",
  "held.sureWhat": { one: "{count} Zeile wird sofort übernommen.", other: "{count} Zeilen werden sofort übernommen." },
  "held.row": "Der Preis ist angehalten, bis eine zweite Person ihn freigibt.",
  "held.own": "Du hast diese Preise gesendet: Eine zweite Person entscheidet darüber.",
  "held.noRight": "Dir fehlt das Recht, über angehaltene Preise zu entscheiden.",
};
