import type { HeldSummary } from "../../../schemas/held-request.ts";
import { ProblemError } from "../../http/problem-error.ts";
import { personText } from "../browser/person-text.ts";
import { type Html, html } from "../html/html.ts";
import { noticeText } from "../layout/notice-text.ts";
import { timeText } from "../layout/time-text.ts";
import type { Page, Visit } from "../visit.ts";

/** Maximum number of decided requests in the list. */
const MAX_DECIDED = 50;
const MAX_WAITING = 1_000;

/** The requests that price guards hold, largest jumps first, and requests that were decided. */
export const heldPage: Page = {
  path: "/held",
  below: "items",
  styles: ["items.css", "held.css"],
  async show(visit) {
    const { texts, link, store, read } = visit;
    if (store === undefined) throw new ProblemError("unknown-store", "No store is named.");
    const list = (query: object) => read<HeldSummary[]>("listHeldRequests", { storeId: store.id, query: { ...query } });
    const [waiting, all] = await Promise.all([
      list({ state: "WAITING", limit: MAX_WAITING }),
      list({ limit: MAX_DECIDED }),
    ]);
    const decided = all.filter(({ state }) => state !== "WAITING");
    const jump = ({ largest }: HeldSummary) => Math.abs(largest ?? Number.MAX_VALUE);
    const content = html`<div class="page held-page">
<header class="title"><p class="crumb"><a href="${link("/items")}">${texts("nav.items")}</a></p><h1>${texts("held.title")}</h1><p class="muted">${texts("held.hint")}</p></header>
<section class="card" aria-labelledby="waiting-title"><h2 id="waiting-title">${texts("held.waiting")}</h2>
${listed(
  visit,
  waiting.toSorted((one, other) => jump(other) - jump(one)),
)}</section>
${decided.length > 0 && html`<section class="card" aria-labelledby="decided-title"><h2 id="decided-title">${texts("held.decided")}</h2>${listed(visit, decided)}</section>`}
</div>`;
    return { title: texts("held.title"), content };
  },
};

const listed = (visit: Visit, requests: readonly HeldSummary[]): Html =>
  requests.length === 0
    ? html`<p>${visit.texts("held.none")}</p>`
    : html`<ul class="held">${requests.map((one) => listedOne(visit, one))}</ul>`;

function listedOne(visit: Visit, one: HeldSummary): Html {
  const { texts, link } = visit;
  return html`<li data-state="${one.state}"><p><a href="${link(`/held/${one.requestId}`)}">${texts("held.one", { number: String(one.requestId) })}</a></p>${heldFacts(visit, one)}</li>`;
}

/** Who sent a held request, why it is held, and the decision. */
export function heldFacts(visit: Visit, one: HeldSummary): Html {
  const { texts, language, now } = visit;
  const { state, sentBy, sentAt, expiresAt, rows, held, largest, guards, decision } = one;
  const time = (iso: string) => timeText(iso, language, now);
  const number = new Intl.NumberFormat(language);
  return html`<p>${texts("held.rows", { count: held, rows: number.format(rows) })}${largest !== null && html` · ${texts("held.largest", { percent: signed(largest, language) })}`}</p>
${guards.map((guard) => guardLine(visit, guard))}
<p class="muted">${texts("held.sentBy", { name: personText(sentBy.id, texts), time: time(sentAt) })}${state === "WAITING" && html` · ${texts("held.expires", { time: time(expiresAt) })}`}</p>
${decision && html`<p><strong>${texts(`held.state.${state}`)}</strong>${decision.by && html`: ${texts("held.by", { name: personText(decision.by.id, texts), time: time(decision.at) })}`}${decision.note && html` – ${decision.note}`}</p>`}`;
}

/** Formats a percentage change with its sign. */
export const signed = (percent: number, language: string): string =>
  new Intl.NumberFormat(language, { signDisplay: "exceptZero" }).format(percent);

const PRICES = ["was", "price", "cost"];

/** Names the guard that prices hit, with prices in the format of the page's language. */
export function guardLine({ texts, price }: Visit, guard: HeldSummary["guards"][number]): Html {
  const values = Object.entries(guard.values).map(([name, value]) => [
    name,
    PRICES.includes(name) ? price(value) : value,
  ]);
  return html`<p class="trouble">${noticeText({ ...guard, values: Object.fromEntries(values) }, guard.detail, texts)}</p>`;
}
