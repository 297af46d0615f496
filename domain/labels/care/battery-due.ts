import { newCare } from "../../../schemas/care.ts";
import { noted } from "../../../schemas/history.ts";
import type { LabelState } from "../../../schemas/label-state.ts";
import type { LabelType } from "../../../schemas/label-type.ts";
import { type BatteryForecast, batteryForecast, isDueWithin } from "./battery-forecast.ts";
import { refreshesPerDay } from "./refresh-counts.ts";

/** A battery that ends within so many days is to be replaced. */
export const REPLACE_WITHIN_DAYS = 30;

/** What a label type says about the care of its labels. */
export type CareOfType = Pick<LabelType, "batteryRefreshes" | "fullRefreshAfter">;

/** The forecast for the battery of a label; undefined if nothing says how full it is. */
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
 * The state of a label whose battery is to be replaced: an event says so once for each battery. A forecast that rises again, as on
 * a warm day, does not take it back.
 */
export function noteBatteryDue(state: LabelState, type: CareOfType, now: Date): LabelState {
  if (state.care?.replaceSince !== undefined || !isDueWithin(forecastOf(state, type, now), REPLACE_WITHIN_DAYS))
    return state;
  const care = { ...(state.care ?? newCare(now)), replaceSince: now.getTime() };
  return noted({ ...state, care }, { at: now.getTime(), event: "battery", result: "replace" });
}
