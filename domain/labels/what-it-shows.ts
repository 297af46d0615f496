import type { LabelReport } from "../../schemas/label-report.ts";
import type { LabelState } from "../../schemas/label-state.ts";
import { pageToSend } from "./pages-to-send.ts";
import { shownAfter } from "./shown-after.ts";

type Shows = NonNullable<LabelReport["shows"]>[number];

/**
 * Returns the state of a label whose check-in reports what it shows. If the reported picture differs from the known one, the
 * report is trusted: the label may have lost its picture, or its label server was restored. The wanted picture is then sent
 * again.
 */
export function believeShows(state: LabelState, { kind, shows, at }: LabelReport, now: Date): LabelState {
  if (kind !== "check-in" || shows === undefined) return state;
  const believed = shows.reduce((known, one) => believe(known, one, new Date(at)), state);
  if (believed === state || believed.sendDue !== undefined || pageToSend(believed) === undefined) return believed;
  return { ...believed, sendDue: now };
}

function believe(state: LabelState, { page, transmission }: Shows, at: Date): LabelState {
  const known = state.shown.find((one) => one.page === page);
  // A page that is not known to be shown is sent anyway; records from earlier releases lack the number.
  if (known?.number === undefined || known.number === transmission || known.deliveredAt >= at) return state;
  // The acknowledgement has yet to arrive. After a switch's picture, the change that the picture shows has yet to arrive too.
  const awaited = [state.sending, ...(state.later?.armed ?? [])].map((one) => one?.number);
  if (transmission !== undefined && awaited.includes(transmission)) return state;
  const others = state.shown.filter((one) => one.page !== page);
  const landed = state.sent.find((one) => one.page === page && one.number === transmission);
  const shown = landed ? [...others, shownAfter(known, landed, at, state)] : others;
  return { ...state, shown: shown.sort((a, b) => a.page - b.page) };
}
