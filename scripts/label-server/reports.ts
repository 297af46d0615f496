import type { EmulatedLabel, Report } from "./emulated-label.ts";

/** The hardware that every emulated label reports. */
const HARDWARE_REVISION = "emulated-1";

/** A report of a label. `more` adds what the report is about, and may say another time. */
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

/** What a label says in a check-in of the pictures that it shows; it says nothing of those that it keeps. */
export const showsOf = ({ pages }: EmulatedLabel): Report["shows"] =>
  [...pages].flatMap(([page, { number }]) => (number === undefined ? [] : [{ page, transmission: number }]));
