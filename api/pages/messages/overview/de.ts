import type { SectionOf } from "../section.ts";
import type { overview as english } from "./en.ts";

/** The texts of the overview, and why a label shows what it shows, in German. */
export const overview: SectionOf<typeof english> = {
  "overview.title": "Übersicht",
  "overview.moreStores": {
    one: "{count} weitere Filiale ist hier nicht dabei: oben auswählen.",
    other: "{count} weitere Filialen sind hier nicht dabei: oben auswählen.",
  },
  "overview.askStore": "Welche Filiale?",
  "overview.open": "Öffnen",
  "overview.operator": "Du bist als Betreiber angemeldet; dazu gehören keine Filialen.",
  "overview.queues": "Warteschlangen",
  "refused.labels": "Die Etiketten dieser Filiale darfst du nicht ansehen.",
  "verdict.right": "Alle Etiketten zeigen den richtigen Preis",
  "verdict.reported": "Kein Etikett meldet ein Problem",
  "verdict.empty": "Noch zeigt kein Etikett einen Artikel",
  "verdict.pending": {
    one: "{count} Etikett bekommt gerade sein neues Bild",
    other: "{count} Etiketten bekommen gerade ihr neues Bild",
  },
  "verdict.unknown": {
    one: "{count} Etikett war richtig, als es zuletzt zu hören war, und das ist lange her",
    other: "{count} Etiketten waren richtig, als sie zuletzt zu hören waren, und das ist lange her",
  },
  "verdict.troubled": {
    one: "Nach {count} Etikett muss jemand sehen",
    other: "Nach {count} Etiketten muss jemand sehen",
  },
  "verdict.warned": "Bild ansehen",
  "checks.waiting": "Jedes Etikett wird mit seinem Preis verglichen",
  "checks.result": "{upToDate} von {labels} Etiketten zeigen das neueste Bild",
  "checks.cut":
    "Es warten mehr angenommene Änderungen, als angesehen wurden: Etiketten, die sie betreffen, können hier als richtig zählen.",
  "checks.more": "und {count} weitere",
  "times.caption": "Wie lange eine Änderung bis ans Regal braucht",
  "times.pictures": "Bilder",
  "times.half": "Die Hälfte in",
  "times.most": "9 von 10 in",
  "times.longest": "Längste",
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
  "cause.STAGE_FAILS":
    "Shelfwire hat damit ein Problem und versucht es weiter. Bleibt es so, sag dem Betreiber Bescheid.",
  "cause.REDIS_AWAY": "Ein Teil von Shelfwire ist ausgefallen, Änderungen warten. Sag dem Betreiber Bescheid.",
  "cause.REDIS_FULL": "Ein Teil von Shelfwire ist voll, Änderungen warten. Sag dem Betreiber Bescheid.",
  "cause.PROCESS_MISSING": "Ein Teil von Shelfwire läuft nicht, Änderungen warten. Sag dem Betreiber Bescheid.",
  "cause.LABEL_SERVER_AWAY": "Der Etikettenserver der Filiale antwortet nicht.",
  "cause.LABEL_SERVER_DENIES": "Der Etikettenserver der Filiale lässt Shelfwire nicht zu. Sag dem Betreiber Bescheid.",
  "cause.LABEL_OFFLINE": "Das Etikett war lange nicht zu hören. Prüfe Batterie und Standort.",
  "cause.GIVEN_UP": "Das Etikett hat sein Bild nicht bestätigt. Es wird ab und zu neu versucht.",
  "cause.REQUEST_WAITS": "Eine Änderung ist angenommen und wartet, bis sie an der Reihe ist.",
  "cause.STAGE_WAITS": "Die neueste Änderung ist in Arbeit.",
  "cause.ON_ITS_WAY": "Das neue Bild ist unterwegs zum Etikett.",
  "cause.PICTURE_FAULT": "Das Bild konnte nicht gezeichnet werden, das Etikett bleibt leer.",
  "cause.LINK_SWITCHED_OFF": "Seine Verknüpfung ist ausgeschaltet.",
  "cause.ITEM_MISSING": "Seinen Artikel gibt es nicht mehr.",
  "cause.NOT_LINKED": "Es ist kein Artikel damit verknüpft.",
  "cause.LABEL_QUIET":
    "Es hatte das neueste Bild, als es zuletzt zu hören war. Sein Etikettenserver meldet nicht, ob es noch lebt.",
  "cause.UP_TO_DATE": "Es zeigt das neueste Bild.",
};
