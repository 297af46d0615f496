import { type Static, Type } from "typebox";
import { LastPressAnswer, SensorsAnswer } from "./label-signals.ts";
import { LinkAnswer, LinkRow } from "./link.ts";
import { MAC_DIGITS } from "./mac.ts";
import { atAnyLevel } from "./paging.ts";
import { Stamp } from "./stamp.ts";
import { clearless, clearlessIdentifier, identifier, known } from "./text.ts";

export const Position = Type.Object(
  { x: Type.Number(), y: Type.Number(), floor: Type.Integer() },
  {
    title: "Position",
    description: "Position in the shop, in the units and with the origin of the store's own floor plan",
  },
);
export type Position = Static<typeof Position>;

/** Body of PUT /labels/{barcode}/positions/manual. */
export const ManualPosition = Type.Object(
  {
    eslBarcode: clearless(Type.String({ maxLength: 64, description: "The barcode in the path, or absent" })),
    position: Position,
  },
  { title: "ManualPosition" },
);

/** The text fields that a row may set; each has its own stamp. */
export const labelTexts = ["modelName", "linkDepartment", "plLocation", "homeTrx", "device"] as const;

/** The text fields that can be cleared, each by its own call. */
export type ClearableField = "homeTrx" | "device";

/** Fields of a response that a caller may send back; they are ignored. */
const readOnly = [
  "plState",
  "batteryState",
  "lowBatteryDate",
  "lastTrxList",
  "hardwareRevision",
  "lastDisplayUpdate",
  "batteryStateChanged",
  "batteryStateLastConfirmed",
  "batteryStateFirstEnteredLow",
  "firstLinked",
  "lastLinked",
  "lastUpdate",
  "lastOkUpdate",
] as const;
/** Numeric fields of a response that a caller may send back; they are ignored. */
const readOnlyNumbers = ["batteryDaysLeft"] as const;

/** Fields with a single value, by which a list of labels can be sorted. */
export const labelScalars = ["barcode", ...labelTexts, ...readOnly, ...readOnlyNumbers] as const;
export type LabelScalar = (typeof labelScalars)[number];

const ignored = clearless(
  Type.String({ maxLength: 4096, description: "Ignored, so that a response can be sent back unchanged" }),
);

/** A row of PATCH /labels. */
export const LabelPatch = Type.Object(
  {
    barcode: identifier(64, "Barcode of the label"),
    modelName: clearlessIdentifier(128, "Name of the label's model"),
    linkDepartment: clearlessIdentifier(128, "Link department, by id or alias"),
    plLocation: clearlessIdentifier(128, "Label location"),
    homeTrx: clearlessIdentifier(64, "Home transceiver, short form; takes precedence over linkDepartment"),
    device: clearless(
      Type.String({
        pattern: `^(${MAC_DIGITS})?$`,
        errorMessage: 'must be a MAC address of 12 or 16 hexadecimal digits such as "00000218D6C53B19"',
        description: "MAC address of the tag, for OpenEPaperLink access points; if absent, the barcode is the address",
      }),
    ),
    positions: clearless(Type.Object({ manual: clearless(Position) })),
    links: clearless(Type.Array(LinkRow, { maxItems: 256, description: "Links to set, by display position" })),
    ...(Object.fromEntries(readOnly.map((name) => [name, ignored])) as Record<
      (typeof readOnly)[number],
      typeof ignored
    >),
    batteryDaysLeft: clearless(Type.Integer({ description: "Ignored, so that a response can be sent back unchanged" })),
  },
  {
    title: "LabelPatch",
    description:
      "The first row for a label creates it. Absent, null or empty fields keep their values; a link sets what its display position " +
      "shows, and other positions keep their links. Fields that occur only in responses are ignored, so that a response can be sent back.",
  },
);
export type LabelPatch = Pick<Static<typeof LabelPatch>, "barcode" | (typeof labelTexts)[number]> & {
  positions?: { manual?: Position | null } | null;
  links?: LinkRow[] | null;
  /**
   * Set only by DELETE /labels/{barcode}/home-trx and /device: in a caller's row, a null or empty field leaves the stored value
   * unchanged.
   */
  clears?: ClearableField;
};

/**
 * storeesl.v1: the fields of a label on which pictures depend. The fields that change with each transmission are in labelstate.
 */
export const Label = Type.Object({
  barcode: Type.String(),
  /** Read from the barcode by the barcode scheme; if the barcode contains no type, the only type of the model. */
  type: Type.Integer(),
  modelName: Type.String(),
  linkDepartment: Type.Optional(Type.String()),
  plLocation: Type.Optional(Type.String()),
  homeTrx: Type.Optional(Type.String()),
  /** The tag's radio address, for label servers that do not know barcodes. */
  device: Type.Optional(Type.String()),
  manualPosition: Type.Optional(Position),
  firstLinked: Type.Optional(Type.Unsafe<Date>({})),
  lastLinked: Type.Optional(Type.Unsafe<Date>({})),
  stamps: Type.Record(Type.String(), Stamp),
});
export type Label = Static<typeof Label>;

export const PlState = Type.Enum(["NEW", "PENDING", "OK", "ERROR", "OFFLINE", "UNKNOWN"], {
  title: "PlState",
  description:
    "NEW: no picture yet. PENDING: a picture is not acknowledged yet. OK: the label shows what it should. ERROR: no design fits, drawing failed, or the label rejected its picture. " +
    "OFFLINE: not heard from for a long time. UNKNOWN: was OK when last heard from, which was long ago, and its label server does not report check-ins",
});
export type PlState = Static<typeof PlState>;
export const BatteryState = Type.Enum(["UNKNOWN", "OK", "LOW"], {
  title: "BatteryState",
  description: "As last reported; UNKNOWN if never reported",
});
export type BatteryState = Static<typeof BatteryState>;

/** Makes the schema for the number of labels in each of these states. */
export const countsBy = <State extends string>(states: readonly State[], description: string) =>
  Type.Object(
    Object.fromEntries(
      states.map((state) => [state, Type.Integer({ minimum: 0, description: `Labels that are ${state}` })]),
    ) as Record<State, ReturnType<typeof Type.Integer>>,
    { description },
  );

/** How many labels of a store are in each state. */
export const LabelSummary = Type.Object(
  {
    labels: Type.Integer({ minimum: 0, description: "Number of labels in the store" }),
    plState: countsBy(PlState.enum, "Number of labels per plState; the numbers add up to all labels"),
    batteryState: countsBy(BatteryState.enum, "Number of labels per batteryState; the numbers add up to all labels"),
  },
  { title: "LabelSummary" },
);
export type LabelSummary = Static<typeof LabelSummary>;

const text = known(Type.String());
const small = { barcode: Type.String(), modelName: text, plLocation: text, links: Type.Array(LinkAnswer) };
const medium = { ...small, homeTrx: text, plState: PlState, batteryState: BatteryState, lowBatteryDate: text };
const large = {
  ...medium,
  lastTrxList: text,
  hardwareRevision: text,
  lastDisplayUpdate: text,
  batteryStateChanged: text,
  batteryStateLastConfirmed: text,
  batteryStateFirstEnteredLow: text,
  firstLinked: text,
  lastLinked: text,
  lastUpdate: text,
  lastOkUpdate: text,
};

const levels = {
  S: Type.Object(small),
  M: Type.Object(medium),
  L: Type.Object(large),
  full: Type.Object({
    ...large,
    linkDepartment: text,
    batteryDaysLeft: Type.Optional(Type.Integer({ minimum: 0 })),
    positions: Type.Object({ manual: Type.Optional(Position) }),
    device: Type.Optional(Type.String()),
    lastPress: LastPressAnswer,
    sensors: SensorsAnswer,
  }),
};

/** A label in a response, by projection level; without a projection, the response is `full`. */
export const LabelAnswer = { ...levels, any: atAnyLevel("Label", levels.S, levels.M, levels.L, levels.full) };
