import type { StoreCare } from "../../../schemas/care.ts";
import { ProblemError } from "../../http/problem-error.ts";
import { html } from "../html/html.ts";
import type { Page } from "../visit.ts";
import { refreshes } from "./refreshes.ts";

/** The care of a store's labels: what they refresh, and why. */
export const carePage: Page = {
  path: "/care",
  below: "overview",
  styles: ["label.css", "items.css"],
  async show(visit) {
    const { read, texts, link, store } = visit;
    if (store === undefined) throw new ProblemError("unknown-store", "No store is named.");
    const care = await read<StoreCare>("getStoreCare", { storeId: store.id });
    const content = html`<div class="page one-page"><header class="title"><p class="crumb"><a href="${link("/")}">${texts("nav.overview")}</a></p><h1>${texts("care.store")}</h1></header>
<section class="card">${refreshes(visit, care.refreshes)}</section></div>`;
    return { title: texts("care.store"), content };
  },
};
