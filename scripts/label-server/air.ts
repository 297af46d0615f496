import type { EmulatedLabel, Transmission } from "./emulated-label.ts";

const LOW_MILLIVOLTS = 2_400;

/** What arrives at a label does so after its time in the air. */
export function throughAir({ airTimeMs }: EmulatedLabel, arrive: () => void): void {
  if (airTimeMs === 0) setImmediate(arrive);
  // What is in the air keeps no process alive whose server has ended.
  else setTimeout(arrive, airTimeMs).unref();
}

/** A label server waits for an offline label, and then sends it only the newest picture of each page. Returns what it drops. */
export function hold(label: EmulatedLabel, transmission: Transmission): Transmission[] {
  const all = [...label.held, transmission];
  const dropped = all.filter((one) => all.some((other) => makesVoid(other, one)));
  label.held = all.filter((one) => !dropped.includes(one));
  return dropped;
}

/** A newer picture of a page makes an older one void, but one to be kept leaves what is to be shown before it. */
const makesVoid = (newer: Transmission, older: Transmission): boolean =>
  newer.page === older.page &&
  newer.number > older.number &&
  (newer.switch === undefined || older.switch !== undefined);

/** A refresh of a label takes its share of the battery; below 2.4 V the label reports LOW. */
export function refresh(label: EmulatedLabel, isFull = false): void {
  if (isFull) label.fullRefreshes += 1;
  if (label.batteryMillivolts === undefined) return;
  label.batteryMillivolts = Math.max(0, label.batteryMillivolts - (label.drain ?? 0));
  if (label.batteryMillivolts < LOW_MILLIVOLTS) label.battery = "LOW";
}
