import type { Static } from "typebox";
import type { ItemAnswer } from "../../../schemas/item.ts";
import { ProblemError } from "../../http/problem-error.ts";
import { wallText } from "../browser/wall-text.ts";
import { type Html, html } from "../html/html.ts";
import { scripted } from "../html/scripted.ts";
import { keptStore } from "../layout/kept-store.ts";
import { scriptTexts } from "../layout/script-texts.ts";
import type { Page, Visit } from "../visit.ts";

export type ListedItem = Static<typeof ItemAnswer.M>;

/** Number of items per page. */
const ITEMS_PER_PAGE = 50;

/** The items of a store, by number. The page's script searches all of them; without it, they are shown page by page. */
export const itemsPage: Page = {
  path: "/items",
  entry: "items",
  styles: ["items.css"],
  scripts: ["items/list.ts"],
  async show(visit) {
    const { texts, store, query, link, read } = visit;
    if (store === undefined) throw new ProblemError("unknown-store", "No store is named.");
    const start = Math.max(0, Math.trunc(Number(query.get("start") ?? 0)) || 0);
    const found = await read<ListedItem[]>("listItems", {
      storeId: store.id,
      query: { projection: "M", start, limit: ITEMS_PER_PAGE + 1, serializeDatesToIso8601: true },
    });
    const held = await read<unknown[]>("listHeldRequests", { storeId: store.id, query: { state: "WAITING" } });
    const shown = found.slice(0, ITEMS_PER_PAGE);
    const leaf = (at: number, key: "items.previous" | "items.next") =>
      html`<a class="button" href="${link("/items", { start: String(Math.max(0, at)) })}">${texts(key)}</a>`;
    const content = html`<div class="page items-page" id="items" data-base="${visit.storeBase}" data-item="${link("/items/")}" data-currency="${store.currency}" data-texts="${scriptTexts(visit, scriptKeys)}">
<header class="bar"><h1>${texts("items.title")}</h1><div class="buttons"><a class="button" href="${link("/campaigns")}">${texts("campaigns.title")}</a><a class="button" href="${link("/price-lists")}">${texts("lists.link")}</a>${visit.may("items:write") && html`<a class="button" href="${link("/import")}">${texts("items.import")}</a>`}</div></header>
${held.length > 0 && html`<p class="trouble"><a href="${link("/held")}">${texts("held.link", { count: held.length })}</a></p>`}
<form class="finder" id="finder" role="search">${keptStore(visit)}
<label class="field"><span>${texts("items.search")}</span><input type="search" name="search" value="${query.get("search") ?? ""}" placeholder="${texts("items.searchHint")}" autocomplete="off" spellcheck="false"></label>
<label class="check"><input type="checkbox" name="planned"${query.has("planned") && html` checked`}><span>${texts("items.onlyPlanned")}</span></label>
</form>
<p class="muted" role="status" id="count"></p>
<div id="all">${shown.length === 0 ? html`<p class="card">${texts("items.empty")}</p>` : html`<ul class="rows card">${shown.map((item) => row(visit, item))}</ul>`}
<nav class="leaves" aria-label="${texts("items.title")}">${start > 0 && leaf(start - ITEMS_PER_PAGE, "items.previous")}${found.length > ITEMS_PER_PAGE && leaf(start + ITEMS_PER_PAGE, "items.next")}</nav></div>
<div id="found" hidden><ul class="rows card" id="rows"></ul><button${scripted} type="button" id="more" hidden>${texts("items.more")}</button></div>
<template id="row">${row(visit, undefined)}</template>
</div>`;
    return { title: texts("items.title"), content };
  },
};

/** A row of the list; without an item, an empty row for the script to fill. */
function row({ texts, language, price, link }: Visit, item: ListedItem | undefined): Html {
  const planned = item?.validFrom && html`${texts("items.planned", { time: wallText(item.validFrom, language) })}`;
  return html`<li><a href="${item && link(`/items/${encodeURIComponent(item.itemId)}`)}"><span class="name">${item && (item.itemName ?? item.itemId)}</span><span class="price">${item?.price && price(item.price)}</span><span class="number">${item?.itemId}</span><span class="place">${item && [item.department, item.itemGroup].filter(Boolean).join(" · ")}</span><span class="planned">${planned}</span></a></li>`;
}

const scriptKeys = [
  "items.reading",
  "items.found",
  "items.foundMore",
  "items.none",
  "items.failed",
  "items.planned",
] as const;
