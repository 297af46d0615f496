import type { Static } from "typebox";
import type { Jump, PriceListAnswer } from "../../../schemas/price-list.ts";
import type { ItemsResult } from "../../../schemas/request.ts";
import { ProblemError } from "../../http/problem-error.ts";
import { signed } from "../held/held.ts";
import { type Html, html } from "../html/html.ts";
import { noticeText } from "../layout/notice-text.ts";
import type { Page, Visit } from "../visit.ts";
import { listFacts, undoable, undoButton } from "./price-lists.ts";

type ResultRow = Static<typeof ItemsResult>["itemResults"][number];

const MAX_SHOWN = 100;
/** Maximum number of requests whose failures are read; the CSV has all of them. */
const MAX_READ = 10;

/** A price list: its progress to the labels, the failed rows of the list or its undo, and its largest jumps. */
export const priceListPage: Page = {
  path: "/price-lists/:listId",
  below: "items",
  styles: ["overview.css", "items.css", "held.css"],
  scripts: ["price-lists/undo.ts"],
  nothing: "problem.noEntry",
  async show(visit) {
    const { texts, link, store, read, params } = visit;
    if (store === undefined) throw new ProblemError("unknown-store", "No store is named.");
    const listId = params.listId ?? "";
    const list = await read<PriceListAnswer>("getPriceList", { storeId: store.id, params: { listId } });
    const failed = await readFailed(visit, store.id, [...(list.undo?.requestIds ?? []), ...list.requestIds]);
    const content = html`<header class="title"><p class="crumb"><a href="${link("/price-lists")}">${texts("lists.title")}</a></p><h1>${listId}</h1></header>
<section class="card" aria-label="${listId}"><p><strong>${texts(`lists.state.${list.state}`)}</strong></p>${listFacts(visit, list)}
${progress(visit, list)}${undoButton(visit, list)}<p class="outcome" role="status" id="outcome" tabindex="-1"></p></section>
${failed.length > 0 && failures(visit, listId, failed)}
<section class="card" aria-labelledby="jumps-title"><h2 id="jumps-title">${texts("lists.jumps")}</h2>
${list.jumps.length === 0 ? html`<p>${texts("lists.noJumps")}</p>` : html`<ul class="jumps">${list.jumps.slice(0, MAX_SHOWN).map((jump) => change(visit, jump))}</ul>`}</section>`;
    return { title: listId, content: undoable(visit, content) };
  },
};

/** Progress: rows applied, labels drawn, labels that have acknowledged. */
function progress({ texts, language }: Visit, { items, rows, labels }: PriceListAnswer): Html {
  const number = new Intl.NumberFormat(language);
  const tile = (key: "applied" | "drawn" | "acknowledged", count: number, total: number) =>
    html`<li class="tile"><span class="figure">${number.format(count)}</span><span class="word">${texts(`lists.${key}`, { total: number.format(total) })}</span></li>`;
  return html`<ul class="tiles">${tile("applied", rows.sent === 0 ? items : rows.applied, rows.sent === 0 ? items : rows.sent)}${tile("drawn", labels.drawn, labels.total)}${tile("acknowledged", labels.acknowledged, labels.total)}</ul>`;
}

/** Reads the rows that have failed completely or partly, starting with rows of the undo. */
async function readFailed({ read }: Visit, storeId: string, requests: readonly number[]): Promise<ResultRow[]> {
  const found = requests.slice(0, MAX_READ).map(async (requestId) => {
    const call = { storeId, params: { requestId: String(requestId) }, query: { onlyErrors: true } };
    const answer = await read<Static<typeof ItemsResult>>("getItemsResult", call).catch((error) => {
      // Results are kept for a shorter time than lists.
      if (error instanceof ProblemError && error.problem === "not-found") return undefined;
      throw error;
    });
    return (answer?.itemResults ?? []).filter(({ status }) => status !== "PENDING");
  });
  return (await Promise.all(found)).flat();
}

function failures({ texts, link, storeBase }: Visit, listId: string, failed: readonly ResultRow[]): Html {
  const row = ({ itemId, errors, notices = [] }: ResultRow) =>
    html`<li>${itemId && html`<a href="${link(`/items/${encodeURIComponent(itemId)}`)}">${itemId}</a>: `}${errors.map((error, index) => html`${noticeText(notices[index], error, texts)} `)}</li>`;
  return html`<section class="card" id="failures" aria-labelledby="failures-title"><h2 id="failures-title">${texts("lists.failures")}</h2>
<ul>${failed.slice(0, MAX_SHOWN).map(row)}</ul>${failed.length > MAX_SHOWN && html`<p class="muted">${texts("lists.more", { count: failed.length - MAX_SHOWN })}</p>`}
<p><a href="${storeBase}/price-lists/${listId}/failures" download="${listId}.csv">${texts("lists.csv")}</a></p></section>`;
}

function change({ texts, price, link, language }: Visit, { itemId, itemName, was, price: to, percent }: Jump): Html {
  const prices =
    was === null
      ? texts("held.first", { price: price(to) })
      : texts("held.change", { was: price(was), price: price(to) });
  return html`<li><p><a href="${link(`/items/${encodeURIComponent(itemId)}`)}">${itemName ?? itemId}</a>${itemName !== null && html` <span class="muted">${itemId}</span>`}</p>
<p class="jump"><span>${prices}</span>${percent !== null && html`<strong>${texts("held.percent", { percent: signed(percent, language) })}</strong>`}</p></li>`;
}
