import type { CauseName } from "../../../schemas/explanation.ts";
import type { IntegrityReport, LabelBehind, Times } from "../../../schemas/integrity.ts";
import { stateOfCause } from "../browser/state-of-cause.ts";
import { type Html, html } from "../html/html.ts";
import { durationText, timeText } from "../layout/time-text.ts";
import type { Visit } from "../visit.ts";
import { timesCharts } from "./times-charts.ts";

/** Number of labels per cause that are shown with a link; the rest are counted. */
const LABELS_PER_CAUSE = 6;

/** The result of comparing all labels: stale labels by cause, and how long a price takes to reach the glass. */
export function checkSection(visit: Visit, store: string, report: IntegrityReport | undefined): Html {
  const { texts, link } = visit;
  if (report === undefined)
    return html`<p class="hint"><a href="${link("/", { store, checks: "1" })}">${texts("checks.waiting")}</a></p>`;
  const { behind = [], labels, upToDate = labels, isCut, timeToGlass } = report;
  return html`<p class="checked">${texts("checks.result", { upToDate, count: labels })}</p>
${isCut && html`<p class="hint">${texts("checks.cut")}</p>`}
${causeList(visit, store, behind, LABELS_PER_CAUSE)}
${timeToGlass && html`${timesTable(visit, timeToGlass)}${timesCharts(visit, timeToGlass)}`}`;
}

/** All labels that one count of the comparison covers, by cause. */
export const foundLabels = (visit: Visit, store: string, { found = [] }: IntegrityReport): Html =>
  html`${causeList(visit, store, found, Number.POSITIVE_INFINITY)}`;

/** Labels by cause, largest number first, and up to `most` labels of each with a link. */
function causeList(visit: Visit, store: string, rows: readonly LabelBehind[], most: number): Html | false {
  const causes = [...Map.groupBy(rows, ({ cause }) => cause)].sort(([, a], [, b]) => b.length - a.length);
  return (
    causes.length > 0 &&
    html`<ul class="causes">${causes.map(([cause, found]) => causeRow(visit, store, cause, found, most))}</ul>`
  );
}

function causeRow(
  { texts, link, language, now }: Visit,
  store: string,
  cause: CauseName,
  found: readonly LabelBehind[],
  most: number,
): Html {
  const since = found.flatMap(({ since }) => since ?? []).sort()[0];
  const rest = found.length - most;
  return html`<li><p><strong>${texts("labels.count", { count: found.length })}</strong>: ${texts(`cause.${cause}`)}${
    since !== undefined && html` <span class="muted">${texts("since", { time: timeText(since, language, now) })}</span>`
  }</p><p class="barcodes">${found
    .slice(0, most)
    .map(
      ({ barcode }) => html`<a href="${link(`/labels/${encodeURIComponent(barcode)}`, { store })}">${barcode}</a> `,
    )}${rest > 0 && html`<a href="${link("/", { store, verdict: stateOfCause[cause] })}">${texts("checks.more", { count: rest })}</a>`}</p></li>`;
}

function timesTable({ texts, language }: Visit, { lastHour, lastDay }: { lastHour: Times; lastDay: Times }): Html {
  const cell = (seconds: number | null) => (seconds === null ? "–" : durationText(seconds, language));
  const row = (name: string, { pictures, p50, p90, longest }: Times) =>
    html`<tr><th scope="row">${name}</th><td>${texts("number", { count: pictures })}</td><td>${cell(p50)}</td><td>${cell(p90)}</td><td>${cell(longest)}</td></tr>`;
  return html`<table class="times"><caption>${texts("times.caption")}</caption>
<thead><tr><td></td><th scope="col">${texts("times.pictures")}</th><th scope="col">${texts("times.half")}</th><th scope="col">${texts("times.most")}</th><th scope="col">${texts("times.longest")}</th></tr></thead>
<tbody>${row(texts("times.hour"), lastHour)}${row(texts("times.day"), lastDay)}</tbody></table>`;
}
