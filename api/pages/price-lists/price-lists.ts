import type { PriceListSummary } from "../../../schemas/price-list.ts";
import { ProblemError } from "../../http/problem-error.ts";
import { personText } from "../browser/person-text.ts";
import { type Html, html } from "../html/html.ts";
import { scripted } from "../html/scripted.ts";
import { refusalKeys } from "../layout/reason-keys.ts";
import { scriptTexts } from "../layout/script-texts.ts";
import { timeText } from "../layout/time-text.ts";
import type { Page, Visit } from "../visit.ts";

const MAX_LISTS = 50;

/** The price lists of a store, newest first; each can be undone in two clicks. */
export const priceListsPage: Page = {
  path: "/price-lists",
  below: "items",
  styles: ["items.css", "held.css"],
  scripts: ["price-lists/undo.ts"],
  async show(visit) {
    const { texts, link, store, read, may } = visit;
    if (store === undefined) throw new ProblemError("unknown-store", "No store is named.");
    const lists = await read<PriceListSummary[]>("listPriceLists", { storeId: store.id, query: { limit: MAX_LISTS } });
    const row = (list: PriceListSummary) =>
      html`<li data-state="${list.state}"><p><a href="${link(`/price-lists/${list.listId}`)}">${list.listId}</a> <strong>${texts(`lists.state.${list.state}`)}</strong></p>${listFacts(visit, list)}${undoButton(visit, list)}</li>`;
    const content = html`<header class="title"><p class="crumb"><a href="${link("/items")}">${texts("nav.items")}</a></p><h1>${texts("lists.title")}</h1><p class="muted">${texts("lists.hint")}</p></header>
${may("items:write") && html`<p><a class="button" href="${link("/import")}">${texts("items.import")}</a></p>`}
<section class="card" aria-label="${texts("lists.title")}">${lists.length === 0 ? html`<p>${texts("lists.none")}</p>` : html`<ul class="held">${lists.map(row)}</ul>`}
<p class="outcome" role="status" id="outcome" tabindex="-1"></p></section>`;
    return { title: texts("lists.title"), content: undoable(visit, content) };
  },
};

/** Who sent a list, when it begins, and who undid it. */
export function listFacts({ texts, language, now }: Visit, { sentAt, sentBy, startsAt, undo }: PriceListSummary): Html {
  const time = (iso: string) => timeText(iso, language, now);
  return html`<p class="muted">${texts("lists.sent", { name: sentBy ? personText(sentBy.id, texts) : "–", time: time(sentAt) })}${startsAt !== null && html` · ${texts("lists.starts", { time: time(startsAt) })}`}</p>
${undo && html`<p>${texts("lists.undone", { name: undo.by ? personText(undo.by.id, texts) : "–", time: time(undo.at) })}</p>`}`;
}

/**
 * The first of the two clicks; none for a list that was undone, or for a visitor who may not change items. Disabled, with the
 * reason, while the list is being applied.
 */
export function undoButton({ texts, may }: Visit, { listId, state }: PriceListSummary): Html | false {
  if (!may("items:write") || state === "UNDOING" || state === "UNDONE") return false;
  const name = texts("lists.undoOne", { list: listId });
  if (state === "APPLYING")
    return html`<p><button disabled type="button" class="danger" aria-label="${name}">${texts("lists.undo")}</button> <span class="muted">${texts("lists.undoLater")}</span></p>`;
  return html`<p><button${scripted} type="button" class="danger" data-undo="${listId}" aria-label="${name}">${texts("lists.undo")}</button></p>`;
}

/** A page with such buttons, and the dialog for the second click. */
export const undoable = (visit: Visit, content: Html): Html =>
  html`<div class="page held-page" id="lists" data-base="${visit.storeBase}" data-held="${visit.link("/held")}" data-texts="${scriptTexts(visit, scriptKeys)}">
${content}
<dialog id="undo-dialog" aria-labelledby="undo-title"><form method="dialog"><h2 id="undo-title"></h2><p>${visit.texts("lists.sureWhat")}</p><div class="buttons"><button value="no" autofocus>${visit.texts("cancel")}</button><button class="danger" value="yes">${visit.texts("lists.undo")}</button></div></form></dialog>
</div>`;

const scriptKeys = [
  "lists.sure",
  "lists.undoing",
  "lists.held",
  "form.failed",
  "form.refused",
  ...refusalKeys,
] as const;
