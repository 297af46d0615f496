import { DAY_MS, newCare, type VoltageSample } from "../../../schemas/care.ts";
import type { LabelState } from "../../../schemas/label-state.ts";

/** How many voltages of a battery are kept. */
export const MAX_SAMPLES = 12;
const SAMPLE_INTERVAL_MS = 7 * DAY_MS;
/** A change of so much is kept before its week, at most daily. */
const CHANGE_MILLIVOLTS = 50;
/** No battery gains so much by warmth: it is another one. */
const NEW_BATTERY_MILLIVOLTS = 300;

/** The state of a label after a measured voltage of its battery: one is kept a week, or a day if it has changed. */
export function noteVoltage(state: LabelState, sample: VoltageSample): LabelState {
  const { replaceSince, voltages = [], ...care } = state.care ?? newCare(new Date(sample.at));
  const last = voltages.at(-1);
  const change = last === undefined ? 0 : sample.millivolts - last.millivolts;
  if (change >= NEW_BATTERY_MILLIVOLTS) return { ...state, care: { ...care, voltages: [sample] } };
  const passed = last === undefined ? SAMPLE_INTERVAL_MS : sample.at - last.at;
  const isKept = passed >= SAMPLE_INTERVAL_MS || (passed >= DAY_MS && Math.abs(change) >= CHANGE_MILLIVOLTS);
  if (!isKept) return state;
  const kept = [...voltages, sample].slice(-MAX_SAMPLES);
  return { ...state, care: { ...care, ...(replaceSince !== undefined && { replaceSince }), voltages: kept } };
}
