import type { SectionOf } from "../section.ts";
import type { shelf as english } from "./en.ts";

/** Messages for the shelf page, in German. */
export const shelf: SectionOf<typeof english> = {
  "shelf.title": "Regal",
  "shelf.loading": "Etiketten werden geladen …",
  "shelf.noscript": "Für das Regal ist JavaScript nötig.",
  "shelf.search": "Suche",
  "shelf.searchHint": "Name, Artikel, Strichcode, Standort",
  "shelf.state": "Status",
  "shelf.battery": "Batterie",
  "shelf.area": "Etikettenabteilung",
  "shelf.any": "Alle",
  "shelf.none": "Keine passenden Etiketten",
  "shelf.failed": "Die Etiketten lassen sich gerade nicht laden. Lade die Seite in einem Moment neu.",
  "shelf.notLinked": "Kein Artikel",
  "shelf.noPicture": "Noch kein Bild",
  "shelf.select": "Auswählen",
  "shelf.shown": { one: "{count} Etikett", other: "{count} Etiketten" },
  "shelf.selection": "Ausgewählte Etiketten",
  "shelf.selected": { one: "{count} Etikett ausgewählt", other: "{count} Etiketten ausgewählt" },
  "shelf.clear": "Auswahl aufheben",
  "shelf.stop": "Anhalten",
  "shelf.go": "Fortfahren",
  "shelf.done": { one: "Für {count} Etikett erledigt.", other: "Für {count} Etiketten erledigt." },
  "shelf.stopped": { one: "Nach {count} Etikett angehalten.", other: "Nach {count} Etiketten angehalten." },
  "shelf.later": {
    one: "{count} Etikett meldet sich nicht. Es folgt, sobald es sich wieder meldet.",
    other: "{count} Etiketten melden sich nicht. Sie folgen, sobald sie sich wieder melden.",
  },
  "shelf.unreachable": {
    one: "{count} Etikett ist nicht erreichbar.",
    other: "{count} Etiketten sind nicht erreichbar.",
  },
  "shelf.unsupported": { one: "{count} Etikett kann das nicht.", other: "{count} Etiketten können das nicht." },
  "shelf.refused": {
    one: "Bei {count} Etikett hat es nicht geklappt.",
    other: "Bei {count} Etiketten hat es nicht geklappt.",
  },
  "shelf.rest": { one: "{count} Etikett anzeigen", other: "{count} Etiketten anzeigen" },
  "confirm.flash": {
    one: "{count} Etikett blinkt 15 Sekunden lang.",
    other: "{count} Etiketten blinken 15 Sekunden lang.",
  },
  "confirm.refresh": {
    one: "{count} Etikett bekommt sein Bild noch einmal.",
    other: "{count} Etiketten bekommen ihre Bilder noch einmal.",
  },
  "confirm.info": {
    one: "{count} Etikett zeigt 30 Sekunden lang seine Infoseite.",
    other: "{count} Etiketten zeigen 30 Sekunden lang ihre Infoseiten.",
  },
  "confirm.unlink": {
    one: "Die Verknüpfung von {count} Etikett wird gelöst. Es bleibt leer, bis wieder ein Artikel verknüpft ist.",
    other:
      "Die Verknüpfungen von {count} Etiketten werden gelöst. Sie bleiben leer, bis wieder Artikel verknüpft sind.",
  },
};
