import { noted } from "../../schemas/history.ts";
import { type LabelState, newLabelState } from "../../schemas/label-state.ts";
import { startAnew } from "./pages-to-send.ts";

/** What a state keeps when its label gets another tag: what the label should show, its requests and its history. */
const kept = [
  "wanted",
  "content",
  "wantedBy",
  "fault",
  "refreshed",
  "transmissions",
  "lastUpdate",
  "lastOkUpdate",
  "lastDisplayUpdate",
  "fingerprint",
  "history",
] as const satisfies readonly (keyof LabelState)[];

/**
 * The state of a label whose tag was replaced, by the stamp of its field `device`. What the new tag shows and its battery are
 * unknown, so every page is sent, by new transmissions. Idempotent: a stamp that is not larger than the last one changes
 * nothing.
 */
export function replaceDevice(state: LabelState, stamp: number, now: Date): LabelState {
  if (stamp <= (state.deviceReplaced ?? -1)) return state;
  const ofLabel = Object.fromEntries(kept.map((field) => [field, state[field]])) as Pick<
    LabelState,
    (typeof kept)[number]
  >;
  const replaced = { ...newLabelState(), ...ofLabel, deviceReplaced: stamp };
  return startAnew(noted(replaced, { at: now.getTime(), event: "device", result: "replaced" }), now);
}
