import type { IntegrityReport } from "../../../schemas/integrity.ts";
import type { LabelSummary } from "../../../schemas/label.ts";
import { type ShownState, states } from "../browser/state-of-cause.ts";
import { type Html, html } from "../html/html.ts";
import { mark } from "../layout/marks.ts";
import type { Texts } from "../messages/texts.ts";
import type { Visit } from "../visit.ts";

/** The basis for a store's headline and tiles: each label in one state. */
export interface Counts {
  labels: number;
  states: Readonly<Record<ShownState, number>>;
  /** Labels in any state whose drawing had errors or warnings. */
  warned: number;
  /** Whether there are more accepted changes waiting than the comparison examined. */
  isCut: boolean;
  /** Whether the counts come from the comparison of all labels rather than from the last reported states. */
  isCompared: boolean;
}

/** Returns the counts of the comparison if there is one, so that all numbers on a card are consistent. */
export const countsOf = (summary: LabelSummary, report: IntegrityReport | undefined): Counts =>
  report?.verdicts
    ? {
        labels: report.labels,
        states: report.verdicts,
        warned: report.warned ?? 0,
        isCut: report.isCut === true,
        isCompared: true,
      }
    : { labels: summary.labels, states: summary.plState, warned: 0, isCut: false, isCompared: false };

/**
 * The headline of a store, such as all correct, in progress, or the number of labels that need help. Only a complete
 * comparison reports a store as correct.
 */
export function verdict({ labels, states: counted, isCut, isCompared }: Counts, texts: Texts): Html {
  const troubled = counted.ERROR + counted.OFFLINE;
  const [state, text]: [ShownState, string] =
    labels === counted.NEW
      ? ["NEW", texts("verdict.empty")]
      : troubled > 0
        ? ["ERROR", texts("verdict.troubled", { count: troubled })]
        : counted.PENDING > 0
          ? ["PENDING", texts("verdict.pending", { count: counted.PENDING })]
          : counted.UNKNOWN > 0
            ? ["UNKNOWN", texts("verdict.unknown", { count: counted.UNKNOWN })]
            : !isCompared || isCut
              ? ["UNKNOWN", texts("verdict.reported")]
              : ["OK", texts("verdict.right")];
  return html`<p class="verdict" data-state="${state}" role="status">${mark(state)}<span>${text}</span></p>`;
}

/** Shows how many labels are in each state, have warnings or a low battery, each with a link; none are left out. */
export function stateTiles(
  { texts, link }: Visit,
  store: string,
  { states: counted, warned, isCompared }: Counts,
  { batteryState }: LabelSummary,
): Html {
  const tile = (state: ShownState, address: string, count: number, symbol: Parameters<typeof mark>[0], word: string) =>
    html`<li><a class="tile" data-state="${state}" href="${address}"><span class="figure">${texts("number", { count })}</span><span class="word">${mark(symbol)}${word}</span></a></li>`;
  const wayTo = (state: ShownState) =>
    isCompared ? link("/", { store, verdict: state }) : link("/shelf", { store, state });
  return html`<ul class="tiles">${states
    .filter((state) => counted[state] > 0 || state === "OK")
    .map((state) => tile(state, wayTo(state), counted[state], state, texts(`state.${state}`)))}${
    warned > 0 && tile("PENDING", link("/", { store, verdict: "WARNED" }), warned, "ERROR", texts("verdict.warned"))
  }${
    batteryState.LOW > 0 &&
    tile("PENDING", link("/shelf", { store, battery: "LOW" }), batteryState.LOW, "battery", texts("battery.LOW"))
  }</ul>`;
}
