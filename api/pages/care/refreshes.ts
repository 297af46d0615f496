import type { RefreshCounts } from "../../../schemas/care.ts";
import { refreshKinds } from "../../../schemas/care.ts";
import { type Html, html } from "../html/html.ts";
import type { Visit } from "../visit.ts";

/** Refreshes by what they changed; `perDay` is the daily mean, if known. */
export function refreshes({ texts, language }: Visit, counts: RefreshCounts, perDay?: number): Html {
  const total = refreshKinds.reduce((sum, kind) => sum + counts[kind], 0);
  if (total === 0) return html`<p>${texts("care.none")}</p>`;
  const number = (value: number) => new Intl.NumberFormat(language, { maximumFractionDigits: 2 }).format(value);
  const shown = [...refreshKinds, "full" as const].filter((kind) => counts[kind] > 0);
  return html`<p>${texts("care.refreshes", { count: total })}${perDay !== undefined && html` · ${texts("care.perDay", { perDay: number(perDay) })}`}</p>
<dl class="facts">${shown.map((kind) => html`<div><dt>${texts(`care.${kind}`)}</dt><dd>${number(counts[kind])}</dd></div>`)}</dl>`;
}
