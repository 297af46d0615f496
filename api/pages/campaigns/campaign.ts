import type { CampaignAnswer, CampaignConflicts, CampaignPreview } from "../../../schemas/campaign-answers.ts";
import { ProblemError } from "../../http/problem-error.ts";
import { type Html, html } from "../html/html.ts";
import { scripted } from "../html/scripted.ts";
import { refusalKeys } from "../layout/reason-keys.ts";
import { scriptTexts } from "../layout/script-texts.ts";
import { instantText } from "../layout/time-text.ts";
import type { Page, Visit } from "../visit.ts";
import { campaignForm } from "./campaign-form.ts";
import { campaignFacts } from "./campaigns.ts";

const MAX_SHOWN = 50;

/** The page of a new campaign: its form. */
export const newCampaignPage: Page = {
  path: "/campaigns/new",
  below: "items",
  styles: ["items.css", "campaigns.css"],
  scripts: ["campaigns/campaign.ts"],
  async show(visit) {
    const { texts, store, may } = visit;
    if (store === undefined) throw new ProblemError("unknown-store", "No store is named.");
    if (!may("items:write")) throw new ProblemError("insufficient-scope", "A campaign changes prices of items.");
    const title = texts("campaigns.new");
    return {
      title,
      content: framed(visit, title, "", html`<section class="card">${campaignForm(visit, undefined)}</section>`),
    };
  },
};

/** A campaign: its form while it is a draft, its effects and conflicts, and its buttons. */
export const campaignPage: Page = {
  path: "/campaigns/:campaignId",
  below: "items",
  styles: ["items.css", "campaigns.css"],
  scripts: ["campaigns/campaign.ts"],
  nothing: "problem.noEntry",
  async show(visit) {
    const { texts, store, read, params, may } = visit;
    if (store === undefined) throw new ProblemError("unknown-store", "No store is named.");
    const call = { storeId: store.id, params: { campaignId: params.campaignId ?? "" } };
    const campaign = await read<CampaignAnswer>("getCampaign", call);
    const isOver = campaign.state === "ENDED" || campaign.state === "CANCELLED";
    const preview = isOver ? undefined : await read<CampaignPreview>("previewCampaign", call);
    const conflicts = isOver ? undefined : await read<CampaignConflicts>("listCampaignConflicts", call);
    const isDraft = campaign.state === "DRAFT";
    const content = html`<section class="card" aria-label="${campaign.name}">${campaignFacts(visit, campaign)}${heldFacts(visit, campaign)}${may("items:write") && actions(visit, campaign)}</section>
${preview && previewPart(visit, preview)}${conflicts && conflictsPart(visit, conflicts)}
${isDraft && may("items:write") && html`<section class="card" aria-labelledby="change-title"><h2 id="change-title">${texts("campaigns.change")}</h2>${campaignForm(visit, campaign)}</section>`}`;
    return { title: campaign.name, content: framed(visit, campaign.name, campaign.campaignId, content) };
  },
};

const framed = (visit: Visit, title: string, id: string, content: Html): Html =>
  html`<div class="page campaigns-page" id="campaign" data-address="${visit.storeBase}/campaigns" data-id="${id}" data-page="${visit.link("/campaigns/")}" data-list="${visit.link("/campaigns")}" data-texts="${scriptTexts(visit, scriptKeys)}">
<header class="title"><p class="crumb"><a href="${visit.link("/campaigns")}">${visit.texts("campaigns.title")}</a></p><h1>${title}</h1></header>
<p class="said" role="status" id="outcome" tabindex="-1"></p>
${content}</div>`;

function heldFacts({ texts, link }: Visit, { stores }: CampaignAnswer): Html {
  const waiting = stores.filter(({ held }) => held === "WAITING");
  if (waiting.length === 0) return html``;
  return html`<p class="trouble"><a href="${link("/held")}">${texts("campaigns.held", { count: waiting.length })}</a></p>`;
}

function actions({ texts }: Visit, { state }: CampaignAnswer): Html {
  if (state === "DRAFT")
    return html`<div class="buttons"><button${scripted} type="button" class="primary" data-act="schedule">${texts("campaigns.schedule")}</button><button${scripted} type="button" data-act="hold" hidden>${texts("campaigns.hold")}</button><button${scripted} type="button" class="danger" data-act="delete">${texts("campaigns.delete")}</button></div>`;
  if (state !== "SCHEDULED" && state !== "LIVE") return html``;
  return html`<div class="buttons"><button${scripted} type="button" class="danger" data-act="cancel">${texts("campaigns.cancel")}</button></div>
<dialog id="cancel-dialog" aria-labelledby="cancel-title"><form method="dialog"><h2 id="cancel-title">${texts("campaigns.sure")}</h2><p>${texts("campaigns.sureWhat")}</p><div class="buttons"><button value="no" autofocus>${texts("campaigns.keep")}</button><button value="yes" class="danger">${texts("campaigns.cancel")}</button></div></form></dialog>`;
}

function previewPart({ texts, price, language }: Visit, { count, leftOut, items, labels }: CampaignPreview): Html {
  const percent = new Intl.NumberFormat(language, { signDisplay: "exceptZero" });
  const picture = (png: string | null, key: "campaigns.picture.before" | "campaigns.picture.after", itemId: string) =>
    html`<figure>${png === null ? html`<p class="muted">${texts("campaigns.noPicture")}</p>` : html`<img alt="${texts(key)}: ${itemId}" src="data:image/png;base64,${png}">`}<figcaption>${texts(key)}</figcaption></figure>`;
  return html`<section class="card" aria-labelledby="preview-title"><h2 id="preview-title">${texts("campaigns.what")}</h2>
<p>${texts("campaigns.items", { count })}${leftOut > 0 && html` · <strong>${texts("campaigns.leftOut", { count: leftOut })}</strong>`}</p>
${labels.map(({ itemId, before, after }) => html`<div class="before-after">${picture(before, "campaigns.picture.before", itemId)}${picture(after, "campaigns.picture.after", itemId)}</div>`)}
<ul class="jumps">${items.slice(0, MAX_SHOWN).map((item) => html`<li><p>${item.itemName ?? item.itemId} <span class="muted">${item.itemId}</span></p><p class="jump">${item.leftOut === null ? html`<span>${item.regularPrice === null ? "" : html`${price(item.regularPrice)} → `}${price(item.price ?? item.regularPrice ?? "")}</span>${item.percent !== null && html`<strong>${texts("held.percent", { percent: percent.format(item.percent) })}</strong>`}` : html`<span class="trouble">${texts(`campaigns.leftOut.${item.leftOut}`)}</span>`}</p></li>`)}</ul>
${count > MAX_SHOWN && html`<p class="muted">${texts("campaigns.moreItems", { count: count - Math.min(items.length, MAX_SHOWN) })}</p>`}</section>`;
}

function conflictsPart({ texts, price, language, link, store }: Visit, { count, conflicts }: CampaignConflicts): Html {
  const time = (iso: string) => instantText(iso, language, store?.timeZone);
  const one = (conflict: CampaignConflicts["conflicts"][number]) => {
    const { kind, itemId, campaignId, name, from, price: other, wins } = conflict;
    const values = { item: itemId, time: time(from), price: other === null ? "" : price(other) };
    if (kind === "SCHEDULED_CHANGE") return html`<li>${texts("campaigns.conflict.change", values)}</li>`;
    return html`<li><a href="${link(`/campaigns/${campaignId}`)}">${name}</a>: ${texts(wins ? "campaigns.conflict.other" : "campaigns.conflict.own", values)}</li>`;
  };
  if (count === 0) return html``;
  return html`<section class="card" aria-labelledby="conflicts-title"><h2 id="conflicts-title">${texts("campaigns.conflicts")}</h2><ul class="conflicts">${conflicts.slice(0, MAX_SHOWN).map(one)}</ul>${count > MAX_SHOWN && html`<p class="muted">${texts("campaigns.moreConflicts", { count: count - MAX_SHOWN })}</p>`}</section>`;
}

const scriptKeys = ["form.failed", "form.refused", "campaigns.line", "campaigns.saving", ...refusalKeys] as const;
