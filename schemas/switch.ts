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
    "What happens at the deadline if some labels do not keep their pictures yet. CALL_OFF: no label switches. " +
    "GO_AHEAD: the labels that are ready switch. Either way, the changes take effect at their time, and every other label is sent its picture then",
});

const SwitchState = Type.Enum(["PREPARING", "ORDERED", "CALLED_OFF", "DONE"], {
  title: "SwitchState",
  description:
    "PREPARING: pictures are drawn and sent to labels, which keep them. ORDERED: the labels have been ordered to show them at the switch's time. CALLED_OFF: `reason` " +
    "says why. DONE: its time has passed",
});

const calledOffReasons = ["BY_CALLER", "NOT_COMMITTED", "NOT_READY", "NOT_PREPARED", "REFUSED", "TOO_LATE"] as const;
const ofReasons = {
  description:
    "Why a switch was called off. BY_CALLER: a call called it off. NOT_COMMITTED: nobody had committed it by its deadline. NOT_READY: not all labels were ready at the deadline. NOT_PREPARED: it is not " +
    "certain that the pictures reflect the latest changes. REFUSED: the label server refused it. TOO_LATE: the label server could not be reached in time",
};
const CalledOffReason = Type.Enum(calledOffReasons, ofReasons);
export type CalledOffReason = Static<typeof CalledOffReason>;

const Commit = Type.Enum(["AWAITED", "COMMITTED"], {
  title: "SwitchCommit",
  description:
    "AWAITED: neither items nor labels change unless the switch is committed before its deadline. COMMITTED: both change at its time",
});

/** Of the labels with a picture for the switch, the percentage that must be ready. */
const ReadyPercent = Type.Integer({
  minimum: 1,
  maximum: 100,
  description: "Percentage of the labels that must be ready before the topic `switchstate.v1` reports `isReady`",
  examples: [98],
});
export const ALL_PERCENT = 100;

/** switch: all changes in a store that are scheduled for the same time, which labels show together at that second. */
export const Switch = Type.Object({
  showAt: date,
  deadline: date,
  atDeadline: AtDeadline,
  state: SwitchState,
  reason: Type.Optional(CalledOffReason),
  /** When the last completed preparation began: the pictures contain all older changes. */
  preparedAt: Type.Optional(date),
  /** Number of labels of the changed items that cannot keep a picture: their pictures are sent at the switch's time. */
  others: Type.Optional(Type.Integer()),
  /** Set if all label servers of its labels have accepted the order to show the pictures, or if some had by its time. */
  isTaken: Type.Optional(Type.Literal(true)),
  /** Set if one of several label servers has accepted the order and another has not yet. */
  isPartlyTaken: Type.Optional(Type.Literal(true)),
  /** Set if the changes scheduled for its time take effect only once a caller commits the switch. */
  commit: Type.Optional(Commit),
  readyPercent: Type.Optional(ReadyPercent),
  /** Set if scheduled changes created the switch, without a call. */
  isAutomatic: Type.Optional(Type.Literal(true)),
  /** Set while something is left to do. */
  open: Type.Optional(Type.Literal(true)),
});
export type Switch = Static<typeof Switch>;

/** switchstate.v1: the announced progress of a switch. It has the switch's key. */
export const AnnouncedSwitch = Type.Object({
  state: SwitchState,
  /** Whether enough labels are ready. */
  isReady: Type.Boolean(),
  reason: Type.Optional(CalledOffReason),
  commit: Type.Optional(Commit),
});

const time = (description: string) =>
  Type.String({
    format: "local-date-time",
    // The format accepts an empty string, which changes nothing in a row.
    minLength: 1,
    description: `${description}: \`YYYY-MM-DD hh:mm:ss\` in the store's time zone`,
  });

/** Body of POST /switches. */
export const SwitchOrder = Type.Object(
  {
    validFrom: time("The time of the scheduled changes, and of the switch"),
    deadline: Type.Optional(
      time("When the labels' readiness decides whether they switch; one minute before `validFrom` if absent"),
    ),
    atDeadline: Type.Optional(AtDeadline),
    awaitsCommit: Type.Optional(
      Type.Boolean({
        description:
          "true: the changes are only prepared. They take effect, on items and labels together, if the switch is committed before its deadline; " +
          "otherwise they are dropped. `atDeadline` then defaults to GO_AHEAD",
      }),
    ),
    readyPercent: Type.Optional(ReadyPercent),
  },
  { title: "SwitchOrder", description: "A time at which all labels show their scheduled changes together" },
);

/** Number of a switch's labels at each stage. */
const SwitchCounts = Type.Object(
  {
    prepared: count("Labels with a picture for the switch that differs from the current one"),
    ready: count("Of these, labels that keep it or have shown it"),
    asleep: count("Of these, labels that have not confirmed it although the label server has it"),
    waiting: count("Of these, labels whose picture has not reached the label server yet, or was refused"),
    shown: count("Of these, labels that have reported that they show it"),
    others: count("Labels that cannot keep a picture: their pictures are sent at the switch's time"),
  },
  { title: "SwitchCounts", description: "Number of labels at each stage" },
);
export type SwitchCounts = Static<typeof SwitchCounts>;

/** How far a label has progressed towards a switch. */
export const Readiness = Type.Enum(["WAITING", "ASLEEP", "READY", "SHOWN"], {
  title: "Readiness",
  description:
    "WAITING: the label server does not have the label's picture yet. ASLEEP: it has the picture, but the label has not confirmed it. READY: the " +
    "label keeps it. SHOWN: the label shows it",
});
export type Readiness = Static<typeof Readiness>;

/** A switch in a response. */
export const SwitchAnswer = Type.Object(
  {
    switchId: SwitchId,
    validFrom: time("Time of the switch"),
    deadline: time("The deadline, at which the labels' readiness decides"),
    atDeadline: AtDeadline,
    state: SwitchState,
    reason: Type.Unsafe<CalledOffReason | null>({ enum: [...calledOffReasons, null], ...ofReasons }),
    commit: Type.Optional(Commit),
    readyPercent: Type.Optional(ReadyPercent),
    isAutomatic: Type.Boolean({
      description: "Whether scheduled changes created the switch, without a call",
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

/** Returns the id of a store's switch at a given time. */
export const switchIdOf = (showAt: Date): string => `${showAt.toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`;
