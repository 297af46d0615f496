import type { HistoryAnswer } from "../../../schemas/history.ts";
import { type Html, html } from "../html/html.ts";
import { mark } from "../layout/marks.ts";
import { timeText } from "../layout/time-text.ts";
import type { Visit } from "../visit.ts";
import type { LabelFacts } from "./label.ts";

/** What happened to the label, the newest first. */
export const timeline = (visit: Visit, { history }: LabelFacts): Html =>
  html`<section class="card" id="timeline" data-live aria-labelledby="timeline-title"><h2 id="timeline-title">${visit.texts("timeline.title")}</h2>
${history.length === 0 ? html`<p>${visit.texts("timeline.empty")}</p>` : html`<ol class="timeline">${history.map((entry) => happened(visit, entry))}</ol>`}</section>`;

const good: readonly HistoryAnswer["result"][] = ["acknowledged", "OK", "sent"];
const bad: readonly HistoryAnswer["result"][] = ["failed", "given up", "refused", "LOW"];

function happened({ texts, language, now }: Visit, { time, event, result, reason }: HistoryAnswer): Html {
  const state = good.includes(result) ? "OK" : bad.includes(result) ? "ERROR" : "PENDING";
  return html`<li data-state="${state}">${mark(state)}<time datetime="${time}">${timeText(time, language, now)}</time>
<div><p>${texts(`event.${event}`)}: ${texts(`result.${result}`)}</p>${reason !== null && html`<p class="technical">${reason}</p>`}</div></li>`;
}
