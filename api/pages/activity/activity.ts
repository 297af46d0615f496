import type { ActivityPage } from "../../../schemas/activity.ts";
import { ProblemError } from "../../http/problem-error.ts";
import { type Html, html } from "../html/html.ts";
import { keptStore } from "../layout/kept-store.ts";
import type { Page, Visit } from "../visit.ts";
import { activityEntry } from "./activity-entry.ts";

const ENTRIES_PER_PAGE = 50;

/** Who changed what in a store, or in all stores of the retailer, by person, item and label. */
export const activityPage: Page = {
  path: "/activity",
  below: "overview",
  styles: ["items.css", "stores.css", "activity.css"],
  async show(visit) {
    const { texts, link, store, query } = visit;
    if (store === undefined) throw new ProblemError("unknown-store", "No store is named.");
    const mayAll = visit.mayInTenant("activity:read");
    const isAll = mayAll && query.has("all");
    const asked = askedOf(query, isAll);
    const page = { ...asked, ...filterOf(query, "before"), limit: ENTRIES_PER_PAGE };
    const found = isAll
      ? await visit.read<ActivityPage>("listActivity", { query: page })
      : await visit.read<ActivityPage>("listStoreActivity", { storeId: store.id, query: page });
    const same = { ...asked, ...(isAll && { all: "1" }) };
    const content = html`<div class="page one-page activity-page"><header class="title"><p class="crumb"><a href="${link("/")}">${texts("nav.overview")}</a></p><h1>${texts("activity.title")}</h1></header>
<form class="finder" role="search">${keptStore(visit)}${finder(visit, mayAll, isAll)}</form>
${found.entries.length === 0 ? html`<p class="card">${texts("activity.none")}</p>` : html`<ol class="card entries activity">${found.entries.map((entry) => activityEntry(visit, entry))}</ol>`}
<nav class="leaves" aria-label="${texts("activity.title")}">${query.has("before") && html`<a class="button" href="${link("/activity", same)}">${texts("activity.newest")}</a>`}${found.next !== null && html`<a class="button" href="${link("/activity", { ...same, before: found.next })}">${texts("activity.older")}</a>`}</nav>
<p class="bar"><span class="hint">${texts("activity.hint")}</span><span>${exportsOf(visit, isAll, asked)}</span></p></div>`;
    return { title: texts("activity.title"), content };
  },
};

/** Returns the filters in the address that have a value; items and labels belong to a store. */
const askedOf = (query: URLSearchParams, isAll: boolean): Record<string, string> => ({
  ...filterOf(query, "person"),
  ...(!isAll && { ...filterOf(query, "item"), ...filterOf(query, "label") }),
});

function filterOf(query: URLSearchParams, name: string): Record<string, string> {
  const value = query.get(name)?.trim() ?? "";
  return value === "" ? {} : { [name]: value };
}

function finder({ texts, query }: Visit, mayAll: boolean, isAll: boolean): Html {
  const field = (name: "person" | "item" | "label") =>
    html`<label class="field"><span>${texts(`activity.${name}`)}</span><input name="${name}" value="${query.get(name) ?? ""}" autocomplete="off" spellcheck="false"></label>`;
  return html`${field("person")}${!isAll && html`${field("item")}${field("label")}`}
${mayAll && html`<label class="check"><input type="checkbox" name="all" value="1"${isAll && html` checked`}><span>${texts("activity.all")}</span></label>`}
<button>${texts("activity.show")}</button>`;
}

/** Links that export the same entries as files. */
const exportsOf = ({ texts, storeBase, manage }: Visit, isAll: boolean, asked: Readonly<Record<string, string>>) =>
  (["csv", "ndjson"] as const).map((format) => {
    const address = `${isAll ? `${manage}/tenant-activity` : `${storeBase}/activity`}?${new URLSearchParams({ ...asked, format })}`;
    return html` <a class="button" href="${address}" download="activity.${format}">${texts(`activity.${format}`)}</a>`;
  });
