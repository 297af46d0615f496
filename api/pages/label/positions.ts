import type { ExplainedPosition } from "../../../schemas/explanation.ts";
import { type Html, html } from "../html/html.ts";
import { scripted } from "../html/scripted.ts";
import { priceField, priceQuestion } from "../layout/price-field.ts";
import { rowKeys } from "../layout/reason-keys.ts";
import { scriptTexts } from "../layout/script-texts.ts";
import { timeText } from "../layout/time-text.ts";
import type { Visit } from "../visit.ts";
import type { LabelFacts } from "./label-facts.ts";

/** Shows the item at each position of the label with its price; the price at the first one can be changed here. */
export function positions(visit: Visit, { explanation, label }: LabelFacts): Html {
  const { texts } = visit;
  const linked = explanation.positions.filter(({ link }) => link !== null && link.status !== "DELETED");
  return html`<section class="card" id="items" aria-labelledby="items-title">
<h2 id="items-title">${texts("label.items")}</h2>
<div id="linked" data-live>${linked.length === 0 ? html`<p>${texts("cause.NOT_LINKED")}</p>` : linked.map((one) => position(visit, one, linked.length > 1))}</div>
${mayPrice(visit) && linked.slice(0, 1).map(({ item }) => item?.isThere && priceForm(visit, item.itemId, item.price))}
<dl class="facts"><div><dt>${texts("label.model")}</dt><dd>${label.modelName ?? "–"}</dd></div>
<div><dt>${texts("label.place")}</dt><dd>${label.plLocation ?? "–"}</dd></div>
<div><dt>${texts("label.department")}</dt><dd>${label.linkDepartment ?? "–"}</dd></div></dl>
</section>`;
}

function position(
  { texts, language, now, price }: Visit,
  { displayPosition, item, link }: ExplainedPosition,
  isOfSeveral: boolean,
): Html {
  const name = item?.itemName ?? link?.itemId ?? "";
  return html`<div class="position">${isOfSeveral && html`<p class="muted">${texts("label.position", { count: displayPosition + 1 })}</p>`}
<p class="item"><span class="name">${name}</span>${item?.price && html`<span class="price">${price(item.price)}</span>`}</p>
<p class="muted">${texts("label.itemNumber", { item: link?.itemId ?? "" })}${item?.isThere === false && html` – <strong>${texts("cause.ITEM_MISSING")}</strong>`}</p>
${item?.nextScheduled && html`<p class="muted">${texts("label.scheduled", { time: timeText(item.nextScheduled, language, now) })}</p>`}</div>`;
}

/** Prices are hidden from visitors who may not read items. */
const mayPrice = ({ may }: Visit): boolean => may("items:write") && may("items:read");

const priceForm = (visit: Visit, itemId: string, price: string | null): Html =>
  html`<form class="price-form" id="price-form" data-item="${itemId}" data-texts="${scriptTexts(visit, outcomes)}">
${priceField(visit, visit.texts("price.label"), price, true)}
<button${scripted} class="primary">${visit.texts("price.send")}</button>
<p class="outcome" role="status" id="price-outcome"></p>
</form>${priceQuestion(visit)}`;

const outcomes = [
  "price.sent",
  "price.arrived",
  "price.waiting",
  "price.kept",
  "price.overtaken",
  "price.later",
  "price.hidden",
  "price.faulty",
  "item.refused",
  "act.failed",
  ...rowKeys,
] as const;
