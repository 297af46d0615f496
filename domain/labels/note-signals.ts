import type { LabelReport } from "../../schemas/label-report.ts";
import { type LabelPress, type Measured, type Sensors, sensorNames, sensors } from "../../schemas/label-signals.ts";
import type { LabelState } from "../../schemas/label-state.ts";

type Signals = Pick<LabelReport, "at" | "press" | "sensors">;

/** Returns a label's state with the press and the values of a report. Older or repeated signals change nothing. */
export function noteSignals<State extends Pick<LabelState, "press" | "sensors">>(state: State, report: Signals): State {
  const { press } = report;
  const isNews = press !== undefined && isLater(press.at, state.press?.at);
  const pressed = isNews ? { ...state, press: { button: press.button, at: new Date(press.at) } } : state;
  const measured = measuredAfter(state.sensors ?? {}, report);
  return measured === undefined ? pressed : { ...pressed, sensors: measured };
}

/** Returns the last values after a report; undefined if the report contains no later value. */
function measuredAfter(last: Measured, { at, sensors: values = {} }: Signals): Measured | undefined {
  const later = sensorNames.flatMap((name) => {
    const value = values[name];
    return value !== undefined && isLater(at, last[name]?.at) ? [[name, { value, at: new Date(at) }] as const] : [];
  });
  return later.length > 0 ? { ...last, ...Object.fromEntries(later) } : undefined;
}

/** Returns the press to announce for these reports; undefined if a later press has been announced. */
export const pressToAnnounce = (
  announced: LabelPress | undefined,
  reports: readonly Signals[],
): LabelPress | undefined =>
  reports.reduce<LabelPress | undefined>((last, { press }) => {
    if (press === undefined || !isLater(press.at, (last ?? announced)?.pressedAt)) return last;
    return { button: press.button, pressedAt: new Date(press.at) };
  }, undefined);

/**
 * Returns which of the last values to announce: values that differ enough from the announced ones, and a sensor's first value
 * (docs/decisions/events/sensors.md). Undefined if there are none.
 */
export function sensorsToAnnounce(announced: Sensors | undefined, last: Measured): Sensors | undefined {
  const moved = sensorNames.flatMap((name) => {
    const [value, before] = [last[name]?.value, announced?.[name]];
    if (value === undefined) return [];
    const isFar = before === undefined || Math.abs(value - before) >= sensors[name].announcedChange;
    return isFar ? [[name, value] as const] : [];
  });
  return moved.length > 0 ? { ...announced, ...Object.fromEntries(moved) } : undefined;
}

const isLater = (at: string | Date, before: Date | undefined): boolean => before === undefined || new Date(at) > before;
