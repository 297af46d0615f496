import type { HeldRequest } from "../../../schemas/held-request.ts";
import { ProblemError } from "../../http/problem-error.ts";
import { type Html, html } from "../html/html.ts";
import { scripted } from "../html/scripted.ts";
import { refusalKeys } from "../layout/reason-keys.ts";
import { scriptTexts } from "../layout/script-texts.ts";
import type { Page, Visit } from "../visit.ts";
import { guardLine, heldFacts, signed } from "./held.ts";

const MAX_SHOWN = 200;

/** One held request: its rows, largest jumps first, and the buttons for a second person. */
export const heldRequestPage: Page = {
  path: "/held/:requestId",
  below: "items",
  styles: ["items.css", "held.css"],
  scripts: ["held/held-request.ts"],
  nothing: "problem.noEntry",
  async show(visit) {
    const { texts, link, store, read, params } = visit;
    if (store === undefined) throw new ProblemError("unknown-store", "No store is named.");
    const requestId = params.requestId ?? "";
    const one = await read<HeldRequest>("getHeldRequest", { storeId: store.id, params: { requestId } });
    const title = texts("held.one", { number: requestId });
    const content = html`<div class="page held-page" id="held" data-address="${visit.storeBase}/held-requests/${requestId}" data-texts="${scriptTexts(visit, scriptKeys)}">
<header class="title"><p class="crumb"><a href="${link("/held")}">${texts("held.title")}</a></p><h1>${title}</h1></header>
<section class="card" aria-label="${title}">${heldFacts(visit, one)}${one.state === "WAITING" && decision(visit, one)}</section>
<section class="card"><ul class="jumps">${one.changes.slice(0, MAX_SHOWN).map((row) => change(visit, row))}</ul>${one.held > MAX_SHOWN && html`<p class="muted">${texts("held.more", { count: one.held - MAX_SHOWN })}</p>`}</section>
</div>`;
    return { title, content };
  },
};

function change(visit: Visit, row: HeldRequest["changes"][number]): Html {
  const { texts, price, link, language } = visit;
  const { itemId, itemName, was, percent, guards } = row;
  const prices =
    was === null
      ? texts("held.first", { price: price(row.price) })
      : texts("held.change", { was: price(was), price: price(row.price) });
  return html`<li><p><a href="${link(`/items/${encodeURIComponent(itemId)}`)}">${itemName ?? itemId}</a> <span class="muted">${itemId}</span></p>
<p class="jump"><span>${prices}</span>${percent !== null && html`<strong>${texts("held.percent", { percent: signed(percent, language) })}</strong>`}</p>
${guards.map((guard) => guardLine(visit, guard))}</li>`;
}

/** The buttons for a second person; for anyone else, the reason why there are none. */
function decision({ texts, may, permit }: Visit, { sentBy, held }: HeldRequest): Html {
  if (!may("prices:approve")) return html`<p class="hint">${texts("held.noRight")}</p>`;
  if (permit.subject === undefined || permit.subject === sentBy.id)
    return html`<p class="hint">${texts("held.own")}</p>`;
  return html`<form id="decision"><label class="field"><span>${texts("held.note")}</span><input name="note" maxlength="1000" autocomplete="off"></label>
<div class="buttons"><button${scripted} type="button" data-act="approve">${texts("held.approve")}</button><button${scripted} type="button" class="danger" data-act="refuse">${texts("held.refuse")}</button></div>
<p class="outcome" role="status" id="outcome" tabindex="-1"></p></form>
<dialog id="approve-dialog" aria-labelledby="approve-title"><form method="dialog"><h2 id="approve-title">${texts("held.sure")}</h2><p>${texts("held.sureWhat", { count: held })}</p><div class="buttons"><button value="no" autofocus>${texts("cancel")}</button><button value="yes">${texts("held.approve")}</button></div></form></dialog>`;
}

const scriptKeys = ["form.failed", "form.refused", ...refusalKeys] as const;
