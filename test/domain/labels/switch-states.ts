import { applyReport } from "../../../domain/labels/apply-report.ts";
import { type KeepOrder, keepPictures } from "../../../domain/labels/keep-pictures.ts";
import type { LabelState } from "../../../schemas/label-state.ts";
import { acknowledged, at, begun, report, sendingState } from "../../workers/transmitter/states.ts";

/** The time of the switch. */
export const SHOW_AT = at(100);
/** Orders a label to keep a picture for the switch. */
export const order = (image: string, basis = image): KeepOrder => ({
  switch: "evening",
  showAt: SHOW_AT,
  basis,
  pages: [{ page: 0, image }],
});
/** The state after the report that a label keeps the picture of a transmission. */
export const kept = (state: LabelState, transmission: number, seconds: number) =>
  applyReport(state, report("kept", seconds, { transmission }), at(seconds));

/** A label that has shown "a" since second 1. */
export const showing = (): LabelState => acknowledged(sendingState("a"), 1, 1);
/** The same label after "b" was sent as transmission 2, to be kept. */
export const keeping = (): LabelState => begun(keepPictures(showing(), order("b"), at(2)), at(2));
/** The same label after it has confirmed that it keeps "b". */
export const ready = (): LabelState => kept(keeping(), 2, 3);
