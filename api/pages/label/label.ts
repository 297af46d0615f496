import { html } from "../html/html.ts";
import { stateMark } from "../layout/marks.ts";
import type { Page } from "../visit.ts";
import { actions } from "./actions.ts";
import { care } from "./care.ts";
import { glass } from "./glass.ts";
import { readLabelFacts } from "./label-facts.ts";
import { positions } from "./positions.ts";
import { timeline } from "./timeline.ts";
import { why } from "./why.ts";

/** One label: what it shows, why, and what can be done. */
export const labelPage: Page = {
  path: "/labels/:barcode",
  below: "shelf",
  styles: ["label.css"],
  scripts: ["live-page.ts", "label.ts"],
  async show(visit) {
    const { params, texts } = visit;
    const facts = await readLabelFacts(visit);
    const { label, explanation } = facts;
    const content = html`<div class="page label-page" data-tail="${visit.tail}" data-labels="${visit.store?.id}/${label.barcode}" data-base="${visit.storeBase}" data-barcode="${label.barcode}">
<header class="title"><p class="crumb"><a href="${visit.link("/shelf")}">${texts("nav.shelf")}</a></p>
<h1>${label.barcode}</h1>
<div id="state" data-live data-state="${explanation.plState}">${stateMark(explanation.plState, texts)}${
      label.batteryState === "LOW" && html`<span class="state" data-state="PENDING">${texts("battery.LOW")}</span>`
    }</div><a class="button" href="${visit.link(`/labels/${encodeURIComponent(label.barcode)}/proof`)}">${texts("proof.link")}</a></header>
${glass(visit, facts)}
<div class="side">${positions(visit, facts)}${actions(visit, facts)}</div>
${why(visit, facts)}
${care(visit, facts)}
${timeline(visit, facts)}
</div>`;
    return { title: params.barcode ?? "", content };
  },
};
