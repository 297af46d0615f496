import { activity } from "./activity/hr.ts";
import { aisle } from "./aisle/hr.ts";
import { calls } from "./calls/hr.ts";
import { campaigns } from "./campaigns/hr.ts";
import { canvas } from "./canvas/hr.ts";
import { care } from "./care/hr.ts";
import { designer } from "./designer/hr.ts";
import { drawing } from "./drawing/hr.ts";
import type { Messages } from "./en.ts";
import { held } from "./held/hr.ts";
import { history } from "./history/hr.ts";
import { items } from "./items/hr.ts";
import { label } from "./label/hr.ts";
import { law } from "./law/hr.ts";
import { navigation } from "./navigation/hr.ts";
import { notifications } from "./notifications/hr.ts";
import { overview } from "./overview/hr.ts";
import { price } from "./price/hr.ts";
import { priceLists } from "./price-lists/hr.ts";
import { proofs } from "./proofs/hr.ts";
import { refusals } from "./refusals/hr.ts";
import { rows } from "./rows/hr.ts";
import { search } from "./search/hr.ts";
import { session } from "./session/hr.ts";
import { shelf } from "./shelf/hr.ts";
import { stores } from "./stores/hr.ts";
import { problems } from "./unavailable/hr.ts";
import { work } from "./work/hr.ts";

export const hr: Messages = {
  brand: "Shelfwire",
  "menu.label": "Izbornik",
  "menu.token": "Prijavljeni ste tokenom",
  "menu.language": "Jezik",
  "menu.theme": "Izgled",
  "menu.theme.light": "Svijetli",
  "menu.theme.dark": "Tamni",
  "menu.theme.auto": "Automatski",
  "menu.logout": "Odjavi se",
  cancel: "Odustani",
  since: "od {time}",
  number: { one: "{count}", few: "{count}", other: "{count}" },
  "state.OK": "Ažurno",
  "state.PENDING": "Na putu",
  "state.ERROR": "Treba pomoć",
  "state.OFFLINE": "Ne javlja se",
  "state.UNKNOWN": "Nepoznato",
  "state.NEW": "Prazno",
  "battery.OK": "Baterija dobra",
  "battery.LOW": "Baterija slaba",
  "battery.UNKNOWN": "Baterija nepoznata",
  "labels.count": { one: "{count} etiketa", few: "{count} etikete", other: "{count} etiketa" },
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
