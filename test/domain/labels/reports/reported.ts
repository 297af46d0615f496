import { applyReport } from "../../../../domain/labels/apply-report.ts";
import type { LabelReport } from "../../../../schemas/label-report.ts";
import type { LabelState } from "../../../../schemas/label-state.ts";
import { wantImage } from "../../../../workers/transmitter/wanted-image.ts";
import { at, begun, picture, report, sendingState } from "../../../workers/transmitter/states.ts";

/** The state after the report that a transmission failed. */
export const failed = (state: LabelState, transmission: number, seconds: number) =>
  applyReport(state, report("failed", seconds, { transmission }), at(seconds));

/** The state after a check-in. */
export const checkIn = (state: LabelState, seconds: number, fields: Partial<LabelReport> = {}) =>
  applyReport(state, report("check-in", seconds, fields), at(seconds));

/** "a" was sent as number 1 without a report; "b" has been under way as number 2 since second 1. */
export const superseded = begun(wantImage(sendingState("a"), picture("b"), at(0.5)), at(1));
