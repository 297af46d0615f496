import { type Static, Type } from "typebox";
import { Cause } from "./cause.ts";
import { Content } from "./glass.ts";
import { PageImage } from "./image.ts";
import { BatteryState, type PlState } from "./label.ts";
import { Stamp } from "./stamp.ts";

const date = Type.Unsafe<Date>({});

/** A transmission of a page. Its number is its own, and the same for its retries. */
const Transmission = Type.Object({
  number: Type.Integer(),
  ...PageImage.properties,
  content: Type.Optional(Content),
  fault: Type.Optional(Type.String()),
  cause: Type.Optional(Cause),
});
export type Transmission = Static<typeof Transmission>;

/**
 * labelstate: the state of the label itself: the pages that it should show, those that it shows, the one that is
 * being sent, its battery and when it was last seen. It changes with every report.
 */
export const LabelState = Type.Object({
  /** The pages the label should show, from eslimage.v1. */
  wanted: Type.Array(PageImage),
  /** What these pages show; absent where they show no item. */
  content: Type.Optional(Content),
  /** What these go back to. */
  wantedBy: Type.Optional(Cause),
  /** Set where the wanted picture has a fault: the label is in ERROR although it shows the background. */
  fault: Type.Optional(Type.String()),
  /** What each page shows, by the label server's time of delivery. */
  shown: Type.Array(
    Type.Object({
      page: Type.Integer(),
      image: Type.String(),
      deliveredAt: date,
      /** The number of the latest transmission of the label at the time of the report. */
      through: Type.Integer(),
      /** The number of the transmission that landed; records of earlier releases lack it. */
      number: Type.Optional(Type.Integer()),
      /**
       * Set while a later transmission of another picture is not acknowledged: it may have landed, so the page may show
       * either. A failure that is reported does not end this, since the label may have received the picture all the same.
       */
      uncertain: Type.Optional(Type.Literal(true)),
    }),
  ),
  /** Stamp of the latest request for a refresh. */
  refreshed: Type.Optional(Stamp),
  /** Pages that are to be sent again although they are shown, by a transmission with a number above `after`. */
  refreshing: Type.Optional(Type.Object({ pages: Type.Array(Type.Integer()), after: Type.Integer() })),
  /** The transmission that waits for its report; a label has at most one. */
  sending: Type.Optional(Transmission),
  /** The last transmissions with their pages, so that a late report finds its picture. */
  sent: Type.Array(Transmission),
  /** Number of the latest transmission. */
  transmissions: Type.Integer(),
  /** How many times the present transmission was sent. */
  tries: Type.Integer(),
  /** When to send, or to check for the report; absent only where the wanted pages are shown. */
  sendDue: Type.Optional(date),
  /** Why the last attempts failed; the label is in ERROR, and is sent to rarely until one succeeds. */
  givenUp: Type.Optional(Type.String()),
  /** Why the label server did not take the present transmission at its last call; it is called again. */
  putOff: Type.Optional(Type.String()),
  /** When a sign of life of a label that was given up last had it sent to. */
  woken: Type.Optional(date),
  lastUpdate: Type.Optional(date),
  lastOkUpdate: Type.Optional(date),
  lastDisplayUpdate: Type.Optional(date),
  lastSeen: Type.Optional(date),
  /** It has checked in: its label server tells of signs of life, and so silence means something. */
  checksIn: Type.Optional(Type.Literal(true)),
  transceivers: Type.Array(Type.String()),
  hardwareRevision: Type.Optional(Type.String()),
  battery: BatteryState,
  batteryStateChanged: Type.Optional(date),
  batteryStateLastConfirmed: Type.Optional(date),
  batteryStateFirstEnteredLow: Type.Optional(date),
  lowBatteryDate: Type.Optional(date),
  /** Stamp of the last change of the manual position, and when to measure the signal there; no `due`: not, or done. */
  fingerprint: Type.Optional(Type.Object({ stamp: Stamp, due: Type.Optional(date) })),
  /** The last events, oldest first, each as JSON. Read by its name only: a state that is read whole does not have it. */
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

/** The fields of a state that answers show. Lists do not read the remaining fields, which are long. */
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

/** Whether a page is known to show this picture. */
export const isShown = ({ shown }: Pick<LabelState, "shown">, { page, image }: PageImage): boolean =>
  shown.some((known) => known.page === page && known.image === image && !known.uncertain);

/** The wanted pages that are not known to be shown or are to be sent again, in order. */
export const pagesToSend = (state: Pick<LabelState, "wanted" | "shown" | "refreshing">): PageImage[] =>
  state.wanted.filter((wanted) => state.refreshing?.pages.includes(wanted.page) || !isShown(state, wanted));

/** The first of them; undefined where there is none. */
export const pageToSend = (state: Pick<LabelState, "wanted" | "shown" | "refreshing">): PageImage | undefined =>
  pagesToSend(state)[0];

/** What a state has where every wanted page is shown. */
export const nothingToSend = {
  sending: undefined,
  sendDue: undefined,
  givenUp: undefined,
  putOff: undefined,
  woken: undefined,
};

/**
 * A state with a new wish: it begins without earlier failures. A page in the air is waited for as usual, since its
 * report makes the next one due, but not one that was given up.
 */
export function startAnew(state: LabelState, now: Date): LabelState {
  const { sending } = state.givenUp === undefined ? state : nothingToSend;
  const anew = { ...state, sending, tries: 0, givenUp: undefined, woken: undefined };
  return sending ? anew : { ...anew, sendDue: pageToSend(anew) && now };
}

/** The fields that `plStateOf` reads. */
export const plStateFields = ["wanted", "shown", "refreshing", "lastSeen", "checksIn", "fault", "givenUp"] as const;

type Heard = Pick<LabelState, "lastSeen" | "checksIn">;

/** Whether a label was not heard for long; of one that does not check in that says nothing. */
const isSilent = ({ lastSeen }: Heard, now: Date, offlineAfterMs: number): boolean =>
  lastSeen !== undefined && now.getTime() - lastSeen.getTime() > offlineAfterMs;

/** Whether a label that checks in was not heard for long. */
export const isOffline = (state: Heard, now: Date, offlineAfterMs: number): boolean =>
  state.checksIn === true && isSilent(state, now, offlineAfterMs);

/** Whether nobody can know if a label is there still: it was not heard for long, and does not check in. */
export const isQuiet = (state: Heard, now: Date, offlineAfterMs: number): boolean =>
  state.checksIn !== true && isSilent(state, now, offlineAfterMs);

/**
 * The label's plState (docs/integrators.md#labels-and-links). `isStale`: its wanted pages are not derived yet from the
 * present links and items.
 */
export function plStateOf(
  state: Pick<LabelState, (typeof plStateFields)[number]> | undefined,
  isStale: boolean,
  now: Date,
  offlineAfterMs: number,
): PlState {
  if (state === undefined || state.wanted.length === 0) return "NEW";
  if (isOffline(state, now, offlineAfterMs)) return "OFFLINE";
  if (isStale) return "PENDING";
  if (state.fault !== undefined || state.givenUp !== undefined) return "ERROR";
  if (pageToSend(state) !== undefined) return "PENDING";
  return isQuiet(state, now, offlineAfterMs) ? "UNKNOWN" : "OK";
}
