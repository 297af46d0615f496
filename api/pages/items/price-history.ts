import type { ItemHistory } from "../../../schemas/activity.ts";
import type { PriceHistory } from "../../../schemas/price-history.ts";
import { ProblemError } from "../../http/problem-error.ts";
import { type Html, html } from "../html/html.ts";
import { instantText } from "../layout/time-text.ts";
import type { Visit } from "../visit.ts";

const MAX_PRICES = 10;

/** Reads the history of an item; undefined if the item is only scheduled. */
export const readPriceHistory = ({ read, store }: Visit, itemId: string): Promise<ItemHistory | undefined> =>
  read<ItemHistory>("getItemHistory", { ...(store && { storeId: store.id }), params: { itemId } }).catch((error) => {
    if (error instanceof ProblemError && error.problem === "not-found") return undefined;
    throw error;
  });

/** Reads what was charged for an item; undefined if the item is only scheduled. */
export const readCharged = ({ read, store }: Visit, itemId: string): Promise<PriceHistory | undefined> =>
  read<PriceHistory>("getPriceHistory", {
    ...(store && { storeId: store.id }),
    params: { itemId },
    query: { limit: 1 },
  }).catch((error) => {
    if (error instanceof ProblemError && error.problem === "not-found") return undefined;
    throw error;
  });

/** The lowest price in the period before the current price took effect, and how much lower the current price is. */
function priorPrice({ texts, language, store, price }: Visit, charged: PriceHistory | undefined): Html {
  if (charged?.period == null || charged.priorPrice === null) return html``;
  const date = instantText(charged.period.until, language, store?.timeZone);
  const values = { date, price: price(charged.priorPrice), percent: charged.reducedBy ?? 0 };
  return html`<p class="prior-price">${texts(charged.reducedBy === null ? "item.notReduced" : "item.priorPrice", values)}</p>`;
}

/** The last prices of an item, newest first, each with the time from which it was in effect, and its prior price. */
export function priceHistory(
  visit: Visit,
  itemId: string,
  history: ItemHistory | undefined,
  charged: PriceHistory | undefined,
): Html {
  const { texts, language, store, link, price, may } = visit;
  const last = (history?.prices ?? []).slice(-MAX_PRICES).toReversed();
  const rows = last.map(
    (one) =>
      html`<li><time datetime="${one.since}">${instantText(one.since, language, store?.timeZone)}</time><strong>${one.price === null ? texts("item.historyGone") : price(one.price)}</strong></li>`,
  );
  return html`<section class="card" id="prices" aria-labelledby="prices-title"><h2 id="prices-title">${texts("item.history")}</h2>${priorPrice(visit, charged)}
${rows.length === 0 ? html`<p>${texts("item.historyNone")}</p>` : html`<ol class="prices">${rows}</ol>`}
${may("activity:read") && html`<p><a href="${link("/activity", { item: itemId })}">${texts("item.historyAll")}</a></p>`}</section>`;
}
