import { type Html, html } from "../html/html.ts";
import type { Visit } from "../visit.ts";
import { mark } from "./marks.ts";
import { scriptTexts } from "./script-texts.ts";

/** The store picker and the search contain up to this many stores; if there are more, the search reads the list. */
export const MAX_LISTED_STORES = 50;

/** The button that opens the search across all pages. Its script shows it. */
export const searchButton = ({ texts }: Visit): Html =>
  html`<button type="button" id="search-open" aria-keyshortcuts="Control+K" hidden>${mark("find")}<span>${texts("search.open")}</span> <kbd>${texts("search.keys")}</kbd></button>`;

/** The search across all pages: the entries that its script searches, and where it reads the rest. */
export function searchDialog(visit: Visit): Html {
  const { texts, link, stores, store, may, mayInTenant, storeBase, manage } = visit;
  const hasStore = store !== undefined;
  const isListed = stores.length <= MAX_LISTED_STORES;
  const places: (readonly [path: string, title: string, isFor: boolean])[] = [
    ["/", texts("overview.title"), true],
    ["/work", texts("work.title"), hasStore && may("labels:read")],
    ["/shelf", texts("nav.shelf"), may("labels:read")],
    ["/shelf/then", texts("then.title"), hasStore && may("labels:read")],
    ["/aisle", texts("nav.aisle"), may("labels:write")],
    ["/items", texts("items.title"), may("items:read")],
    ["/import", texts("items.import"), may("items:write")],
    ["/price-lists", texts("lists.title"), hasStore && may("items:read")],
    ["/campaigns", texts("campaigns.title"), hasStore && may("items:read")],
    ["/held", texts("held.title"), may("items:read")],
    ["/care", texts("care.store"), may("labels:read")],
    ["/activity", texts("activity.title"), may("activity:read")],
    ["/designer", texts("nav.designer"), mayInTenant("design:read")],
    ["/stores", texts("nav.stores"), visit.isOperator || mayInTenant("ops")],
  ];
  const readsItems = hasStore && may("items:read");
  const readsLabels = hasStore && may("labels:read");
  const readsStores = !isListed && mayInTenant("ops");
  const lists = [
    [readsItems, html` data-items="${`${storeBase}/items`}"`],
    [readsItems, html` data-item="${link("/items/")}"`],
    [readsLabels, html` data-labels="${`${storeBase}/labels`}"`],
    [readsLabels, html` data-label="${link("/labels/")}"`],
    [readsStores, html` data-stores="${`${manage}/stores`}"`],
    [readsStores, html` data-store="${link("/shelf", { store: "" })}"`],
  ] as const;
  const group = (name: string, links: readonly Html[]) => html`<ul data-known="${name}" hidden>${links}</ul>`;
  return html`<dialog id="search" class="search" aria-label="${texts("search.field")}" data-texts="${scriptTexts(visit, scriptKeys)}"${lists.map(
    ([isFor, attribute]) => isFor && attribute,
  )}>
<form method="dialog"><label class="field"><span>${texts("search.field")}</span><input type="search" autocomplete="off" spellcheck="false"></label><button>${texts("search.close")}</button></form>
<p class="muted" role="status"></p>
<div class="found"></div>
${group(
  "search.pages",
  places.flatMap(([path, title, isFor]) => (isFor ? [html`<li><a href="${link(path)}">${title}</a></li>`] : [])),
)}${group(
  "search.stores",
  isListed ? stores.map(({ id, name }) => html`<li><a href="${link("/shelf", { store: id })}">${name}</a></li>`) : [],
)}
</dialog>`;
}

const scriptKeys = [
  "search.pages",
  "search.stores",
  "search.items",
  "search.labels",
  "search.reading",
  "search.none",
  "search.failed",
] as const;
