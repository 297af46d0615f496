import type { SectionOf } from "../section.ts";
import type { session as english } from "./en.ts";

/** Messages for logins, invitations and sessions, in Croatian. */
export const session: SectionOf<typeof english> = {
  "login.title": "Prijava",
  "login.name": "Ime",
  "login.password": "Lozinka",
  "login.token": "Ili token",
  "login.go": "Prijavi se",
  "login.loggedIn": "Prijavljeni ste kao {name}.",
  "login.wrong": "Ime ili lozinka nisu točni.",
  "login.tooMany": "Previše neuspjelih pokušaja. Pričekajte trenutak i pokušajte ponovno.",
  "login.badToken": "Ovaj token nije valjan ili je istekao.",
  "login.onlyTokens": "Ime i lozinka ovdje ne vrijede. Prijavite se tokenom.",
  "login.failed": "Prijava trenutačno nije moguća. Pokušajte ponovno za koji trenutak.",
  "login.provider": "Prijava putem: {name}",
  "login.goOn": "Nastavi",
  "login.providerRefused": "Prijava nije uspjela. Pokušajte ponovno.",
  "login.noAccess": "Još nemate pristup Shelfwireu. Obratite se svojoj središnjici.",
  "join.title": "Vaša pozivnica",
  "join.welcome": "Vaše je korisničko ime {name}. Odaberite vlastitu lozinku.",
  "join.length": "Najmanje {count} znakova.",
  "join.go": "Prijavi se",
  "join.expired": "Ova je pozivnica iskorištena ili je istekla. Zatražite novu.",
  "account.title": "Moje prijave",
  "account.thisOne": "ovaj uređaj",
  "account.unknownDevice": "Nepoznat uređaj",
  "account.since": "Prijavljeno: {time}",
  "account.seen": "Zadnje korištenje: {time}",
  "account.everywhere": "Odjavi se svugdje",
  "account.back": "Natrag",
};
