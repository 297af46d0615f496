import type { MailMessages } from "./mail-messages.ts";

/** The wording of e-mails, in Croatian. */
export const hr: MailMessages = {
  "subject.several": {
    one: "Shelfwire: {count} obavijest",
    few: "Shelfwire: {count} obavijesti",
    other: "Shelfwire: {count} obavijesti",
  },
  "subject.confirm": "Shelfwire: potvrdite svoju adresu e-pošte",
  "LATE_LABELS.BEGUN": {
    one: "{count} etiketa čeka svoju sliku dulje od {minutes} min.",
    few: "{count} etikete čekaju svoje slike dulje od {minutes} min.",
    other: "{count} etiketa čeka svoje slike dulje od {minutes} min.",
  },
  "LATE_LABELS.OVER": "Sve etikete ponovno prikazuju svoje slike. Prve su čekale od {since}.",
  "LABEL_SERVER.AWAY": "Poslužitelj etiketa ne odgovara od {since}. Etikete dotad zadržavaju svoje slike.",
  "LABEL_SERVER.DENIES":
    "Poslužitelj etiketa odbija Shelfwire od {since}. Etikete zadržavaju svoje slike dok operater to ne riješi.",
  "LABEL_SERVER.OFFLINE": "Etikete trgovine nisu dostupne od {since}. Dotad zadržavaju svoje slike.",
  "LABEL_SERVER.OVER": "Poslužitelj etiketa ponovno odgovara. Nije odgovarao od {since} do {at}.",
  "HELD.BEGUN": {
    one: "{count} promjena cijene čeka odobrenje.",
    few: "{count} promjene cijena čekaju odobrenje.",
    other: "{count} promjena cijena čeka odobrenje.",
  },
  "FAILED_LIST.LIST": {
    one: "{count} redak cjenika nije uspio.",
    few: "{count} retka cjenika nisu uspjela.",
    other: "{count} redaka cjenika nije uspjelo.",
  },
  "FAILED_LIST.CAMPAIGN": {
    one: "{count} redak kampanje nije uspio.",
    few: "{count} retka kampanje nisu uspjela.",
    other: "{count} redaka kampanje nije uspjelo.",
  },
  "FAILED_LIST.SCHEDULED": {
    one: "{count} zakazana promjena nije uspjela.",
    few: "{count} zakazane promjene nisu uspjele.",
    other: "{count} zakazanih promjena nije uspjelo.",
  },
  "BATTERIES.HAPPENED": {
    one: "{count} bateriju treba zamijeniti.",
    few: "{count} baterije treba zamijeniti.",
    other: "{count} baterija treba zamijeniti.",
  },
  look: "Otvori stranicu",
  left: {
    one: "Još {count} obavijest nije stala.",
    few: "Još {count} obavijesti nisu stale.",
    other: "Još {count} obavijesti nije stalo.",
  },
  why: "Ovu poruku e-pošte dobivate jer ste je odabrali u Shelfwireu.",
  until: "Ove poruke e-pošte dobivate do {time}. Prijavite se u Shelfwire prije toga da biste ih dobivali i dalje.",
  choose: "Odaberite o čemu dobivate obavijesti",
  stop: "Zaustavi sve obavijesti",
  "confirm.text": "Netko, nadamo se vi, želi na ovu adresu dobivati obavijesti Shelfwirea.",
  "confirm.go": "Potvrdi adresu",
  "confirm.until": "Možete je potvrditi do {time}. Ako to niste bili vi, ne činite ništa: tada nećete dobivati ništa.",
};
