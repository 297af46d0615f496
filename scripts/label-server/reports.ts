import type { EmulatedLabel, Report } from "./emulated-label.ts";

/** The hardware that every emulated label reports. */
const HARDWARE_REVISION = "emulated-1";

/** Returns a report of a label. `more` adds the subject of the report, and may set another time. */
export const reportOf = (
  { store, barcode, battery, batteryMillivolts, transceiver, temperature }: EmulatedLabel,
  kind: Report["kind"],
  at: string,
  more: Partial<Report>,
): Report => ({
  store,
  barcode,
  kind,
  at,
  battery,
  ...(batteryMillivolts !== undefined && { batteryMillivolts }),
  ...(transceiver !== undefined && { transceiver }),
  hardwareRevision: HARDWARE_REVISION,
  ...(temperature !== null && { sensors: { temperature } }),
  ...more,
});

/** Returns what a label's check-in says about the pictures that the label shows. Pictures kept for a switch are not listed. */
export const showsOf = ({ pages }: EmulatedLabel): Report["shows"] =>
  [...pages].flatMap(([page, { number }]) => (number === undefined ? [] : [{ page, transmission: number }]));
