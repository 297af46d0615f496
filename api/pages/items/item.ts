import type { Static } from "typebox";
import type { ItemAnswer } from "../../../schemas/item.ts";
import type { ScheduledUpdateAnswer } from "../../../schemas/schedule.ts";
import { entityTag } from "../../http/entity-tag.ts";
import { ProblemError } from "../../http/problem-error.ts";
import { type Html, html } from "../html/html.ts";
import { scripted } from "../html/scripted.ts";
import type { Page, Visit } from "../visit.ts";
import { itemForm } from "./item-form.ts";
import { waiting } from "./waiting.ts";

export type ShownItem = Static<typeof ItemAnswer.L>;
export type PlannedUpdate = Static<typeof ScheduledUpdateAnswer>;

/** One item: what is known of it, what waits for its time, and the labels that show it. */
export const itemPage: Page = {
  path: "/items/:itemId",
  below: "items",
  styles: ["label.css", "items.css"],
  scripts: ["items/item.ts"],
  nothing: "problem.noItem",
  async show(visit) {
    const { texts, link, params, read, store } = visit;
    if (store === undefined) throw new ProblemError("unknown-store", "No store is named.");
    const call = { storeId: store.id, params: { itemId: params.itemId ?? "" } };
    // The planned updates are there before their item is: one that is planned only has a page of its own.
    const planned = await read<PlannedUpdate[]>("listScheduledUpdates", call);
    const answer = await read<{ value: ShownItem }>("getItem", call).catch((error) => {
      if (planned.length > 0 && error instanceof ProblemError && error.problem === "not-found") return undefined;
      throw error;
    });
    const itemId = params.itemId ?? "";
    const name = answer?.value.itemName ?? planned.find(({ itemName }) => itemName)?.itemName ?? itemId;
    const content = html`<div class="page item-page" id="item" data-base="${visit.storeBase}" data-item="${itemId}" data-list="${link("/items")}" data-tag="${answer && entityTag(JSON.stringify(answer))}">
<header class="title"><p class="crumb"><a href="${link("/items")}">${texts("nav.items")}</a></p><h1>${name}</h1><p class="muted">${texts("item.number", { item: itemId })}</p></header>
${answer && itemForm(visit, answer.value)}
<div class="side">${waiting(visit, planned)}${answer && labels(visit, answer.value)}</div>
</div>`;
    return { title: name, content };
  },
};

function labels({ texts, link, may }: Visit, { links }: ShownItem): Html {
  const barcodes = [...new Set(links.map(({ barcode }) => barcode))];
  return html`<section class="card" id="labels" data-live aria-labelledby="labels-title"><h2 id="labels-title">${texts("item.labels")}</h2>
${barcodes.length === 0 ? html`<p>${texts("item.labelsNone")}</p>` : html`<ul class="barcodes">${barcodes.map((barcode) => html`<li>${may("labels:read") ? html`<a href="${link(`/labels/${encodeURIComponent(barcode)}`)}">${barcode}</a>` : barcode}</li>`)}</ul>`}
</section>
${
  may("items:write") &&
  html`<section class="card danger-zone"><button${scripted} type="button" class="danger" id="delete">${texts("item.delete")}</button>
<dialog id="delete-dialog" aria-labelledby="delete-title"><form method="dialog"><h2 id="delete-title">${texts("item.deleteTitle")}</h2><p>${texts("item.deleteWhat", { count: barcodes.length })}</p>
<div class="buttons"><button value="no" autofocus>${texts("cancel")}</button><button class="danger" value="yes">${texts("item.delete")}</button></div></form></dialog></section>`
}`;
}
