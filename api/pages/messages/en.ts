import type { Message } from "../../../domain/texts/texts-in.ts";
import { activity } from "./activity/en.ts";
import { aisle } from "./aisle/en.ts";
import { calls } from "./calls/en.ts";
import { campaigns } from "./campaigns/en.ts";
import { canvas } from "./canvas/en.ts";
import { care } from "./care/en.ts";
import { designer } from "./designer/en.ts";
import { drawing } from "./drawing/en.ts";
import { held } from "./held/en.ts";
import { history } from "./history/en.ts";
import { items } from "./items/en.ts";
import { label } from "./label/en.ts";
import { law } from "./law/en.ts";
import { navigation } from "./navigation/en.ts";
import { notifications } from "./notifications/en.ts";
import { overview } from "./overview/en.ts";
import { price } from "./price/en.ts";
import { priceLists } from "./price-lists/en.ts";
import { proofs } from "./proofs/en.ts";
import { refusals } from "./refusals/en.ts";
import { rows } from "./rows/en.ts";
import { search } from "./search/en.ts";
import { session } from "./session/en.ts";
import { shelf } from "./shelf/en.ts";
import { stores } from "./stores/en.ts";
import { problems } from "./unavailable/en.ts";
import { work } from "./work/en.ts";

export type { Message };
export type Messages = Readonly<Record<Key, Message>>;
export type Key = keyof typeof en;

/** Every message of the pages in English, written for people who work in a shop, with the terms of docs/words.md. */
export const en = {
  brand: "Shelfwire",
  "menu.label": "Menu",
  "menu.token": "Logged in with a token",
  "menu.language": "Language",
  "menu.theme": "Appearance",
  "menu.theme.light": "Light",
  "menu.theme.dark": "Dark",
  "menu.theme.auto": "Automatic",
  "menu.logout": "Log out",
  cancel: "Cancel",
  since: "since {time}",
  number: { one: "{count}", other: "{count}" },
  "state.OK": "Up to date",
  "state.PENDING": "On its way",
  "state.ERROR": "Needs help",
  "state.OFFLINE": "Not responding",
  "state.UNKNOWN": "Unknown",
  "state.NEW": "Empty",
  "battery.OK": "Battery good",
  "battery.LOW": "Battery low",
  "battery.UNKNOWN": "Battery unknown",
  "labels.count": { one: "{count} label", other: "{count} labels" },
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
} as const;
