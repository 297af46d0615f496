import type { ValidityPeriod } from "../../../schemas/design.ts";
import type { ExplainedPosition } from "../../../schemas/explanation.ts";
import { type Html, html } from "../html/html.ts";
import { mark } from "../layout/marks.ts";
import { noticeText } from "../layout/notice-text.ts";
import { endText } from "../layout/time-text.ts";
import type { Language, Texts } from "../messages/texts.ts";
import type { Visit } from "../visit.ts";
import type { LabelFacts } from "./label-facts.ts";

/** Shows why the label has its design: what determined it, and which rules were evaluated in which order. */
export function why(visit: Visit, { explanation }: LabelFacts): Html {
  const { texts } = visit;
  const linked = explanation.positions.filter(({ design }) => design !== null);
  if (linked.length === 0) return html``;
  return html`<section class="card" id="why" data-live aria-labelledby="why-title"><h2 id="why-title">${texts("why.title")}</h2>
${linked.map((position) => whyOne(visit, position))}</section>`;
}

function whyOne(
  { texts, language }: Visit,
  { design, trace, fault, errors, warnings, notices = [] }: ExplainedPosition,
): Html {
  const name = (id: string) => id.slice(id.lastIndexOf("/") + 1);
  const chosenBy = design?.chosenBy ?? "nothing";
  const asked = trace?.scenarios.filter(({ isAsked }) => isAsked) ?? [];
  return html`<p>${texts(`why.${chosenBy}`, { scenario: design?.scenario ?? "" })}${
    design?.designId && html` ${texts("why.design")} <strong>${name(design.designId)}</strong>.`
  }</p>
${fault && html`<p class="trouble">${mark("ERROR")}${texts("why.fault")} ${noticeText(fault.notice, fault.detail, texts)}</p>`}
${[...errors, ...warnings].map((text, index) => html`<p class="trouble">${mark("ERROR")}${texts("why.warning")} ${noticeText(notices[index], text, texts)}</p>`)}
${
  asked.length > 0 &&
  html`<ol class="trace">${asked.map(
    ({ name, value, expression, ancestors, missing, isDormant, validityPeriod }) =>
      html`<li data-holds="${String(value)}" data-depth="${Math.min(3, ancestors.length)}">${mark(value ? "yes" : "no")}<div><p>${name} – ${texts(value ? "why.holds" : "why.holdsNot")}</p><code>${expression}</code>${isDormant && validityPeriod && html`<p class="muted">${periodText(texts, language, validityPeriod)}</p>`}${missing.length > 0 && html`<p class="muted">${texts("why.missing", { what: missing.join(", ") })}</p>`}</div></li>`,
  )}</ol>`
}`;
}

/** Returns when a scenario applies. A day, or a time without an offset, is in the store's time zone, as written in the pack. */
export function periodText(texts: Texts, language: Language, { from, to }: ValidityPeriod): string {
  const time = (text: string) => endText(text, language);
  if (from === undefined) return texts("why.until", { to: time(to ?? "") });
  return to === undefined
    ? texts("why.from", { from: time(from) })
    : texts("why.between", { from: time(from), to: time(to) });
}
