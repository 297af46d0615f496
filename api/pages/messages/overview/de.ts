import type { SectionOf } from "../section.ts";
import type { overview as english } from "./en.ts";

/** Messages for the overview, and about why a label shows what it shows, in German. */
export const overview: SectionOf<typeof english> = {
  "overview.title": "Übersicht",
  "overview.findStore": "Filiale suchen",
  "outages.title": "Etikettenserver, die nicht antworten",
  "outages.stores": { one: "{count} Filiale", other: "{count} Filialen" },
  "overview.moreStores": {
    one: "{count} weitere Filiale wird hier nicht geprüft. Wähle sie oben aus.",
    other: "{count} weitere Filialen werden hier nicht geprüft. Wähle oben eine aus.",
  },
  "overview.askStore": "Welche Filiale?",
  "overview.open": "Öffnen",
  "overview.operator": "Du bist als Betreiber angemeldet und hast deshalb keine Filialen.",
  "overview.queues": "Warteschlangen",
  "refused.labels": "Dir fehlt das Recht, die Etiketten dieser Filiale zu sehen.",
  "verdict.right": "Alle Etiketten zeigen den richtigen Preis",
  "verdict.reported": "Kein Etikett meldet ein Problem",
  "verdict.empty": "Noch zeigt kein Etikett einen Artikel",
  "verdict.pending": {
    one: "{count} Etikett bekommt gerade sein neues Bild",
    other: "{count} Etiketten bekommen gerade ihre neuen Bilder",
  },
  "verdict.unknown": {
    one: "{count} Etikett war richtig, meldet sich aber schon lange nicht mehr",
    other: "{count} Etiketten waren richtig, melden sich aber schon lange nicht mehr",
  },
  "verdict.troubled": { one: "{count} Etikett braucht Hilfe", other: "{count} Etiketten brauchen Hilfe" },
  "verdict.warned": "Bild prüfen",
  "checks.waiting": "Jedes Etikett wird mit seinem Preis verglichen",
  "checks.result": {
    one: "{upToDate} von {count} Etikett zeigt das neueste Bild",
    other: "{upToDate} von {count} Etiketten zeigen das neueste Bild",
  },
  "checks.cut":
    "Es warten mehr Änderungen, als geprüft wurden. Etiketten, die sie betreffen, können noch als richtig zählen.",
  "checks.more": "und {count} weitere",
  "times.caption": "Wie lange eine Änderung bis ans Regal braucht",
  "times.pictures": "Bilder",
  "times.half": "Die Hälfte in",
  "times.most": "9 von 10 in",
  "times.longest": "Längste Dauer",
  "times.hour": "Letzte Stunde",
  "times.day": "Letzter Tag",
  "times.byMinutes": "Bilder der letzten Stunde, in Schritten von fünf Minuten",
  "times.byHours": "Bilder des letzten Tages, Stunde für Stunde",
  "times.step": {
    one: "{time}: {count} Bild, die Hälfte in {half}, 9 von 10 in {most}",
    other: "{time}: {count} Bilder, die Hälfte in {half}, 9 von 10 in {most}",
  },
  "times.most.pictures": "Höchstens {count}",
  "times.toGlass": "Zeit bis aufs Etikett",
  "times.range": "kräftig: die Hälfte, blass: 9 von 10, höchstens {most}",
  "times.now": "jetzt",
  "switch.title": "Umschaltung aller Etiketten um {time}",
  "switch.ready": {
    one: "{ready} von {count} Etikett ist bereit",
    other: "{ready} von {count} Etiketten sind bereit",
  },
  "switch.shown": {
    one: "{shown} von {count} Etikett ist umgeschaltet",
    other: "{shown} von {count} Etiketten sind umgeschaltet",
  },
  "switch.missing": { one: "{count} Etikett ist nicht bereit", other: "{count} Etiketten sind nicht bereit" },
  "switch.others": {
    one: "{count} Etikett kann kein zweites Bild behalten. Sein Bild wird erst ab dann gesendet.",
    other: "{count} Etiketten können kein zweites Bild behalten. Ihre Bilder werden erst ab dann gesendet.",
  },
  "switch.CALL_OFF": "Sind um {time} nicht alle Etiketten bereit, fällt die Umschaltung aus.",
  "switch.GO_AHEAD": "Um {time} fällt die Entscheidung zur Umschaltung: Die Etiketten, die bereit sind, schalten um.",
  "switch.ORDERED": "Die Etiketten haben ihren Auftrag.",
  "switch.CALLED_OFF":
    "Die Umschaltung fällt aus. Die Preise ändern sich trotzdem pünktlich, ein Etikett nach dem anderen.",
  "stores.day": "Nicht aktuell, letzte 24 Stunden",
  "stores.day.most": "höchstens {count}",
  "cause.STAGE_FAILS":
    "Shelfwire wird mit diesem Etikett nicht fertig und versucht es weiter. Bleibt es so, sag deinem Betreiber Bescheid.",
  "cause.REDIS_AWAY":
    "Ein Teil von Shelfwire ist ausgefallen. Deshalb warten Änderungen. Sag deinem Betreiber Bescheid.",
  "cause.REDIS_FULL": "Ein Teil von Shelfwire ist voll. Deshalb warten Änderungen. Sag deinem Betreiber Bescheid.",
  "cause.PROCESS_MISSING":
    "Ein Teil von Shelfwire läuft nicht. Deshalb warten Änderungen. Sag deinem Betreiber Bescheid.",
  "cause.GATEWAY_OFFLINE": "Der Etikettenserver der Filiale hat keine Verbindung zu Shelfwire.",
  "cause.LABEL_SERVER_AWAY": "Der Etikettenserver der Filiale antwortet nicht.",
  "cause.LABEL_SERVER_DENIES":
    "Der Etikettenserver der Filiale verweigert Shelfwire den Zugang. Sag deinem Betreiber Bescheid.",
  "cause.LABEL_OFFLINE": "Das Etikett hat sich lange nicht gemeldet. Prüfe Batterie und Standort.",
  "cause.GIVEN_UP": "Das Etikett hat sein Bild nicht bestätigt. Shelfwire versucht es ab und zu noch einmal.",
  "cause.REQUEST_WAITS": "Eine Änderung wartet, bis sie an der Reihe ist.",
  "cause.STAGE_WAITS": "Die neueste Änderung ist in Arbeit.",
  "cause.ON_ITS_WAY": "Das neue Bild ist unterwegs zum Etikett.",
  "cause.PICTURE_FAULT": "Das Bild ließ sich nicht zeichnen, daher bleibt das Etikett leer.",
  "cause.LINK_SWITCHED_OFF": "Seine Verknüpfung ist ausgeschaltet.",
  "cause.ITEM_MISSING": "Seinen Artikel gibt es nicht mehr.",
  "cause.NOT_LINKED": "Kein Artikel ist mit ihm verknüpft.",
  "cause.LABEL_QUIET":
    "Es zeigte das neueste Bild, als es sich zuletzt meldete. Sein Etikettenserver meldet nicht, ob es noch funktioniert.",
  "cause.UP_TO_DATE": "Es zeigt das neueste Bild.",
};
