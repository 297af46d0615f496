import type { CampaignSummary } from "../../../schemas/campaign-answers.ts";
import { createDateText } from "../../http/date-text.ts";
import { type Html, html } from "../html/html.ts";
import type { Visit } from "../visit.ts";

const DAY_MS = 86_400_000;

/** Returns the days, `YYYY-MM-DD`, of the week that contains this day, from Monday. */
export function weekOf(day: string): string[] {
  const at = Date.parse(`${day}T00:00:00Z`);
  const monday = at - ((new Date(at).getUTCDay() + 6) % 7) * DAY_MS;
  return Array.from({ length: 7 }, (_, index) => dayOf(monday + index * DAY_MS));
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** The campaigns of a week as a table: a row for each campaign, a column for each day. */
export function weekTable(visit: Visit, campaigns: readonly CampaignSummary[]): Html {
  const { texts, language, link, query, store, now } = visit;
  const dateText = createDateText(store?.timeZone ?? "UTC", false);
  const asked = query.get("week") ?? "";
  const isDay = /^\d{4}-\d\d-\d\d$/.test(asked) && !Number.isNaN(Date.parse(`${asked}T00:00:00Z`));
  const days = weekOf(isDay ? asked : dateText(now).slice(0, 10));
  const [monday = ""] = days;
  const name = new Intl.DateTimeFormat(language, {
    weekday: "short",
    day: "numeric",
    month: "numeric",
    timeZone: "UTC",
  });
  const startOf = ({ from, begins, createdAt }: CampaignSummary) => from ?? dateText(new Date(begins ?? createdAt));
  const runsOn = (campaign: CampaignSummary, day: string) =>
    startOf(campaign) <= `${day} 23:59:59` && campaign.until > `${day} 00:00:00`;
  const shown = campaigns.filter((one) => one.state !== "CANCELLED" && days.some((day) => runsOn(one, day)));
  const other = (key: "campaigns.before" | "campaigns.after", weeks: number) =>
    html`<a class="button" href="${link("/campaigns", { week: dayOf(Date.parse(monday) + weeks * 7 * DAY_MS) })}">${texts(key)}</a>`;
  const cell = (campaign: CampaignSummary, day: string) =>
    runsOn(campaign, day)
      ? html`<td class="runs" data-state="${campaign.state}"><span class="visually-hidden">${texts("campaigns.runs")}</span></td>`
      : html`<td></td>`;
  return html`<div class="buttons">${other("campaigns.before", -1)}${other("campaigns.after", 1)}</div>
<div class="week" role="region" tabindex="0" aria-label="${texts("campaigns.week")}"><table><caption class="visually-hidden">${texts("campaigns.week")}</caption>
<thead><tr><th scope="col">${texts("campaigns.name")}</th>${days.map((day) => html`<th scope="col">${name.format(Date.parse(`${day}T00:00:00Z`))}</th>`)}</tr></thead>
<tbody>${shown.map((one) => html`<tr><th scope="row"><a href="${link(`/campaigns/${one.campaignId}`)}">${one.name}</a></th>${days.map((day) => cell(one, day))}</tr>`)}</tbody></table></div>
${shown.length === 0 && html`<p>${texts("campaigns.noneInWeek")}</p>`}`;
}
