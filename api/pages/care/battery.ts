import type { LabelCare } from "../../../schemas/care.ts";
import { type Html, html } from "../html/html.ts";
import type { Visit } from "../visit.ts";

/** How long a battery will last, with the range of the forecast. */
export function battery({ texts }: Visit, { daysLeft, earliest, latest }: LabelCare["battery"]): Html {
  if (daysLeft === null) return html`<p class="muted">${texts("care.unknown")}</p>`;
  const range = texts("care.range", { earliest: `${earliest ?? 0}`, latest: `${latest ?? 0}` });
  return html`<p>${texts("care.lasts", { count: daysLeft })} <span class="muted">(${range})</span></p>`;
}
