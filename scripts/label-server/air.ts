import { LOW_MILLIVOLTS } from "../../schemas/care.ts";
import type { EmulatedLabel, Transmission } from "./emulated-label.ts";

/** Calls `arrive` after the label's time in the air. */
export function throughAir({ airTimeMs }: EmulatedLabel, arrive: () => void): void {
  if (airTimeMs === 0) setImmediate(arrive);
  // A transmission in the air must not keep a process alive after its server has ended.
  else setTimeout(arrive, airTimeMs).unref();
}

/**
 * Holds a transmission for an offline label. When the label is online again, it gets only the newest picture of each page.
 * Returns the transmissions that are dropped.
 */
export function hold(label: EmulatedLabel, transmission: Transmission): Transmission[] {
  const all = [...label.held, transmission];
  const dropped = all.filter((one) => all.some((other) => makesVoid(other, one)));
  label.held = all.filter((one) => !dropped.includes(one));
  return dropped;
}

/** A newer picture of a page makes an older one void, but a picture to be kept does not void an earlier one to be shown. */
const makesVoid = (newer: Transmission, older: Transmission): boolean =>
  newer.page === older.page &&
  newer.number > older.number &&
  (newer.switch === undefined || older.switch !== undefined);

/** Drains the battery by one refresh. Below 2.4 V, the label reports LOW. */
export function refresh(label: EmulatedLabel, isFull = false): void {
  if (isFull) label.fullRefreshes += 1;
  if (label.batteryMillivolts === undefined) return;
  label.batteryMillivolts = Math.max(0, label.batteryMillivolts - (label.drain ?? 0));
  if (label.batteryMillivolts < LOW_MILLIVOLTS) label.battery = "LOW";
}
