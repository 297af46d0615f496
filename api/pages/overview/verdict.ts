import type { LabelSummary, PlState } from "../../../schemas/label.ts";
import { states } from "../browser/state-of-cause.ts";
import { type Html, html } from "../html/html.ts";
import { mark } from "../layout/marks.ts";
import type { Texts } from "../messages/texts.ts";
import type { Visit } from "../visit.ts";

/** The one sentence of a store: all right, on its way, or how many labels need someone. */
export function verdict({ labels, plState }: LabelSummary, texts: Texts): Html {
  const troubled = plState.ERROR + plState.OFFLINE;
  const [state, text]: [PlState, string] =
    labels === plState.NEW
      ? ["NEW", texts("verdict.empty")]
      : troubled > 0
        ? ["ERROR", texts("verdict.troubled", { count: troubled })]
        : plState.PENDING > 0
          ? ["PENDING", texts("verdict.pending", { count: plState.PENDING })]
          : plState.UNKNOWN > 0
            ? ["UNKNOWN", texts("verdict.unknown", { count: plState.UNKNOWN })]
            : ["OK", texts("verdict.right")];
  return html`<p class="verdict" data-state="${state}" role="status">${mark(state)}<span>${text}</span></p>`;
}

/** How many labels are in each state and have a low battery, each with the way to them; states without labels are left out. */
export function stateTiles({ texts, link }: Visit, store: string, { plState, batteryState }: LabelSummary): Html {
  const tiles = states.filter((state) => plState[state] > 0 || state === "OK");
  return html`<ul class="tiles">${tiles.map(
    (state) =>
      html`<li><a class="tile" data-state="${state}" href="${link("/shelf", { store, state })}"><span class="figure">${plState[state]}</span><span class="word">${mark(state)}${texts(`state.${state}`)}</span></a></li>`,
  )}${
    batteryState.LOW > 0 &&
    html`<li><a class="tile" data-state="PENDING" href="${link("/shelf", { store, battery: "LOW" })}"><span class="figure">${batteryState.LOW}</span><span class="word">${mark("battery")}${texts("battery.LOW")}</span></a></li>`
  }</ul>`;
}
