import { noted } from "../../schemas/label-history.ts";
import { type LabelState, newLabelState } from "../../schemas/label-state.ts";
import { startAnew } from "./pages-to-send.ts";

/** The fields that a state keeps when its label gets a new tag: what the label should show, its requests and its history. */
const kept = [
  "wanted",
  "imageRev",
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
 * Returns the state of a label whose tag was replaced, given the stamp of its field `device`. Nobody knows what the new tag
 * shows or how full its battery is, so every page is sent in a new transmission. Idempotent: a stamp that is not larger than
 * the last one changes nothing.
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
