import { type Static, Type } from "typebox";
import { Actor } from "./actor.ts";
import { identifier, known } from "./text.ts";

/** Why a label needs attention, most serious first: a label's only cause is the first that applies. */
export const workCauses = {
  BLANK: "its picture could not be drawn, so it is blank: correct the design, the rule or the item",
  NOT_ANSWERING: "it has not been heard from for a long time: look at it, and replace its battery or the label",
  NOT_TAKEN: "it did not report its newest picture, or the label server rejected it: send it again",
  NOT_SENT: "its newest picture cannot be sent until the operator acts: a process, a gateway or the label server fails",
  BATTERY: "its battery is to be replaced",
  HELD_PRICE: "the price of its item is held until a second person decides",
} as const;
export type WorkCauseName = keyof typeof workCauses;
export const workCauseNames = Object.keys(workCauses) as WorkCauseName[];
export const WorkCause = Type.Enum(workCauseNames, {
  title: "WorkCause",
  description: `Worst first; a label has the first that applies. ${workCauseNames
    .map((name) => `${name}: ${workCauses[name]}`)
    .join(". ")}`,
});

const WorkState = Type.Enum(["ASSIGNED", "DONE"], {
  title: "WorkState",
  description:
    "ASSIGNED: somebody takes care of it. DONE: somebody has reported that it is done. The label stays on the list until its cause is gone",
});
export type WorkState = Static<typeof WorkState>;

const Assignee = identifier(64, "Who takes care of it: a user's name, or any other name");
const date = Type.Unsafe<Date>({});

/** workmark: a mark on the work for a label: assigned or done. It applies to one cause, until it expires. */
export const WorkMark = Type.Object({
  /** Not named `cause`, because the record's envelope has a field of that name. */
  workCause: WorkCause,
  state: WorkState,
  assignee: Type.Optional(Assignee),
  by: Actor,
  at: date,
  expiresAt: date,
});
export type WorkMark = Static<typeof WorkMark>;

const HOUR_MS = 3_600_000;
/** How long a mark is valid, in milliseconds. If the work is still needed after that, it is open again. */
export const markLifeMs: Readonly<Record<WorkState, number>> = { ASSIGNED: 7 * 24 * HOUR_MS, DONE: 24 * HOUR_MS };

const time = (description: string) =>
  Type.String({ description: `${description}, in the store's time zone`, examples: ["2026-03-02 10:00:00"] });

const Assignment = Type.Object(
  {
    state: WorkState,
    assignee: known(Type.String({ description: "Who takes care of it; null if nobody is named" })),
    by: Type.Object(Actor.properties, {
      title: "WorkActor",
      description: "Who set the mark, and through which channel",
    }),
    at: time("When"),
    expiresAt: time("When the mark expires and the work is open again"),
  },
  { title: "WorkAssignment" },
);

/** A label that needs attention. */
export const WorkEntry = Type.Object(
  {
    barcode: Type.String({ description: "Barcode of the label" }),
    plLocation: known(Type.String({ description: "The label's location; null if unknown" })),
    itemIds: Type.Array(Type.String(), { description: "The items linked to it" }),
    cause: WorkCause,
    since: known(time("When the cause began; null if unknown")),
    assignment: Type.Union([Assignment, Type.Null()], {
      description: "The mark on the work; null if the work is open",
    }),
  },
  { title: "WorkEntry" },
);
export type WorkEntry = Static<typeof WorkEntry>;

const WorkCount = Type.Object(
  {
    cause: WorkCause,
    labels: Type.Integer({ description: "Number of labels with this cause" }),
    assigned: Type.Integer({ description: "Number of these labels that somebody takes care of" }),
    done: Type.Integer({ description: "Number of these labels that are marked as done" }),
  },
  { title: "WorkCount" },
);
export type WorkCount = Static<typeof WorkCount>;

/** The work on the labels of a store. */
export const WorkList = Type.Object(
  {
    labels: Type.Integer({ description: "Number of labels of the store" }),
    work: Type.Integer({ description: "How many of the labels need attention: the sum of `causes`" }),
    troubled: Type.Integer({
      description:
        "How many of the labels are faulty or do not respond: the labels that the integrity report counts as ERROR or OFFLINE, which is the sum of " +
        "the causes before BATTERY",
    }),
    isCut: Type.Boolean({
      description: "Whether more accepted requests are waiting than were examined, so that some causes may be missing",
    }),
    causes: Type.Array(WorkCount, { description: "Every cause, worst first. Each label is counted once" }),
    entries: Type.Array(WorkEntry, {
      description: "The labels of a page, ordered by cause, then location (labels without one last), then barcode",
    }),
    next: known(Type.String({ description: "`after` of the next page; null on the last one" })),
  },
  { title: "WorkList" },
);
export type WorkList = Static<typeof WorkList>;

const MAX_MARKED = 1_000;

/** Body of a call that marks the work on labels. */
export const WorkOrder = Type.Object(
  {
    cause: WorkCause,
    barcodes: Type.Array(identifier(64, "Barcode of a label"), { minItems: 1, maxItems: MAX_MARKED }),
    state: Type.Enum(["ASSIGNED", "DONE", "OPEN"], {
      description:
        "ASSIGNED: `assignee` takes care of it, for 7 days. DONE: it is done; the mark is valid for 24 hours. OPEN: removes the mark",
    }),
    assignee: Type.Optional(Assignee),
  },
  {
    title: "WorkOrder",
    examples: [{ cause: "BATTERY", barcodes: ["04A1B2C3D4E5F6"], state: "ASSIGNED", assignee: "ana" }],
  },
);
export type WorkOrder = Static<typeof WorkOrder>;

export const WorkMarked = Type.Object(
  {
    marked: Type.Integer({ description: "Number of labels that were marked" }),
    unknown: Type.Array(Type.String(), { description: "Barcodes of labels that do not exist" }),
  },
  { title: "WorkMarked" },
);
