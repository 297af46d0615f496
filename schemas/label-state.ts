import { type Static, Type } from "typebox";
import { PageImage } from "./image.ts";
import { BatteryState, type PlState } from "./label.ts";
import { Stamp } from "./stamp.ts";

const date = Type.Unsafe<Date>({});

/** A send that was begun: it has a number of its own, the same for its retries. */
const Transmission = Type.Object({ number: Type.Integer(), ...PageImage.properties });
export type Transmission = Static<typeof Transmission>;

/**
 * labelstate: what is known of the label itself: the picture it should show, the one it shows,
 * the one in the air, its battery and when it was last heard. It moves with every report.
 */
export const LabelState = Type.Object({
  /** The pages the label should show, from eslimage.v1. */
  wanted: Type.Array(PageImage),
  /** Set where the wanted picture has a fault: the label is in ERROR although it shows the background. */
  fault: Type.Optional(Type.String()),
  /**
   * What each page shows, by the label server's own time of delivery; `through` is the latest transmission that was
   * begun when that became known.
   */
  shown: Type.Array(
    Type.Object({ page: Type.Integer(), image: Type.String(), deliveredAt: date, through: Type.Integer() }),
  ),
  /** Stamp of the latest refresh that was asked for. */
  refreshed: Type.Optional(Stamp),
  /** Pages that must be sent again although they are shown, by a transmission whose number is above `after`. */
  refreshing: Type.Optional(Type.Object({ pages: Type.Array(Type.Integer()), after: Type.Integer() })),
  /** The one transmission on its way. */
  sending: Type.Optional(Transmission),
  /** Numbers of the last transmissions and what they carried, so that a late report finds its picture. */
  sent: Type.Array(Transmission),
  /** Number of the latest transmission. */
  transmissions: Type.Integer(),
  /** How often the present transmission was sent. */
  tries: Type.Integer(),
  /** When to send, or to look again; absent where the wanted picture is shown or given up. */
  sendDue: Type.Optional(date),
  /** Why the wanted picture is sent no more, until there is another. */
  givenUp: Type.Optional(Type.String()),
  lastUpdate: Type.Optional(date),
  lastOkUpdate: Type.Optional(date),
  lastDisplayUpdate: Type.Optional(date),
  lastSeen: Type.Optional(date),
  transceivers: Type.Array(Type.String()),
  hardwareRevision: Type.Optional(Type.String()),
  battery: BatteryState,
  batteryStateChanged: Type.Optional(date),
  batteryStateLastConfirmed: Type.Optional(date),
  batteryStateFirstEnteredLow: Type.Optional(date),
  lowBatteryDate: Type.Optional(date),
  /** Stamp of the latest word on the manual position, and when to have the signal measured there; no `due`: not (again). */
  fingerprint: Type.Optional(Type.Object({ stamp: Stamp, due: Type.Optional(date) })),
  /** What happened last, oldest first, each entry as JSON. */
  history: Type.Optional(Type.Array(Type.String())),
});
export type LabelState = Static<typeof LabelState>;

/** What is known of a label that was never heard of. */
export const newLabelState = (): LabelState => ({
  wanted: [],
  shown: [],
  sent: [],
  transmissions: 0,
  tries: 0,
  transceivers: [],
  battery: "UNKNOWN",
});

/** What answers show of a state. The rest is long, and no list should pay for it. */
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
  "transceivers",
  "hardwareRevision",
  "battery",
  "batteryStateChanged",
  "batteryStateLastConfirmed",
  "batteryStateFirstEnteredLow",
  "lowBatteryDate",
] as const satisfies readonly (keyof LabelState)[];
export type ShownState = Pick<LabelState, (typeof shownFields)[number]>;

/** The first page that does not show what it should, or must be sent again; undefined where there is none. */
export const pageToSend = ({
  wanted,
  shown,
  refreshing,
}: Pick<LabelState, "wanted" | "shown" | "refreshing">): PageImage | undefined =>
  wanted.find(
    ({ page, image }) => refreshing?.pages.includes(page) || shown.find((one) => one.page === page)?.image !== image,
  );

/** What the plState is read from. */
export const plStateFields = ["wanted", "shown", "refreshing", "lastSeen", "fault", "givenUp"] as const;

/**
 * The label's plState (design, section 6). `isBehind`: the picture that it should show is not made yet from what
 * its links and their items have become.
 */
export function plStateOf(
  state: Pick<LabelState, (typeof plStateFields)[number]> | undefined,
  isBehind: boolean,
  now: Date,
  offlineAfterMs: number,
): PlState {
  if (state === undefined || state.wanted.length === 0) return "NEW";
  if (state.lastSeen !== undefined && now.getTime() - state.lastSeen.getTime() > offlineAfterMs) return "OFFLINE";
  if (isBehind) return "PENDING";
  if (state.fault !== undefined || state.givenUp !== undefined) return "ERROR";
  return pageToSend(state) === undefined ? "OK" : "PENDING";
}
