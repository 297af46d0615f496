import { DAY_MS, LOW_MILLIVOLTS, type VoltageSample } from "../../../schemas/care.ts";
import type { BatteryState } from "../../../schemas/label.ts";

/** The known facts about a battery. */
export interface BatteryFacts {
  battery: BatteryState;
  /** Oldest first. */
  voltages: readonly VoltageSample[];
  refreshesPerDay: number;
  /** Number of refreshes for which a battery lasts if it powers nothing else; from the label type. */
  batteryRefreshes?: number | undefined;
}

/** How long a battery will last: days from now, and the range of days in which its end is expected. */
export interface BatteryForecast {
  daysLeft: number;
  earliest: number;
  latest: number;
  /** The basis of the forecast: the label reports LOW, its voltage, or the trend of its voltage. */
  basis: "low" | "voltage" | "trend";
}

/*
 * Assumptions, with their sources in docs/decisions/labels/battery-forecast.md. They hold for lithium coin cells (Li-MnO2); a label type
 * sets its own refreshes.
 */
const USUAL_REFRESHES = 10_000;
const IDLE_DAYS = 3_650;
/** The voltage stays high for most of a battery's life: above this value, its trend says nothing. */
const KNEE_MILLIVOLTS = 2_850;
const WARM_CELSIUS = 20;
const MILLIVOLTS_PER_DEGREE = 4;
/** The smallest and the largest fraction of its energy that a battery still has at a voltage, at room temperature. */
const shares: readonly (readonly [atLeast: number, least: number, most: number])[] = [
  [2_950, 0.4, 1],
  [2_850, 0.2, 0.8],
  [2_750, 0.1, 0.4],
  [2_650, 0.05, 0.2],
  [2_550, 0.02, 0.1],
  [2_450, 0, 0.05],
  [LOW_MILLIVOLTS, 0, 0.02],
  [0, 0, 0.01],
];
/** Labels report LOW some weeks before they stop working. */
const LOW = { daysLeft: 14, earliest: 0, latest: 30 } as const;
const TREND_SAMPLES = 3;
const TREND_DAYS = 28;
const TREND_ERROR = 0.5;

/** Returns the forecast for a battery; undefined if its charge is unknown. */
export function batteryForecast(facts: BatteryFacts, now: Date): BatteryForecast | undefined {
  const measured = byVoltage(facts, now);
  if (facts.battery !== "LOW") return measured;
  if (measured === undefined) return { ...LOW, basis: "low" };
  return {
    daysLeft: Math.min(LOW.daysLeft, measured.daysLeft),
    earliest: LOW.earliest,
    latest: Math.min(LOW.latest, measured.latest),
    basis: "low",
  };
}

/** Whether the battery must be replaced within this many days. */
export const isDueWithin = (forecast: Pick<BatteryForecast, "daysLeft"> | undefined, days: number): boolean =>
  forecast !== undefined && forecast.daysLeft <= days;

/** Returns the fraction of a battery that one day uses. */
const dailyUse = ({
  refreshesPerDay,
  batteryRefreshes = USUAL_REFRESHES,
}: Pick<BatteryFacts, "refreshesPerDay" | "batteryRefreshes">): number =>
  refreshesPerDay / batteryRefreshes + 1 / IDLE_DAYS;

/** Returns the number of days by which one more refresh shortens a battery's life. */
export const daysOfRefresh = (facts: Pick<BatteryFacts, "refreshesPerDay" | "batteryRefreshes">): number =>
  1 / (facts.batteryRefreshes ?? USUAL_REFRESHES) / dailyUse(facts);

function byVoltage(facts: BatteryFacts, now: Date): BatteryForecast | undefined {
  const last = facts.voltages.at(-1);
  if (last === undefined) return undefined;
  const millivolts = warmMillivolts(last);
  const [, least = 0, most = 0] = shares.find(([atLeast]) => millivolts >= atLeast) ?? [];
  const use = dailyUse(facts);
  const [earliest, latest] = [least / use, most / use];
  const trend = millivolts < KNEE_MILLIVOLTS ? daysByTrend(facts.voltages, millivolts) : undefined;
  const passed = Math.max(0, (now.getTime() - last.at) / DAY_MS);
  const from = (days: number): number => Math.max(0, Math.round(days - passed));
  if (trend === undefined)
    return {
      daysLeft: from((earliest + latest) / 2),
      earliest: from(earliest),
      latest: from(latest),
      basis: "voltage",
    };
  const daysLeft = Math.min(Math.max(trend, earliest), latest);
  return {
    daysLeft: from(daysLeft),
    earliest: from(Math.max(earliest, daysLeft * (1 - TREND_ERROR))),
    latest: from(Math.min(latest, daysLeft * (1 + TREND_ERROR))),
    basis: "trend",
  };
}

/** Returns the voltage that the battery would have in a warm room: cold lowers its voltage, not its energy. */
const warmMillivolts = ({ millivolts, temperature = WARM_CELSIUS }: VoltageSample): number =>
  millivolts + Math.max(0, WARM_CELSIUS - temperature) * MILLIVOLTS_PER_DEGREE;

/**
 * Returns the number of days until the battery ends if its voltage keeps falling linearly; undefined if the voltage is not known
 * to fall.
 */
function daysByTrend(voltages: readonly VoltageSample[], millivolts: number): number | undefined {
  const points = voltages.map((sample) => [sample.at / DAY_MS, warmMillivolts(sample)] as const);
  const span = (points.at(-1)?.[0] ?? 0) - (points[0]?.[0] ?? 0);
  if (points.length < TREND_SAMPLES || span < TREND_DAYS) return undefined;
  const mean = (index: 0 | 1) => points.reduce((sum, point) => sum + point[index], 0) / points.length;
  const [meanDay, meanVoltage] = [mean(0), mean(1)];
  const covariance = points.reduce((sum, [day, voltage]) => sum + (day - meanDay) * (voltage - meanVoltage), 0);
  const fall = -covariance / points.reduce((sum, [day]) => sum + (day - meanDay) ** 2, 0);
  return fall > 0 ? Math.max(0, millivolts - LOW_MILLIVOLTS) / fall : undefined;
}
