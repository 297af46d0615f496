import type { HistoryAnswer } from "../../../schemas/label-history.ts";
import { type Html, html } from "../html/html.ts";
import { mark } from "../layout/marks.ts";
import { noticeText } from "../layout/notice-text.ts";
import { timeText } from "../layout/time-text.ts";
import type { Visit } from "../visit.ts";
import type { LabelFacts } from "./label-facts.ts";

/** The events of the label, newest first. */
export const timeline = (visit: Visit, { history, label }: LabelFacts): Html =>
  html`<section class="card" id="timeline" data-live aria-labelledby="timeline-title"><h2 id="timeline-title">${visit.texts("timeline.title")}</h2>
${history.length === 0 ? html`<p>${visit.texts("timeline.empty")}</p>` : html`<ol class="timeline">${history.map((entry) => happened(visit, label.barcode, entry))}</ol>`}</section>`;

const good: readonly HistoryAnswer["result"][] = ["acknowledged", "OK", "sent"];
const bad: readonly HistoryAnswer["result"][] = ["failed", "given up", "refused", "LOW"];

function happened({ texts, language, now, storeBase }: Visit, barcode: string, entry: HistoryAnswer): Html {
  const { time, event, result, reason, notice, image } = entry;
  const state = good.includes(result) ? "OK" : bad.includes(result) ? "ERROR" : "PENDING";
  const at = timeText(time, language, now);
  // The picture appears only in the entry for its arrival on the glass, not in the entry for its transmission.
  const shown = result === "acknowledged" && image !== null;
  return html`<li data-state="${state}">${mark(state)}<time datetime="${time}">${at}</time>
<div><p>${texts(`event.${event}`)}: ${texts(`result.${result}`)}</p>${shown && html`<img class="pixels then" src="${storeBase}/labels/${encodeURIComponent(barcode)}/images/${image}" alt="${texts("timeline.picture", { time: at })}" loading="lazy">`}${reason !== null && html`<p class="muted">${noticeText(notice ?? undefined, reason, texts)}</p>`}</div></li>`;
}
