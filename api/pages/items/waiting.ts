import type { Static } from "typebox";
import type { ScheduledUpdateAnswer } from "../../../schemas/schedule.ts";
import { wallText } from "../browser/wall-text.ts";
import { type Html, html } from "../html/html.ts";
import { scripted } from "../html/scripted.ts";
import { mark } from "../layout/marks.ts";
import { noticeText } from "../layout/notice-text.ts";
import type { Visit } from "../visit.ts";
import { textFields } from "./item-form.ts";

export type PlannedUpdate = Static<typeof ScheduledUpdateAnswer>;

/** The scheduled changes to an item, and those that could not be applied when they were due. */
export function waiting(visit: Visit, planned: readonly PlannedUpdate[]): Html {
  const { texts } = visit;
  return html`<section class="card" id="waits" aria-labelledby="waits-title" data-cancelled="${texts("item.cancelled")}" data-failed="${texts("item.failed")}"><h2 id="waits-title" tabindex="-1">${texts("item.waits")}</h2>
<div id="planned" data-live>${planned.length === 0 ? html`<p>${texts("item.waitsNothing")}</p>` : html`<ol class="waits">${planned.map((one) => waitingOne(visit, one))}</ol>`}</div>
<p class="outcome" role="status" id="waits-outcome"></p></section>`;
}

function waitingOne(visit: Visit, update: PlannedUpdate): Html {
  const { texts, language, link, price, may } = visit;
  const { validFrom, status, errors, notices = [], sics, properties, requestId, campaign, ends } = update;
  const changes = [
    ...Object.entries(textFields).flatMap(([field, name]) => {
      const value = update[field as keyof typeof textFields];
      return value ? [[texts(name), field === "price" ? price(value) : value]] : [];
    }),
    ...(sics?.length ? [[texts("item.codes"), sics.join(", ")]] : []),
    ...Object.entries(properties ?? {}),
  ];
  return html`<li data-state="${status}"><p><strong>${wallText(validFrom.replace(" ", "T"), language)}</strong>${campaign !== undefined && html` <a href="${link(`/campaigns/${campaign}`)}">${texts(ends ? "campaigns.itemEnds" : "campaigns.itemBegins")}</a>`}</p>
<dl>${changes.map(([name = "", value = ""]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${status === "ERROR" && html`<p class="trouble">${mark("ERROR")}${texts("item.waitsFailed")}${errors.map((error, index) => html` ${noticeText(notices[index], error, texts)}`)}</p>`}${may("items:write") && !ends && html`<p><button${scripted} type="button" data-cancel="${requestId}">${texts(status === "ERROR" ? "item.forget" : "item.cancel")}</button></p>`}</li>`;
}
