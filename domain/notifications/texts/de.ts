import type { MailMessages } from "./mail-messages.ts";

/** The wording of e-mails, in German. */
export const de: MailMessages = {
  "subject.several": { one: "Shelfwire: {count} Benachrichtigung", other: "Shelfwire: {count} Benachrichtigungen" },
  "subject.confirm": "Shelfwire: Bestätige deine E-Mail-Adresse",
  "LATE_LABELS.BEGUN": {
    one: "{count} Etikett wartet seit mehr als {minutes} Minuten auf sein Bild.",
    other: "{count} Etiketten warten seit mehr als {minutes} Minuten auf ihre Bilder.",
  },
  "LATE_LABELS.OVER": "Alle Etiketten zeigen wieder ihre Bilder. Die ersten hatten seit {since} gewartet.",
  "LABEL_SERVER.AWAY": "Der Etikettenserver antwortet seit {since} nicht. Die Etiketten behalten so lange ihre Bilder.",
  "LABEL_SERVER.DENIES":
    "Der Etikettenserver weist Shelfwire seit {since} ab. Die Etiketten behalten ihre Bilder, bis der Betreiber sich darum gekümmert hat.",
  "LABEL_SERVER.OFFLINE":
    "Die Etiketten der Filiale sind seit {since} nicht erreichbar. Sie behalten so lange ihre Bilder.",
  "LABEL_SERVER.OVER": "Der Etikettenserver antwortet wieder. Von {since} bis {at} tat er es nicht.",
  "HELD.BEGUN": {
    one: "{count} Preisänderung wartet auf Freigabe.",
    other: "{count} Preisänderungen warten auf Freigabe.",
  },
  "FAILED_LIST.LIST": {
    one: "{count} Zeile einer Preisliste ist fehlgeschlagen.",
    other: "{count} Zeilen einer Preisliste sind fehlgeschlagen.",
  },
  "FAILED_LIST.CAMPAIGN": {
    one: "{count} Zeile einer Kampagne ist fehlgeschlagen.",
    other: "{count} Zeilen einer Kampagne sind fehlgeschlagen.",
  },
  "FAILED_LIST.SCHEDULED": {
    one: "{count} geplante Änderung ist fehlgeschlagen.",
    other: "{count} geplante Änderungen sind fehlgeschlagen.",
  },
  "BATTERIES.HAPPENED": {
    one: "{count} Batterie ist zu wechseln.",
    other: "{count} Batterien sind zu wechseln.",
  },
  look: "Seite öffnen",
  left: {
    one: "{count} weitere Benachrichtigung hatte keinen Platz.",
    other: "{count} weitere Benachrichtigungen hatten keinen Platz.",
  },
  why: "Du bekommst diese E-Mail, weil du sie in Shelfwire gewählt hast.",
  until: "Du bekommst diese E-Mails bis {time}. Melde dich vorher in Shelfwire an, um sie weiter zu bekommen.",
  choose: "Benachrichtigungen wählen",
  stop: "Alle Benachrichtigungen abbestellen",
  "confirm.text": "Jemand, hoffentlich du, möchte unter dieser Adresse Benachrichtigungen von Shelfwire bekommen.",
  "confirm.go": "Adresse bestätigen",
  "confirm.until":
    "Du kannst sie bis {time} bestätigen. Wenn du es nicht warst, tu nichts: Dann bekommst du auch nichts.",
};
