import type { BatteryState, PlState } from "../../schemas/label.ts";
import { barcodeFor } from "../operate/import/label-rows.ts";
import type { HungLabel } from "./hang-labels.ts";

/** A label of a large store, with the values that a list should return for it. */
export interface ManyLabel extends HungLabel {
  plLocation: string | null;
  plState: PlState;
  batteryState: BatteryState;
}

const ITEMS = 1_000;
const wantedPages = [{ page: 0, image: "0".repeat(64) }];
const LONG_AGO = new Date("2020-01-01T00:00:00Z");

/** The states of twenty labels, in turn. */
const everyState: readonly PlState[] = [
  ...Array<PlState>(3).fill("OK"),
  "ERROR",
  "PENDING",
  ...Array<PlState>(2).fill("OFFLINE"),
  "UNKNOWN",
  ...Array<PlState>(12).fill("NEW"),
];
const batteries: readonly BatteryState[] = ["OK", "LOW", "UNKNOWN"];

/**
 * Creates labels in every state, or in the given states, in turn. Labels that are OK or UNKNOWN show an item. There are few
 * locations, so that a list sorted by location has many ties, and some labels have no location.
 */
export function manyLabels(count: number, now: Date, course = everyState): ManyLabel[] {
  return Array.from({ length: count }, (_, index) => {
    const plState = course[index % course.length] ?? "NEW";
    const batteryState = plState === "NEW" ? "UNKNOWN" : (batteries[index % batteries.length] ?? "OK");
    const plLocation = index % 10 === 9 ? null : `aisle ${(index * 7) % 40}`;
    return {
      barcode: barcodeFor(`many ${index}`, "1328"),
      plLocation,
      plState,
      batteryState,
      own: plLocation === null ? {} : { plLocation },
      state: plState === "NEW" ? undefined : stateOf(plState, batteryState, new Date(now.getTime() - (index % 5_000))),
      links: isShown(plState) ? [{ itemId: `item ${index % ITEMS}` }] : [],
      isDrawn: isShown(plState) || plState === "ERROR",
    };
  });
}

/** Whether the label shows its item's picture, as far as is known. */
const isShown = (plState: PlState): boolean => plState === "OK" || plState === "UNKNOWN";

const stateOf = (plState: PlState, battery: BatteryState, at: Date): NonNullable<HungLabel["state"]> => ({
  wanted: wantedPages,
  shown: [{ page: 0, image: wantedPages[0]?.image ?? "", deliveredAt: at, through: 1 }],
  sent: [{ number: 1, page: 0, image: wantedPages[0]?.image ?? "" }],
  transmissions: 1,
  ...(plState === "ERROR" && { givenUp: "no answer" }),
  lastSeen: plState === "OFFLINE" || plState === "UNKNOWN" ? LONG_AGO : at,
  ...(plState !== "UNKNOWN" && { checksIn: true }),
  lastUpdate: at,
  lastOkUpdate: at,
  lastDisplayUpdate: at,
  transceivers: ["T1", "T2"],
  battery,
  ...(battery !== "UNKNOWN" && { batteryStateChanged: at, batteryStateLastConfirmed: at }),
  ...(battery === "LOW" && { lowBatteryDate: at, batteryStateFirstEnteredLow: at }),
});
