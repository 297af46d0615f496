import type { SectionOf } from "../section.ts";
import type { work as english } from "./en.ts";

/** Messages for the task page, in German. */
export const work: SectionOf<typeof english> = {
  "work.title": "Aufgaben",
  "work.none": "Keine Aufgaben",
  "work.headline": {
    one: "Um {count} Etikett muss sich jemand kümmern",
    other: "Um {count} Etiketten muss sich jemand kümmern",
  },
  "work.cut": "Es warten mehr Änderungen, als geprüft wurden. Einige Etiketten können hier fehlen.",
  "work.causes": "Ursachen",
  "work.cause.BLANK": "Leer",
  "work.cause.NOT_ANSWERING": "Antwortet nicht",
  "work.cause.NOT_TAKEN": "Bild nicht bestätigt",
  "work.cause.NOT_SENT": "Bild nicht sendbar",
  "work.cause.BATTERY": "Batterie wechseln",
  "work.cause.HELD_PRICE": "Preis angehalten",
  "work.hint.BLANK":
    "Das Bild ließ sich nicht zeichnen. Auf der Seite eines Etiketts steht, warum: Design, Regel oder Artikel muss sich ändern.",
  "work.hint.NOT_ANSWERING": "Diese Etiketten antworten seit Langem nicht. Prüfe ihre Batterien und Standorte.",
  "work.hint.NOT_TAKEN": "Diese Etiketten haben ihr neuestes Bild nicht bestätigt. Sende es neu oder sieh nach.",
  "work.hint.NOT_SENT":
    "Am Regal ist nichts zu tun. Auf der Seite eines Etiketts steht, was fehlt: Sag es deinem Betreiber.",
  "work.hint.BATTERY": "Diese Batterien sind schwach oder werden es in den nächsten 30 Tagen.",
  "work.hint.HELD_PRICE": "Über die Preise dieser Artikel entscheidet eine zweite Person.",
  "work.held": "Über angehaltene Preise entscheiden",
  "work.assigned": { one: "{count} zugewiesen", other: "{count} zugewiesen" },
  "work.done": { one: "{count} erledigt", other: "{count} erledigt" },
  "work.noPlace": "Kein Standort",
  "work.all": "Alle auswählen",
  "work.one": "{barcode} auswählen",
  "work.assignee": "Wer",
  "work.assign": "Zuweisen",
  "work.markDone": "Erledigt",
  "work.reopen": "Wieder öffnen",
  "work.state.ASSIGNED": "{name} zugewiesen",
  "work.state.DONE": "Erledigt: {name}, {time}",
  "work.saved": { one: "Für {count} Etikett gespeichert.", other: "Für {count} Etiketten gespeichert." },
  "work.nobody": "Gib ein, wer sich kümmert.",
  "work.aisle": "Vor Ort beginnen",
  "work.csv": "Als CSV speichern",
  "work.print": "Drucken",
  "work.more": "Weitere Etiketten",
};
