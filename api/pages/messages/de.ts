import { activity } from "./activity/de.ts";
import { aisle } from "./aisle/de.ts";
import { calls } from "./calls/de.ts";
import { campaigns } from "./campaigns/de.ts";
import { canvas } from "./canvas/de.ts";
import { care } from "./care/de.ts";
import { designer } from "./designer/de.ts";
import { drawing } from "./drawing/de.ts";
import type { Messages } from "./en.ts";
import { held } from "./held/de.ts";
import { history } from "./history/de.ts";
import { items } from "./items/de.ts";
import { label } from "./label/de.ts";
import { law } from "./law/de.ts";
import { navigation } from "./navigation/de.ts";
import { notifications } from "./notifications/de.ts";
import { overview } from "./overview/de.ts";
import { price } from "./price/de.ts";
import { priceLists } from "./price-lists/de.ts";
import { proofs } from "./proofs/de.ts";
import { refusals } from "./refusals/de.ts";
import { rows } from "./rows/de.ts";
import { search } from "./search/de.ts";
import { session } from "./session/de.ts";
import { shelf } from "./shelf/de.ts";
import { stores } from "./stores/de.ts";
import { problems } from "./unavailable/de.ts";
import { work } from "./work/de.ts";

export const de: Messages = {
  brand: "Shelfwire",
  "menu.label": "Menü",
  "menu.token": "Mit einem Token angemeldet",
  "menu.language": "Sprache",
  "menu.theme": "Darstellung",
  "menu.theme.light": "Hell",
  "menu.theme.dark": "Dunkel",
  "menu.theme.auto": "Automatisch",
  "menu.logout": "Abmelden",
  cancel: "Abbrechen",
  since: "seit {time}",
  number: { one: "{count}", other: "{count}" },
  "state.OK": "Aktuell",
  "state.PENDING": "Unterwegs",
  "state.ERROR": "Braucht Hilfe",
  "state.OFFLINE": "Meldet sich nicht",
  "state.UNKNOWN": "Unbekannt",
  "state.NEW": "Leer",
  "battery.OK": "Batterie gut",
  "battery.LOW": "Batterie schwach",
  "battery.UNKNOWN": "Batterie unbekannt",
  "labels.count": { one: "{count} Etikett", other: "{count} Etiketten" },
  ...navigation,
  ...shelf,
  ...label,
  ...notifications,
  ...overview,
  ...care,
  ...activity,
  ...canvas,
  ...items,
  ...held,
  ...priceLists,
  ...campaigns,
  ...price,
  ...session,
  ...stores,
  ...aisle,
  ...designer,
  ...drawing,
  ...calls,
  ...history,
  ...rows,
  ...search,
  ...refusals,
  ...problems,
  ...proofs,
  ...law,
  ...work,
};
