import type { SectionOf } from "../section.ts";
import type { price as english } from "./en.ts";

/** Messages for changing a price on a label or an item, in German. */
export const price: SectionOf<typeof english> = {
  "price.label": "Neuer Preis",
  "price.send": "Preis ändern",
  "price.refused": "„{value}“ ist kein Preis. Gib eine einzelne Zahl ein, zum Beispiel {example}.",
  "price.large": "Preis von {from} auf {to} ändern?",
  "price.kept": "Der Preis bleibt, wie er ist.",
  "price.sent": "Gesendet. Das Etikett bekommt gerade sein neues Bild.",
  "price.arrived": "Der neue Preis ist auf dem Etikett.",
  "price.overtaken": "Jemand anders hat den Preis auf {price} geändert.",
  "price.later":
    "Für diesen Artikel läuft eine Kampagne. Der neue Preis ist gespeichert und gilt danach; bis dahin zeigt das Etikett {price}.",
  "price.hidden": "Der Preis ist gespeichert, aber das Etikett zeigt stattdessen ein hochgeladenes Bild.",
  "price.faulty": "Der Preis ist gespeichert, aber nicht auf dem Etikett: Das Bild ließ sich nicht zeichnen.",
  "price.waiting": "Das Etikett braucht länger als sonst. Der Preis ist gespeichert und kommt an.",
};
