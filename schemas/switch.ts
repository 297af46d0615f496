import { type Static, Type } from "typebox";
import { count, known } from "./text.ts";

const date = Type.Unsafe<Date>({});

export const SwitchId = Type.String({
  pattern: "^[0-9]{8}T[0-9]{6}Z$",
  errorMessage: 'must be the time of the switch in UTC, such as "20260309T050000Z"',
  description: "Id of the switch: its time in UTC",
  examples: ["20260309T050000Z"],
});

const AtDeadline = Type.Enum(["CALL_OFF", "GO_AHEAD"], {
  description:
    "What happens at the deadline if some labels do not keep their pictures yet. CALL_OFF: no label switches at the second. " +
    "GO_AHEAD: those that are ready do. The changes take effect at their time either way, and every other label is sent its picture then",
});

const SwitchState = Type.Enum(["PREPARING", "ORDERED", "CALLED_OFF", "DONE"], {
  title: "SwitchState",
  description:
    "PREPARING: pictures are drawn and sent to labels, which keep them. ORDERED: the labels show them at the time. CALLED_OFF: `reason` " +
    "says why. DONE: its time is over",
});

const calledOffReasons = ["BY_CALLER", "NOT_COMMITTED", "NOT_READY", "NOT_PREPARED", "REFUSED", "TOO_LATE"] as const;
const ofReasons = {
  description:
    "Why a switch was called off. BY_CALLER: by a call. NOT_COMMITTED: nobody had committed it by its deadline. NOT_READY: not all labels were ready at the deadline. NOT_PREPARED: it is not " +
    "certain that the pictures reflect the latest changes. REFUSED: the label server refused it. TOO_LATE: the label server could not be reached in time",
};
const CalledOffReason = Type.Enum(calledOffReasons, ofReasons);
export type CalledOffReason = Static<typeof CalledOffReason>;

const Commit = Type.Enum(["AWAITED", "COMMITTED"], {
  title: "SwitchCommit",
  description:
    "AWAITED: neither items nor labels change unless the switch is committed before its deadline. COMMITTED: both change at its time",
});

/** Of the labels that can keep a picture, so many percent must. */
const ReadyPercent = Type.Integer({
  minimum: 1,
  maximum: 100,
  description: "How many percent of the labels must be ready for `isReady` of the topic `switchstate.v1`",
  examples: [98],
});
export const ALL_PERCENT = 100;

/** switch: all scheduled changes of a store with one time, which labels show together at that second. */
export const Switch = Type.Object({
  showAt: date,
  deadline: date,
  atDeadline: AtDeadline,
  state: SwitchState,
  reason: Type.Optional(CalledOffReason),
  /** Beginning of the last preparation that reached its end: all older changes are in the pictures. */
  preparedAt: Type.Optional(date),
  /** How many labels of the changed items cannot keep a picture: they are sent theirs at the time. */
  others: Type.Optional(Type.Integer()),
  /** Each label server of its labels has taken the latest order: to show the pictures, or to forget them. */
  isTaken: Type.Optional(Type.Literal(true)),
  /** Of several label servers, one has taken it and another has not yet. */
  isPartlyTaken: Type.Optional(Type.Literal(true)),
  /** Set if the changes of its time take effect only once a caller commits it. */
  commit: Type.Optional(Commit),
  readyPercent: Type.Optional(ReadyPercent),
  /** Set if no call asked for it, but only scheduled changes. */
  isAutomatic: Type.Optional(Type.Literal(true)),
  /** Set while something is left to do. */
  open: Type.Optional(Type.Literal(true)),
});
export type Switch = Static<typeof Switch>;

/** switchstate.v1: how far a switch is, as it was announced. It has the key of the switch. */
export const AnnouncedSwitch = Type.Object({
  state: SwitchState,
  /** Enough labels are ready. */
  isReady: Type.Boolean(),
  reason: Type.Optional(CalledOffReason),
  commit: Type.Optional(Commit),
});

const time = (description: string) =>
  Type.String({
    format: "local-date-time",
    // The format takes an empty text, which in a row changes nothing.
    minLength: 1,
    description: `${description}: \`YYYY-MM-DD hh:mm:ss\` in the store's time zone`,
  });

/** Body of POST /switches. */
export const SwitchOrder = Type.Object(
  {
    validFrom: time("The time of the scheduled changes, and of the switch"),
    deadline: Type.Optional(
      time("When it is decided whether the labels switch; one minute before `validFrom` if absent"),
    ),
    atDeadline: Type.Optional(AtDeadline),
    awaitsCommit: Type.Optional(
      Type.Boolean({
        description:
          "true: the changes are only prepared. They take effect, on items and labels together, if the switch is committed before its deadline; " +
          "otherwise they are dropped. `atDeadline` is then GO_AHEAD unless it is given",
      }),
    ),
    readyPercent: Type.Optional(ReadyPercent),
  },
  { title: "SwitchOrder", description: "A time at which all labels show their scheduled changes together" },
);

/** How many labels of a switch are how far. */
const SwitchCounts = Type.Object(
  {
    prepared: count("Labels with a picture for the switch that differs from the present one"),
    ready: count("Of these, those that keep it, or have shown it"),
    asleep: count("Of these, those that have not confirmed it, although the label server has it"),
    waiting: count("Of these, those whose picture is not with the label server yet, or was refused"),
    shown: count("Of these, those that have reported that they show it"),
    others: count("Labels that cannot keep a picture: they are sent theirs at the time"),
  },
  { title: "SwitchCounts", description: "How many labels are how far" },
);
export type SwitchCounts = Static<typeof SwitchCounts>;

/** How far a label of a switch is. */
export const Readiness = Type.Enum(["WAITING", "ASLEEP", "READY", "SHOWN"], {
  title: "Readiness",
  description:
    "WAITING: the label server does not have the label's picture yet. ASLEEP: it has, and the label has not confirmed it. READY: the " +
    "label keeps it. SHOWN: the label shows it",
});
export type Readiness = Static<typeof Readiness>;

/** A switch in a response. */
export const SwitchAnswer = Type.Object(
  {
    switchId: SwitchId,
    validFrom: time("Time of the switch"),
    deadline: time("When it is decided"),
    atDeadline: AtDeadline,
    state: SwitchState,
    reason: Type.Unsafe<CalledOffReason | null>({ enum: [...calledOffReasons, null], ...ofReasons }),
    commit: Type.Optional(Commit),
    readyPercent: Type.Optional(ReadyPercent),
    isAutomatic: Type.Boolean({
      description: "Whether no call asked for it, but only the scheduled changes of its time",
    }),
    labels: SwitchCounts,
  },
  { title: "Switch" },
);
export type SwitchAnswer = Static<typeof SwitchAnswer>;

export const SwitchLabel = Type.Object(
  { barcode: Type.String(), readiness: Readiness, reason: known(Type.String({ description: "Why it failed" })) },
  { title: "SwitchLabel" },
);

/** The id of a store's switch at a time. */
export const switchIdOf = (showAt: Date): string => `${showAt.toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`;
