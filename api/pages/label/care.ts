import { battery } from "../care/battery.ts";
import { refreshes } from "../care/refreshes.ts";
import { type Html, html } from "../html/html.ts";
import type { Visit } from "../visit.ts";
import type { LabelFacts } from "./label-facts.ts";

/** The care of the label: how long its battery will last, and its refreshes with their causes. */
export const care = (visit: Visit, { care: known }: LabelFacts): Html =>
  html`<section class="card" id="care" aria-labelledby="care-title"><h2 id="care-title">${visit.texts("care.title")}</h2>
${battery(visit, known.battery)}
${refreshes(visit, known.refreshes, known.refreshesPerDay)}</section>`;
