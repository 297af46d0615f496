import { Temporal } from "temporal-polyfill";
import type { Label } from "../schemas/label.ts";
import type { LabelState } from "../schemas/labelstate.ts";
import { plStateOf } from "../schemas/labelstate.ts";
import type { Link, LinkAnswer } from "../schemas/link.ts";

export type LabelProjection = "S" | "M" | "L" | undefined;

/** What an answer must know beside the label. */
export interface LabelContext {
  state: LabelState | undefined;
  links: readonly LinkAnswer[];
  /** Whether the label's picture is not made yet from what its links and items have become. */
  isBehind: boolean;
  timeZone: string;
  /** ISO 8601 with offset, or `YYYY-MM-DD hh:mm:ss`, in the store's zone (design, section 6). */
  isIso: boolean;
  now: Date;
  offlineAfterMs: number;
}

/** A label as an answer shows it: every field of its level is there, null where it is unknown. */
export function labelAnswer(label: Label, projection: LabelProjection, context: LabelContext) {
  const { state, links, isBehind, timeZone, isIso, now, offlineAfterMs } = context;
  const date = (value: Date | undefined) => (value ? dateText(value, timeZone, isIso) : null);
  const small = { barcode: label.barcode, modelName: label.modelName, plLocation: label.plLocation ?? null, links };
  if (projection === "S") return small;
  const medium = {
    ...small,
    homeTrx: label.homeTrx ?? null,
    plState: plStateOf(state, isBehind, now, offlineAfterMs),
    batteryState: state?.battery ?? "UNKNOWN",
    lowBatteryDate: date(state?.lowBatteryDate),
  };
  if (projection === "M") return medium;
  const large = {
    ...medium,
    lastTrxList: state?.transceivers.length ? state.transceivers.join(",") : null,
    hardwareRevision: state?.hardwareRevision ?? null,
    lastDisplayUpdate: date(state?.lastDisplayUpdate),
    batteryStateChanged: date(state?.batteryStateChanged),
    batteryStateLastConfirmed: date(state?.batteryStateLastConfirmed),
    batteryStateFirstEnteredLow: date(state?.batteryStateFirstEnteredLow),
    firstLinked: date(label.firstLinked),
    lastLinked: date(label.lastLinked),
    lastUpdate: date(state?.lastUpdate),
    lastOkUpdate: date(state?.lastOkUpdate),
  };
  if (projection === "L") return large;
  const positions = label.manualPosition ? { manual: label.manualPosition } : {};
  return { ...large, linkDepartment: label.linkDepartment ?? null, positions };
}

/** A link as an answer shows it. */
export const linkAnswer = ({ eslId, itemId, linkedItemId, displayPosition, facings }: Link): LinkAnswer => ({
  barcode: eslId,
  itemId,
  linkedItemId,
  displayPosition,
  facings: facings ?? null,
});

/** `YYYY-MM-DD hh:mm:ss`, or ISO 8601 with offset, in a store's zone. */
export function dateText(date: Date, timeZone: string, isIso: boolean): string {
  const zoned = Temporal.Instant.fromEpochMilliseconds(date.getTime()).toZonedDateTimeISO(timeZone);
  if (isIso) return zoned.toString({ fractionalSecondDigits: 3, timeZoneName: "never" });
  return zoned.toString({ smallestUnit: "second", timeZoneName: "never", offset: "never" }).replace("T", " ");
}
