import type { SectionOf } from "../section.ts";
import type { notifications as english } from "./en.ts";

/** Messages for notifications by e-mail, in German. */
export const notifications: SectionOf<typeof english> = {
  "notifications.title": "Benachrichtigungen per E-Mail",
  "notifications.lead": "Eine E-Mail sammelt, was in einigen Minuten geschieht. Sie sagt auch, wann etwas vorbei ist.",
  "notifications.about": "Benachrichtige mich, wenn",
  "notifications.LATE_LABELS": "Etiketten länger auf ihre Bilder warten als",
  "notifications.minutes": "Minuten",
  "notifications.LABEL_SERVER": "der Etikettenserver nicht antwortet",
  "notifications.HELD": "Preisänderungen auf Freigabe warten",
  "notifications.FAILED_LIST": "Zeilen einer Preisliste oder Kampagne fehlschlagen",
  "notifications.BATTERIES": "Batterien zu wechseln sind, jeden Montag",
  "notifications.stores": "In diesen Filialen",
  "notifications.allStores": "Alle meine Filialen",
  "notifications.someStores": "Nur diese:",
  "notifications.address": "E-Mail-Adresse",
  "notifications.save": "Benachrichtigungen speichern",
  "notifications.saved": "Deine Benachrichtigungen sind gespeichert.",
  "notifications.confirm":
    "Deine Benachrichtigungen sind gespeichert. Bestätige die neue Adresse mit der E-Mail, die an sie unterwegs ist.",
  "notifications.tooMany": "Heute wurden zu viele Bestätigungen verschickt. Gib die Adresse morgen noch einmal ein.",
  "notifications.badAddress": "Gib eine E-Mail-Adresse wie ana@chain.example ein, ohne Namen.",
  "notifications.noStores": "Wähle mindestens eine Filiale oder alle.",
  "notifications.waits": "{address} wartet bis {time} auf die Bestätigung.",
  "notifications.goTo": "E-Mails gehen an {address}.",
  "notifications.until": "Du bekommst E-Mails bis {time}, und mit jeder Anmeldung länger.",
  "notifications.failed": "Eine E-Mail an {address} konnte am {time} nicht zugestellt werden: {reason}",
  "notifications.refused":
    "Dorthin wird nichts mehr geschickt. Speichere die Adresse noch einmal, wenn sie wieder geht.",
  "notifications.confirmTitle": "Adresse bestätigen",
  "notifications.confirmText": "Benachrichtigungen von Shelfwire gehen künftig an {address}.",
  "notifications.confirmGo": "Adresse bestätigen",
  "notifications.confirmed": "Die Adresse ist bestätigt.",
  "notifications.stopTitle": "Benachrichtigungen abbestellen",
  "notifications.stopText": "Du bekommst dann keine Benachrichtigungen mehr per E-Mail.",
  "notifications.stopGo": "Alle Benachrichtigungen abbestellen",
  "notifications.stopped":
    "Du bekommst keine Benachrichtigungen mehr. Wenn du angemeldet bist, kannst du sie wieder wählen.",
  "notifications.badLink": "Das gilt nicht mehr. Melde dich an, um deine Benachrichtigungen zu sehen.",
};
