import { entityTag } from "../../http/entity-tag.ts";
import { ProblemError } from "../../http/problem-error.ts";
import { type Html, html } from "../html/html.ts";
import { scripted } from "../html/scripted.ts";
import { addressOf, type LabelPictures, readPictures, sizeOf } from "../label/pictures.ts";
import type { Page, Visit } from "../visit.ts";
import { itemForm, type ShownItem } from "./item-form.ts";
import { priceHistory, readCharged, readPriceHistory } from "./price-history.ts";
import { type PlannedUpdate, waiting } from "./waiting.ts";

/** Number of labels whose pictures are shown; the others have only a link. */
const MAX_PICTURED = 12;

/** One item: its data, its scheduled changes, and the labels that show it. */
export const itemPage: Page = {
  path: "/items/:itemId",
  below: "items",
  styles: ["label.css", "items.css", "activity.css"],
  scripts: ["items/item.ts"],
  nothing: "problem.noItem",
  async show(visit) {
    const { texts, link, params, read, store } = visit;
    if (store === undefined) throw new ProblemError("unknown-store", "No store is named.");
    const call = { storeId: store.id, params: { itemId: params.itemId ?? "" } };
    // Scheduled changes may exist before their item, so an item that is only scheduled also has a page.
    const planned = await read<PlannedUpdate[]>("listScheduledUpdates", call);
    const answer = await read<{ value: ShownItem }>("getItem", call).catch((error) => {
      if (planned.length > 0 && error instanceof ProblemError && error.problem === "not-found") return undefined;
      throw error;
    });
    const itemId = params.itemId ?? "";
    const barcodes = [...new Set(answer?.value.links.map(({ barcode }) => barcode))];
    const pictured = visit.may("labels:read") ? barcodes.slice(0, MAX_PICTURED) : [];
    const pictures = await Promise.all(
      pictured.map(async (barcode) => [barcode, await readPictures(visit, barcode)] as const),
    );
    const [history, charged] = await Promise.all([readPriceHistory(visit, itemId), readCharged(visit, itemId)]);
    const name = answer?.value.itemName ?? planned.find(({ itemName }) => itemName)?.itemName ?? itemId;
    const content = html`<div class="page item-page" id="item" data-tail="${visit.tail}" data-labels="${barcodes.map((barcode) => `${store.id}/${barcode}`).join(" ")}" data-base="${visit.storeBase}" data-item="${itemId}" data-list="${link("/items")}" data-tag="${answer && entityTag(JSON.stringify(answer))}">
<header class="title"><p class="crumb"><a href="${link("/items")}">${texts("nav.items")}</a></p><h1>${name}</h1><p class="muted">${texts("item.number", { item: itemId })}</p></header>
${answer?.value.offer && offered(visit, answer.value.offer)}
${answer && itemForm(visit, answer.value)}
<div class="side">${waiting(visit, planned)}${priceHistory(visit, itemId, history, charged)}${answer && labels(visit, barcodes, new Map(pictures))}</div>
</div>`;
    return { title: name, content };
  },
};

/** Shows what a campaign displays for the item now; the form has its regular values. */
const offered = ({ texts, link, price }: Visit, { campaignId, price: shown }: NonNullable<ShownItem["offer"]>): Html =>
  html`<p class="offer"><a href="${link(`/campaigns/${campaignId}`)}">${shown === null ? texts("campaigns.itemShown") : texts("campaigns.itemOffered", { price: price(shown) })}</a></p>`;

function labels(visit: Visit, barcodes: readonly string[], pictures: ReadonlyMap<string, LabelPictures>): Html {
  const { texts, link, may } = visit;
  const rows = barcodes.map(
    (barcode) =>
      html`<li>${may("labels:read") ? html`<a href="${link(`/labels/${encodeURIComponent(barcode)}`)}">${barcode}</a>` : barcode}${bothPictures(visit, barcode, pictures.get(barcode))}</li>`,
  );
  return html`<section class="card" id="labels" data-live aria-labelledby="labels-title"><h2 id="labels-title">${texts("item.labels")}</h2>
${barcodes.length === 0 ? html`<p>${texts("item.labelsNone")}</p>` : html`<ul class="barcodes">${rows}</ul>`}
</section>
${
  may("items:write") &&
  html`<section class="card danger-zone"><button${scripted} type="button" class="danger" id="delete">${texts("item.delete")}</button>
<dialog id="delete-dialog" aria-labelledby="delete-title"><form method="dialog"><h2 id="delete-title">${texts("item.deleteTitle")}</h2><p>${texts("item.deleteWhat", { count: barcodes.length })}</p>
<div class="buttons"><button value="no" autofocus>${texts("cancel")}</button><button class="danger" value="yes">${texts("item.delete")}</button></div></form></dialog></section>`
}`;
}

/** Shows a label's current picture, and next to it the one that is being sent, if it differs. */
function bothPictures(visit: Visit, barcode: string, pictures: LabelPictures | undefined): Html {
  const { texts } = visit;
  const figure = (of: keyof LabelPictures, title: string) => {
    const picture = pictures?.[of];
    if (picture === undefined) return html``;
    const { width, height } = sizeOf(picture);
    return html`<figure data-of="${of}"><img class="pixels" src="${addressOf(visit, barcode, of, picture)}" width="${width}" height="${height}" alt="${barcode}: ${title}"><figcaption class="muted">${title}</figcaption></figure>`;
  };
  return html`${figure("shown", texts("label.now"))}${figure("next", texts("label.next"))}`;
}
