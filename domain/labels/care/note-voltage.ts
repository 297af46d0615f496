import { DAY_MS, newCare, type VoltageSample } from "../../../schemas/care.ts";
import type { LabelState } from "../../../schemas/label-state.ts";

/** Maximum number of samples that are kept for a battery. */
export const MAX_SAMPLES = 12;
const SAMPLE_INTERVAL_MS = 7 * DAY_MS;
/** A voltage that differs by at least this much is kept before a week has passed, but at most daily. */
const CHANGE_MILLIVOLTS = 50;
/** Warmth does not raise a battery's voltage by this much, so the battery must have been replaced. */
const NEW_BATTERY_MILLIVOLTS = 300;

/**
 * Returns a label's state after a measurement of its battery's voltage: one sample is kept per week, or per day if the voltage
 * has changed.
 */
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
