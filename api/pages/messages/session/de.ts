import type { SectionOf } from "../section.ts";
import type { session as english } from "./en.ts";

/** Messages for logins, invitations and sessions, in German. */
export const session: SectionOf<typeof english> = {
  "login.title": "Anmelden",
  "login.name": "Name",
  "login.password": "Passwort",
  "login.token": "Oder ein Token",
  "login.go": "Anmelden",
  "login.loggedIn": "Du bist als {name} angemeldet.",
  "login.wrong": "Name oder Passwort ist falsch.",
  "login.tooMany": "Zu viele Fehlversuche. Warte einen Moment und versuche es noch einmal.",
  "login.badToken": "Dieses Token ist ungültig oder abgelaufen.",
  "login.onlyTokens": "Name und Passwort gelten hier nicht. Melde dich mit einem Token an.",
  "login.failed": "Du kannst dich gerade nicht anmelden. Versuche es gleich noch einmal.",
  "login.provider": "Mit {name} anmelden",
  "login.goOn": "Weiter",
  "login.providerRefused": "Die Anmeldung ist nicht gelungen. Versuche es noch einmal.",
  "login.noAccess": "Du hast noch keinen Zugang zu Shelfwire. Wende dich an deine Zentrale.",
  "join.title": "Deine Einladung",
  "join.welcome": "Dein Benutzername ist {name}. Wähle ein eigenes Passwort.",
  "join.length": "Mindestens {count} Zeichen.",
  "join.go": "Anmelden",
  "join.expired": "Diese Einladung wurde schon benutzt oder ist abgelaufen. Bitte um eine neue.",
  "account.title": "Meine Anmeldungen",
  "account.thisOne": "dieses Gerät",
  "account.unknownDevice": "Unbekanntes Gerät",
  "account.since": "Angemeldet: {time}",
  "account.seen": "Zuletzt benutzt: {time}",
  "account.everywhere": "Überall abmelden",
  "account.back": "Zurück",
};
