import { element } from "../call.ts";
import { priceText } from "../prices/price-text.ts";
import { textsIn } from "../texts.ts";
import type { Bounds, PriceChange } from "./check-rows.ts";
import { listing } from "./listing.ts";

const page = element("#import");
const { currency } = page.dataset;
/** The address of label pages is empty if the session may not read labels. */
export const { base = "", label: labelAddress = "" } = page.dataset;
export const limits = JSON.parse(page.dataset.limits ?? "{}") as { bytes: number; rows: number };
export const bounds = JSON.parse(page.dataset.bounds ?? "{}") as Bounds;
export const text = textsIn(page);
export const list = listing(text);
export const price = (value: string) => priceText(value, currency, text.language);

/** Reports the progress of the import. */
export const say = (content: string) => {
  element("#said").textContent = content;
};

/** Shows or hides a part of the page. */
export const show = (selector: string, isShown: boolean) => {
  element(selector).hidden = !isShown;
};

/** Returns a row of the file, with its fault. */
export const rowText = (line: number, item: string, reason: string) =>
  text(item === "" ? "import.rowAlone" : "import.row", { line, item, reason });

/** Returns an item whose price changes, with both prices. */
export const changeText = ({ name, from, to }: PriceChange) =>
  `${name}: ${from === "" ? "–" : price(from)} → ${price(to)}`;
