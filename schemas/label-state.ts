import { type Static, Type } from "typebox";
import { Care, refreshKinds } from "./care.ts";
import { Cause } from "./cause.ts";
import { Content } from "./glass.ts";
import { PageImage } from "./image.ts";
import { BatteryState } from "./label.ts";
import { LastPress, Measured } from "./label-signals.ts";
import { Stamp } from "./stamp.ts";
import { Readiness } from "./switch.ts";

const date = Type.Unsafe<Date>({});

/** A transmission of a page. Each has its own number; retries keep it. */
const Transmission = Type.Object({
  number: Type.Integer(),
  ...PageImage.properties,
  content: Type.Optional(Content),
  fault: Type.Optional(Type.String()),
  cause: Type.Optional(Cause),
  /** What the transmission changes on its page; absent in transmissions of earlier releases. */
  changes: Type.Optional(Type.Enum(refreshKinds)),
  /** Ordinal number among the label's refreshes, from 1; absent in transmissions of earlier releases. */
  nth: Type.Optional(Type.Integer()),
  /** Set once its arrival has been counted among the refreshes. */
  isCounted: Type.Optional(Type.Literal(true)),
  /** The switch for which the label keeps the picture; absent if it is shown immediately. */
  switch: Type.Optional(Type.String()),
});
export type Transmission = Static<typeof Transmission>;

/** The pictures that a label should keep for a switch, and the pictures sent to it so far. */
const Later = Type.Object({
  switch: Type.String(),
  showAt: date,
  /** Digest of the inputs from which the pictures were drawn. */
  basis: Type.String(),
  /** The pages that the label should show at the switch. */
  pages: Type.Array(PageImage),
  content: Type.Optional(Content),
  fault: Type.Optional(Type.String()),
  /**
   * For each page, the last picture that was sent for storage on the label, unless a picture for immediate display was sent
   * after it. `kept`: the label has confirmed it.
   */
  armed: Type.Array(
    Type.Object({ ...PageImage.properties, number: Type.Integer(), kept: Type.Optional(Type.Literal(true)) }),
  ),
  /** When the label showed them, by the label server's clock. */
  shownAt: Type.Optional(date),
  /** Why the label server refused a picture for the switch; nothing more is sent for this switch. */
  refused: Type.Optional(Type.String()),
  /** The label's readiness at the end of the switch. Once set, nothing more is sent for the switch. */
  ended: Type.Optional(Readiness),
});
export type Later = Static<typeof Later>;

/**
 * labelstate: the state of the label itself: the pages that it should show, the pages that it shows, the page in transmission,
 * its battery and when it was last seen. It changes with every report.
 */
export const LabelState = Type.Object({
  /** The pages the label should show, from eslimage.v1. */
  wanted: Type.Array(PageImage),
  /** The rev of the eslimage.v1 from which they were taken; absent from states of earlier releases. */
  imageRev: Type.Optional(Type.Integer()),
  /** What these pages show; absent if they show no item. */
  content: Type.Optional(Content),
  /** The cause of these pages. */
  wantedBy: Type.Optional(Cause),
  /** Set if the wanted picture has a fault: the label is in ERROR even though it shows the background. */
  fault: Type.Optional(Type.String()),
  /** What each page shows, by the label server's time of delivery. */
  shown: Type.Array(
    Type.Object({
      page: Type.Integer(),
      image: Type.String(),
      deliveredAt: date,
      /** When its report was received, by the database's clock; records of earlier releases lack it. */
      receivedAt: Type.Optional(date),
      /** The number of the label's latest transmission at the time of the report. */
      through: Type.Integer(),
      /** The number of the transmission that was acknowledged; records of earlier releases lack it. */
      number: Type.Optional(Type.Integer()),
      /**
       * Set while a later transmission of a different picture is not acknowledged: it may have arrived, so the page may show
       * either picture. A reported failure does not clear this, since the label may have received the picture nevertheless.
       */
      uncertain: Type.Optional(Type.Literal(true)),
      /**
       * When the first such transmission began, which is its number, or the time of the switch that may have shown it; absent from
       * records of earlier releases.
       */
      uncertainSince: Type.Optional(date),
    }),
  ),
  /** What it should keep for a switch; a label takes part in one switch at a time. */
  later: Type.Optional(Later),
  /** Stamp of the latest refresh request. */
  refreshed: Type.Optional(Stamp),
  /** Pages to send again even though they are shown, by a transmission with a number above `after`. */
  refreshing: Type.Optional(Type.Object({ pages: Type.Array(Type.Integer()), after: Type.Integer() })),
  /** The transmission that is waiting for its report; a label has at most one. */
  sending: Type.Optional(Transmission),
  /** The last transmissions with their pages, so that a late report finds its picture. */
  sent: Type.Array(Transmission),
  /** Number of the latest transmission. */
  transmissions: Type.Integer(),
  /** How many times the current transmission was sent. */
  tries: Type.Integer(),
  /** When to send, or when to check for the report; absent only if the wanted pages are shown. */
  sendDue: Type.Optional(date),
  /** Why the last attempts failed; the label is in ERROR, and attempts are rare until one succeeds. */
  givenUp: Type.Optional(Type.String()),
  /**
   * Why the next transmission is postponed: the label server did not accept it in the last call, or the store has quiet hours.
   */
  putOff: Type.Optional(Type.String()),
  /** When a report from the label last triggered a transmission after its transmissions had been given up. */
  woken: Type.Optional(date),
  lastUpdate: Type.Optional(date),
  lastOkUpdate: Type.Optional(date),
  lastDisplayUpdate: Type.Optional(date),
  lastSeen: Type.Optional(date),
  /** The label has checked in before: its label server reports check-ins, so silence is meaningful. */
  checksIn: Type.Optional(Type.Literal(true)),
  transceivers: Type.Array(Type.String()),
  hardwareRevision: Type.Optional(Type.String()),
  battery: BatteryState,
  batteryStateChanged: Type.Optional(date),
  batteryStateLastConfirmed: Type.Optional(date),
  batteryStateFirstEnteredLow: Type.Optional(date),
  lowBatteryDate: Type.Optional(date),
  /** Stamp of the last change to the label's `device`, after which nothing was known about the new tag. */
  deviceReplaced: Type.Optional(Stamp),
  press: Type.Optional(LastPress),
  sensors: Type.Optional(Measured),
  /**
   * Stamp of the last change to the manual position, and when to measure the signal there; without `due`, no measurement is
   * pending.
   */
  fingerprint: Type.Optional(Type.Object({ stamp: Stamp, due: Type.Optional(date) })),
  /** The label's refreshes, and what is known about its battery; absent before the first refresh or measured voltage. */
  care: Type.Optional(Care),
  /** The last events, oldest first, each as JSON. Loaded only when requested by name: reading a whole state omits them. */
  history: Type.Optional(Type.Array(Type.String())),
});
export type LabelState = Static<typeof LabelState>;

/** The state of a label before its first report. */
export const newLabelState = (): LabelState => ({
  wanted: [],
  shown: [],
  sent: [],
  transmissions: 0,
  tries: 0,
  transceivers: [],
  battery: "UNKNOWN",
});

/** The fields of a state that appear in responses. Lists do not load the remaining fields, which are long. */
export const shownFields = [
  "wanted",
  "fault",
  "shown",
  "refreshing",
  "givenUp",
  "lastUpdate",
  "lastOkUpdate",
  "lastDisplayUpdate",
  "lastSeen",
  "checksIn",
  "transceivers",
  "hardwareRevision",
  "battery",
  "batteryStateChanged",
  "batteryStateLastConfirmed",
  "batteryStateFirstEnteredLow",
  "lowBatteryDate",
] as const satisfies readonly (keyof LabelState)[];
export type ShownState = Pick<LabelState, (typeof shownFields)[number]>;
