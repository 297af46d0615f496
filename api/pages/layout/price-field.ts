import { decimalSignOf } from "../browser/prices/decimal-sign.ts";
import { writtenPrice } from "../browser/prices/read-price.ts";
import { type Html, html } from "../html/html.ts";
import type { Visit } from "../visit.ts";

const MAX_LENGTH = 32;

/** The price field of all pages; the page's script reads its contents (browser/prices/price-field.ts). */
export const priceField = ({ language }: Visit, label: string, price: string | null, isRequired: boolean): Html =>
  html`<label class="field price"><span>${label}</span><input name="price" value="${price && writtenPrice(price, language)}" data-price="${price}" inputmode="decimal" maxlength="${MAX_LENGTH}" autocomplete="off"${isRequired && html` required`}></label>`;

/** The confirmation of a large price change, and the message for text that is not a price. One per page. */
export function priceQuestion({ texts, language, store }: Visit): Html {
  const refused = texts("price.refused", { value: "{value}", example: `17${decimalSignOf(language)}99` });
  const large = texts("price.large", { from: "{from}", to: "{to}" });
  return html`<dialog id="price-dialog" aria-labelledby="price-question" data-language="${language}" data-currency="${store?.currency}" data-refused="${refused}" data-large="${large}"><form method="dialog"><p id="price-question"></p>
<div class="buttons"><button value="no" autofocus>${texts("cancel")}</button><button class="primary" value="yes">${texts("price.send")}</button></div></form></dialog>`;
}
