import { type Static, Type } from "typebox";

const HistoryEvent = Type.Enum(["picture", "flash", "display-page", "refresh", "fingerprint", "battery"]);
const HistoryResult = Type.Enum(
  ["begun", "acknowledged", "failed", "given up", "sent", "refused", "dropped", "asked", "removed", "OK", "LOW"],
  {
    description:
      "A picture is begun, acknowledged, failed or given up; an action is asked for, sent, refused by the label server, dropped or removed unsent; a battery becomes OK or LOW",
  },
);

/** Something that happened to a label, as it is kept: as short as can be. */
const HistoryEntry = Type.Object({
  /** Milliseconds since 1970. */
  at: Type.Integer(),
  event: HistoryEvent,
  result: HistoryResult,
  /** Number of a picture's transmission. What it carried is told once, where it begins. */
  transmission: Type.Optional(Type.Integer()),
  page: Type.Optional(Type.String()),
  image: Type.Optional(Type.String()),
  reason: Type.Optional(Type.String()),
  transceiver: Type.Optional(Type.String()),
  /** Number of an action's order: two that end alike in one millisecond are two. It is told to nobody. */
  order: Type.Optional(Type.Integer()),
});
export type HistoryEntry = Static<typeof HistoryEntry>;

const text = Type.Unsafe<string | null>({ type: ["string", "null"] });

/** The same in an answer: every field is there, null where it is unknown or makes no sense. */
export const HistoryAnswer = Type.Object(
  {
    time: Type.String(),
    event: HistoryEvent,
    result: HistoryResult,
    page: text,
    image: Type.Unsafe<string | null>({ type: ["string", "null"], description: "SHA-256 of the picture's pixels" }),
    transmission: Type.Unsafe<number | null>({ type: ["integer", "null"] }),
    reason: text,
    transceiver: text,
  },
  { title: "HistoryEntry" },
);
export type HistoryAnswer = Static<typeof HistoryAnswer>;

const KEPT = 50;
const MAX_REASON_LENGTH = 200;

/**
 * A label's state with one entry more in its history; the oldest beyond 50 are forgotten. Entries are kept as texts: a
 * state is read and written with every transmission, and only who asks for the history needs it taken apart. What is
 * told again is no news.
 */
export function noted<State extends { history?: string[] }>(state: State, { reason, ...entry }: HistoryEntry): State {
  const text = JSON.stringify({ ...entry, ...(reason && { reason: reason.slice(0, MAX_REASON_LENGTH) }) });
  const history = state.history ?? [];
  return history.includes(text) ? state : { ...state, history: [...history, text].slice(-KEPT) };
}

/** The entries of a history, newest first. */
export function entriesOf(history: readonly string[]): HistoryEntry[] {
  const entries = history.map((text): HistoryEntry => JSON.parse(text));
  const pictures = new Map(
    entries.flatMap(({ transmission, page, image }) =>
      transmission !== undefined && image !== undefined ? [[transmission, { page, image }] as const] : [],
    ),
  );
  return entries
    .map((entry) => ({ ...pictures.get(entry.transmission ?? 0), ...entry }) as HistoryEntry)
    .toReversed()
    .sort((one, other) => other.at - one.at);
}
