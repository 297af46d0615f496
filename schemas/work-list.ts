import { type Static, Type } from "typebox";
import { Actor } from "./actor.ts";
import { identifier, known } from "./text.ts";

/** Why a label needs somebody, worst first: the first that applies is a label's only cause. */
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
    "ASSIGNED: somebody sees to it. DONE: somebody says that it is done. The label stays on the list until its cause is gone",
});
export type WorkState = Static<typeof WorkState>;

const Assignee = identifier(64, "Who sees to it: the name of a user, or any other name");
const date = Type.Unsafe<Date>({});

/** workmark: what somebody has said about the work on a label. It counts for one cause, until it expires. */
export const WorkMark = Type.Object({
  /** Not `cause`, which the envelope of a record has. */
  workCause: WorkCause,
  state: WorkState,
  assignee: Type.Optional(Assignee),
  by: Actor,
  at: date,
  expiresAt: date,
});
export type WorkMark = Static<typeof WorkMark>;

const HOUR_MS = 3_600_000;
/** How long a mark counts. Work that is not gone by then is open again. */
export const markLifeMs: Readonly<Record<WorkState, number>> = { ASSIGNED: 7 * 24 * HOUR_MS, DONE: 24 * HOUR_MS };

const time = (description: string) =>
  Type.String({ description: `${description}, in the store's time zone`, examples: ["2026-03-02 10:00:00"] });

const Assignment = Type.Object(
  {
    state: WorkState,
    assignee: known(Type.String({ description: "Who sees to it; null if nobody is named" })),
    by: Type.Object(Actor.properties, { title: "WorkActor", description: "Who said so, and by which way" }),
    at: time("When"),
    expiresAt: time("From when on the work is open again"),
  },
  { title: "WorkAssignment" },
);

/** A label that needs somebody. */
export const WorkEntry = Type.Object(
  {
    barcode: Type.String({ description: "Barcode of the label" }),
    plLocation: known(Type.String({ description: "Where it hangs; null if unknown" })),
    itemIds: Type.Array(Type.String(), { description: "The items linked to it" }),
    cause: WorkCause,
    since: known(time("Since when; null if unknown")),
    assignment: Type.Union([Assignment, Type.Null()], { description: "What somebody has said about it; null if open" }),
  },
  { title: "WorkEntry" },
);
export type WorkEntry = Static<typeof WorkEntry>;

const WorkCount = Type.Object(
  {
    cause: WorkCause,
    labels: Type.Integer({ description: "Number of labels with this cause" }),
    assigned: Type.Integer({ description: "How many of them somebody sees to" }),
    done: Type.Integer({ description: "How many of them are said to be done" }),
  },
  { title: "WorkCount" },
);
export type WorkCount = Static<typeof WorkCount>;

/** What there is to do for the labels of a store. */
export const WorkList = Type.Object(
  {
    labels: Type.Integer({ description: "Number of labels of the store" }),
    work: Type.Integer({ description: "How many of them need somebody: the sum of `causes`" }),
    troubled: Type.Integer({
      description:
        "How many of them are faulty or do not answer: the labels that the integrity report counts as ERROR or OFFLINE, and the sum of " +
        "the causes before BATTERY",
    }),
    isCut: Type.Boolean({
      description: "Whether more accepted requests wait than were examined, so that some causes may be missing",
    }),
    causes: Type.Array(WorkCount, { description: "Every cause, worst first. Each label is counted once" }),
    entries: Type.Array(WorkEntry, {
      description: "The labels of a page: by cause, then by location, those without one last, then by barcode",
    }),
    next: known(Type.String({ description: "`after` of the next page; null on the last one" })),
  },
  { title: "WorkList" },
);
export type WorkList = Static<typeof WorkList>;

const MAX_MARKED = 1_000;

/** Body of a call that says something about the work on labels. */
export const WorkOrder = Type.Object(
  {
    cause: WorkCause,
    barcodes: Type.Array(identifier(64, "Barcode of a label"), { minItems: 1, maxItems: MAX_MARKED }),
    state: Type.Enum(["ASSIGNED", "DONE", "OPEN"], {
      description:
        "ASSIGNED: `assignee` sees to it, for 7 days. DONE: it is done, which counts for 24 hours. OPEN: nobody sees to it any longer",
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
