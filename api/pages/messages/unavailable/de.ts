import type { SectionOf } from "../section.ts";
import type { problems as english } from "./en.ts";

/** Messages that say why a page is not available, in German. */
export const problems: SectionOf<typeof english> = {
  "problem.title": "Diese Seite ist nicht verfügbar",
  "problem.right": "Dafür fehlt dir das Recht. Frag die Person, die dir den Zugang gegeben hat.",
  "problem.store": "Du hast keinen Zugang zu dieser Filiale.",
  "problem.noStore": "Diese Filiale gibt es nicht.",
  "problem.noPage": "An dieser Adresse gibt es keine Seite.",
  "problem.nothing": "Dieses Etikett gibt es in dieser Filiale nicht.",
  "problem.later": "Shelfwire ist gerade nicht erreichbar. Versuche es gleich noch einmal.",
  "problem.failed":
    "Etwas ist schiefgegangen. Versuche es noch einmal. Passiert es wieder, sag deinem Betreiber Bescheid.",
  "outage.mongodb.away": "Shelfwire erreicht seine Datenbank gerade nicht. Versuche es gleich noch einmal.",
  "outage.mongodb.full": "Die Datenbank von Shelfwire ist voll. Deshalb lässt sich nichts speichern.",
  "outage.mongodb.denied": "Die Datenbank verweigert Shelfwire den Zugang.",
  "outage.redis.away":
    "Shelfwire kann gerade nicht prüfen, wer angemeldet ist. Deshalb öffnet sich keine Seite. Versuche es gleich noch einmal.",
  "outage.redis.full": "Ein Teil von Shelfwire ist voll. Deshalb kann sich niemand anmelden.",
  "outage.operator": "Für Betreiber: Die Einstellung ist {setting}. Im Log des Servers stehen Host, Grund und Abhilfe.",
};
