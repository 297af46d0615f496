import { newCare } from "../../../schemas/care.ts";
import { noted } from "../../../schemas/label-history.ts";
import type { LabelState } from "../../../schemas/label-state.ts";
import type { LabelType } from "../../../schemas/label-type.ts";
import { type BatteryForecast, batteryForecast, isDueWithin } from "./battery-forecast.ts";
import { refreshesPerDay } from "./refresh-counts.ts";

/** A battery that is expected to end within this many days must be replaced. */
export const REPLACE_WITHIN_DAYS = 30;

/** The fields of a label type that affect the care of its labels. */
export type CareOfType = Pick<LabelType, "batteryRefreshes" | "fullRefreshAfter">;

/** Returns the forecast for a label's battery; undefined if its charge is unknown. */
export const forecastOf = (
  { battery = "UNKNOWN", care }: Partial<Pick<LabelState, "battery" | "care">>,
  { batteryRefreshes }: CareOfType,
  now: Date,
): BatteryForecast | undefined =>
  batteryForecast(
    { battery, voltages: care?.voltages ?? [], refreshesPerDay: refreshesPerDay(care, now), batteryRefreshes },
    now,
  );

/**
 * Returns the label's state with the time since which its battery has been due for replacement. An event reports this once per
 * battery. If the forecast improves again, for example on a warm day, that time is kept.
 */
export function noteBatteryDue(state: LabelState, type: CareOfType, now: Date): LabelState {
  if (state.care?.replaceSince !== undefined || !isDueWithin(forecastOf(state, type, now), REPLACE_WITHIN_DAYS))
    return state;
  const care = { ...(state.care ?? newCare(now)), replaceSince: now.getTime() };
  return noted({ ...state, care }, { at: now.getTime(), event: "battery", result: "replace" });
}
