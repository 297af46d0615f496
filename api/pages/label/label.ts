import type { Static } from "typebox";
import type { LabelExplanation } from "../../../schemas/explanation.ts";
import type { HistoryAnswer } from "../../../schemas/history.ts";
import type { LabelAnswer } from "../../../schemas/label.ts";
import { ProblemError } from "../../http/problem-error.ts";
import { html } from "../html/html.ts";
import { stateMark } from "../layout/marks.ts";
import type { Page, Visit } from "../visit.ts";
import { actions } from "./actions.ts";
import { glass } from "./glass.ts";
import { type LabelPictures, readPictures } from "./pictures.ts";
import { positions } from "./positions.ts";
import { timeline } from "./timeline.ts";
import { why } from "./why.ts";

export type ShownLabel = Static<typeof LabelAnswer.full>;

/** What a page of a label is made from. */
export interface LabelFacts {
  label: ShownLabel;
  explanation: LabelExplanation;
  history: readonly HistoryAnswer[];
  pictures: LabelPictures;
}

/** One label: what it shows, why, and what can be done. */
export const labelPage: Page = {
  path: "/labels/:barcode",
  below: "shelf",
  styles: ["label.css"],
  scripts: ["live.ts", "label.ts"],
  async show(visit) {
    const { params, texts } = visit;
    const facts = await readLabel(visit);
    const { label, explanation } = facts;
    const content = html`<div class="page label-page" data-tail="${visit.tail}" data-labels="${visit.store?.id}/${label.barcode}" data-base="${visit.storeBase}" data-barcode="${label.barcode}">
<header class="title"><p class="crumb"><a href="${visit.link("/shelf")}">${texts("nav.shelf")}</a></p>
<h1>${label.barcode}</h1>
<div id="state" data-live data-state="${explanation.plState}">${stateMark(explanation.plState, texts)}${
      label.batteryState === "LOW" && html`<span class="state" data-state="PENDING">${texts("battery.LOW")}</span>`
    }</div></header>
${glass(visit, facts)}
<div class="side">${positions(visit, facts)}${actions(visit, facts)}</div>
${why(visit, facts)}
${timeline(visit, facts)}
</div>`;
    return { title: params.barcode ?? "", content };
  },
};

async function readLabel(visit: Visit): Promise<LabelFacts> {
  const { read, params, store } = visit;
  if (store === undefined) throw new ProblemError("unknown-store", "No store is named.");
  const barcode = params.barcode ?? "";
  const call = { storeId: store.id, params: { barcode }, query: { serializeDatesToIso8601: true } };
  const [label, explanation, history, pictures] = await Promise.all([
    read<ShownLabel>("getLabel", call),
    read<LabelExplanation>("explainLabel", call),
    read<HistoryAnswer[]>("getLabelHistory", call),
    readPictures(visit, barcode),
  ]);
  return { label, explanation, history, pictures };
}
