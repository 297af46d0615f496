import type { StoreCare } from "../../../schemas/care.ts";
import { ProblemError } from "../../http/problem-error.ts";
import { type Html, html } from "../html/html.ts";
import type { ShownLabel } from "../label/label-facts.ts";
import type { Page, Visit } from "../visit.ts";
import { refreshes } from "./refreshes.ts";

/** About as many as a person can replace in a day. */
const MAX_LISTED = 500;

/** The care of a store's labels: batteries due for replacement, and refreshes with their causes. */
export const carePage: Page = {
  path: "/care",
  below: "overview",
  styles: ["label.css", "items.css", "stores.css"],
  async show(visit) {
    const { read, texts, link, store } = visit;
    if (store === undefined) throw new ProblemError("unknown-store", "No store is named.");
    const care = await read<StoreCare>("getStoreCare", { storeId: store.id });
    const query = { replaceWithin: 30, sortProperty: "batteryDaysLeft", limit: MAX_LISTED };
    const due = care.replace === 0 ? [] : await read<ShownLabel[]>("listLabels", { storeId: store.id, query });
    const content = html`<div class="page one-page"><header class="title"><p class="crumb"><a href="${link("/")}">${texts("nav.overview")}</a></p><h1>${texts("care.store")}</h1></header>
${replacements(visit, care, due)}
<section class="card">${refreshes(visit, care.refreshes)}</section></div>`;
    return { title: texts("care.store"), content };
  },
};

function replacements({ texts, link }: Visit, { replace, forecasts }: StoreCare, due: readonly ShownLabel[]): Html {
  const rows = due.map(
    ({ barcode, plLocation, batteryDaysLeft }) =>
      html`<li><a class="entry" href="${link(`/labels/${encodeURIComponent(barcode)}`)}"><span class="name">${barcode}</span><span class="muted">${plLocation ?? ""}</span><span>${texts("care.lasts", { count: batteryDaysLeft ?? 0 })}</span></a></li>`,
  );
  return html`<section class="card list-card" aria-labelledby="replace-title"><header class="bar"><h2 id="replace-title">${texts("care.replace")}</h2><p class="count">${texts("number", { count: replace })}</p></header>
${replace === 0 ? html`<p>${texts("care.replaceNone")}</p>` : html`<ul class="entries">${rows}</ul>`}
<p class="hint">${texts("care.forecasts", { count: forecasts })}</p></section>`;
}
