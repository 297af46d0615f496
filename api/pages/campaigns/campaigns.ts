import type { CampaignSummary } from "../../../schemas/campaign-answers.ts";
import { createDateText } from "../../http/date-text.ts";
import { ProblemError } from "../../http/problem-error.ts";
import { personText } from "../browser/person-text.ts";
import { type Html, html } from "../html/html.ts";
import { localTimeText } from "../layout/time-text.ts";
import type { Page, Visit } from "../visit.ts";
import { weekTable } from "./week.ts";

const MAX_LISTED = 1_000;

/** The campaigns of a store: by week, and newest first. */
export const campaignsPage: Page = {
  path: "/campaigns",
  below: "items",
  styles: ["items.css", "campaigns.css"],
  async show(visit) {
    const { texts, link, store, read, may } = visit;
    if (store === undefined) throw new ProblemError("unknown-store", "No store is named.");
    const all = await read<CampaignSummary[]>("listCampaigns", { storeId: store.id, query: { limit: MAX_LISTED } });
    const content = html`<div class="page campaigns-page">
<header class="bar"><div class="title"><p class="crumb"><a href="${link("/items")}">${texts("nav.items")}</a></p><h1>${texts("campaigns.title")}</h1></div>${may("items:write") && html`<a class="button primary" href="${link("/campaigns/new")}">${texts("campaigns.new")}</a>`}</header>
<section class="card" aria-labelledby="week-title"><h2 id="week-title">${texts("campaigns.week")}</h2>${weekTable(visit, all)}</section>
<section class="card" aria-labelledby="all-title"><h2 id="all-title">${texts("campaigns.all")}</h2>
${all.length === 0 ? html`<p>${texts("campaigns.none")}</p>` : html`<ul class="campaigns">${all.map((one) => listed(visit, one))}</ul>`}</section>
</div>`;
    return { title: texts("campaigns.title"), content };
  },
};

const listed = (visit: Visit, one: CampaignSummary): Html =>
  html`<li data-state="${one.state}"><p><a href="${visit.link(`/campaigns/${one.campaignId}`)}">${one.name}</a></p>${campaignFacts(visit, one)}</li>`;

/** The state of a campaign, its period, and how many items and stores it has. */
export function campaignFacts(
  { texts, language, store }: Visit,
  { state, from, begins, until, itemCount, leftOut, storeIds, createdBy }: CampaignSummary,
): Html {
  const time = (local: string) => localTimeText(local, language);
  const begun = begins === null ? undefined : createDateText(store?.timeZone ?? "UTC", false)(new Date(begins));
  const start = from ?? begun;
  return html`<p><strong>${texts(`campaigns.state.${state}`)}</strong> · ${texts("campaigns.time", { from: start === undefined ? texts("campaigns.atOnce") : time(start), until: time(until) })}</p>
<p class="muted">${itemCount !== null && html`${texts("campaigns.items", { count: itemCount })} · `}${texts("campaigns.stores", { count: storeIds.length })}${leftOut !== null && leftOut > 0 && html` · ${texts("campaigns.leftOut", { count: leftOut })}`} · ${texts("campaigns.by", { name: personText(createdBy.id, texts) })}</p>`;
}
