import { type Static, type TSchema, Type } from "typebox";
import { DrawingFault } from "./image.ts";
import { PlState } from "./label.ts";
import { LinkStatus } from "./link.ts";
import { known } from "./text.ts";
import { PackTrace } from "./trial.ts";

/** Why a label shows what it shows, the gravest first: the first that applies is the cause. */
export const causes = {
  STAGE_FAILS: "a worker cannot handle one of its records, and tries again",
  REDIS_AWAY: "Redis cannot be reached, so nothing is handed from worker to worker",
  REDIS_FULL: "Redis has no room, so jobs wait in MongoDB",
  PROCESS_MISSING: "no process of the worker runs whose turn it is",
  LABEL_SERVER_AWAY: "the label server does not answer",
  LABEL_SERVER_DENIES: "the label server does not take the secret of Shelfwire",
  LABEL_OFFLINE: "the label was not heard for long",
  GIVEN_UP: "the label did not report, or its label server refused the picture; it is sent to rarely",
  REQUEST_WAITS: "an accepted request that names the label or its item is not applied yet",
  STAGE_WAITS: "a worker has not handled the newest change yet",
  ON_ITS_WAY: "the picture is sent and not acknowledged yet",
  PICTURE_FAULT: "the picture could not be drawn",
  LINK_SWITCHED_OFF: "its link was made INACTIVE",
  ITEM_MISSING: "the linked item does not exist",
  NOT_LINKED: "no item is linked to it",
  LABEL_QUIET:
    "it had the newest picture when it was last heard, which is long ago; its label server tells of no check-ins",
  UP_TO_DATE: "it has acknowledged the newest picture",
} as const;
export type CauseName = keyof typeof causes;
export const causeNames = Object.keys(causes) as CauseName[];
export const Cause = Type.Enum(causeNames, {
  title: "Cause",
  description: causeNames.map((name) => `${name}: ${causes[name]}`).join(". "),
});

const text = (description: string) => Type.String({ description });
const time = (description: string) => Type.String({ description });
const Rev = Type.Integer({ description: "Rev of the record: the time of its last write, in milliseconds" });
const orNull = <S extends TSchema>(schema: S, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const Wait = Type.Object(
  {
    cause: Cause,
    reason: text("What waits for what, as a sentence's end"),
    since: known(time("Since when; null where it is not known")),
    until: known(time("When it is tried again; null where that is no matter of time")),
  },
  { title: "Wait" },
);
export type Wait = Static<typeof Wait>;

/** A record that a picture is derived from, or the picture. */
const DerivedRecord = Type.Object(
  {
    record: text("Kind of the record"),
    worker: text("Who derives it"),
    rev: orNull(Rev, "Its rev, the time of its last write in milliseconds; null where there is no such record yet"),
    changedAt: known(time("When it was last written")),
    image: known(text("SHA-256 of its picture; null where it is none")),
    inputs: Type.Array(Type.String(), { description: "What it was made from: kind, key and rev of each record" }),
    moved: Type.Array(Type.String(), { description: "The inputs that have another rev now" }),
  },
  { title: "DerivedRecord" },
);
export type DerivedRecord = Static<typeof DerivedRecord>;

const ShownDesign = Type.Object(
  {
    chosenBy: Type.Enum(["forced design", "designer link", "ECC model", "store-level link", "scenario", "nothing"], {
      description: "What decided it",
    }),
    designId: known(text("Full key of the design, or the ECC model; null where there is none")),
    scenario: known(text("Name of the scenario that holds")),
    canvasId: known(text("Full key of the canvas that is drawn")),
    canvasRev: orNull(Rev, "Rev of the canvas; null where there is none"),
  },
  { title: "ShownDesign" },
);

const ExplainedPosition = Type.Object(
  {
    displayPosition: Type.Integer(),
    link: orNull(
      Type.Object({
        status: LinkStatus,
        itemId: Type.String(),
        linkedItemId: Type.String(),
        origin: text("Who decides the design: studio (the rules), designer or ecc"),
        rev: Rev,
        changedAt: time("When it was last changed"),
      }),
      "The link at the position; null where there is none",
    ),
    item: orNull(
      Type.Object({
        itemId: Type.String(),
        itemName: known(Type.String()),
        price: known(Type.String()),
        isThere: Type.Boolean({ description: "False where it was deleted" }),
        rev: Rev,
        changedAt: time("When it was last changed"),
        nextScheduled: known(time("When its next scheduled update is applied")),
      }),
      "The linked item; null where there is none",
    ),
    design: orNull(ShownDesign, "The design that is drawn, and what decided it; null where nothing is linked"),
    trace: orNull(PackTrace, "How the rules choose the design; null where they are not asked"),
    fault: orNull(DrawingFault, "Why the position could not be drawn; null where it could"),
    errors: Type.Array(Type.String(), { description: "What is left out of the picture because it is wrong" }),
    warnings: Type.Array(Type.String(), { description: "What is shown otherwise than the design or the item has it" }),
    records: Type.Array(DerivedRecord, { description: "From the link to its picture" }),
  },
  { title: "ExplainedPosition" },
);
export type ExplainedPosition = Static<typeof ExplainedPosition>;

const image = text("SHA-256 of the picture's pixels");
const transmission = Type.Integer({ description: "Number of the transmission" });

/** Why a label shows what it shows. */
export const LabelExplanation = Type.Object(
  {
    barcode: Type.String(),
    modelName: Type.String(),
    labelType: Type.Integer({ description: "Its type, from its barcode" }),
    plState: PlState,
    cause: Cause,
    summary: text("What the label shows, since when, and because of what"),
    sentences: Type.Array(Type.String(), { description: "The same at length, for a person; the first is the summary" }),
    waits: Type.Array(Wait, { description: "What applies, the gravest first; the first is the cause" }),
    glass: Type.Array(
      Type.Object({
        page: Type.Integer(),
        image,
        since: time("When it was acknowledged, by the label server"),
        isWanted: Type.Boolean({
          description:
            "Whether it is the newest picture that was drawn; false while another one that was sent since is not acknowledged",
        }),
        isUploaded: Type.Boolean({
          description: "Whether it is an uploaded image of the item, which may show any price",
        }),
        items: orNull(
          Type.Array(
            Type.Object({
              itemId: Type.String(),
              price: known(
                text("Its price as the picture was drawn with it; null where it had none, and of an uploaded image"),
              ),
              rev: Rev,
            }),
          ),
          "The items that the picture was made of, as they were then; empty for the background, null where that is not known",
        ),
      }),
      { description: "What the label acknowledged, by page" },
    ),
    onItsWay: orNull(
      Type.Object({
        page: Type.Integer(),
        image,
        transmission,
        tries: Type.Integer({ description: "How many times it was sent" }),
        since: time("When it was first sent"),
        sentAgain: known(time("When it is sent again, unless it is acknowledged before")),
      }),
      "The picture that was sent and is not acknowledged; null where there is none",
    ),
    fault: orNull(DrawingFault, "Why the label shows its background instead; null where it does not"),
    lastSeen: known(time("When the label was last heard")),
    withheld: Type.Array(
      Type.Object({
        what: text("What this answer leaves out"),
        scopes: Type.Array(Type.String(), { description: "The scopes that the token lacks for it" }),
      }),
      { description: "What the token may not read; empty where it may read all of it" },
    ),
    records: Type.Array(DerivedRecord, { description: "The label's composed picture" }),
    positions: Type.Array(ExplainedPosition, { description: "Its display positions" }),
  },
  { title: "LabelExplanation", examples: [example()] },
);
export type LabelExplanation = Static<typeof LabelExplanation>;

/** A label of which the newest price is not drawn, since no renderer runs. */
function example(): object {
  const [image, since, link] = ["5f3a".repeat(16), "2026-03-02 08:15:30", "t/demo/s/main/links/D42FLOFYMKP013280-0"];
  const [rev, newRev, changedAt] = [1_772_435_725_000, 1_772_438_531_000, "2026-03-02 08:15:25"];
  const open = `the renderer worker has not handled the change of the item "4711" yet: no process of it runs`;
  const item = "t/demo/s/main/items/4711";
  const summary = `The label shows an earlier picture, since ${since}, because ${open} (since 2026-03-02 09:02:11).`;
  const record = { record: "renderedimage.v1", worker: "renderer", rev, changedAt, image };
  return {
    barcode: "D42FLOFYMKP013280",
    modelName: "Medium",
    labelType: 1328,
    plState: "PENDING",
    cause: "PROCESS_MISSING",
    summary,
    sentences: [summary],
    waits: [{ cause: "PROCESS_MISSING", reason: open, since: "2026-03-02 09:02:11", until: null }],
    glass: [
      { page: 0, image, since, isWanted: true, isUploaded: false, items: [{ itemId: "4711", price: "1.89", rev }] },
    ],
    onItsWay: null,
    fault: null,
    lastSeen: since,
    withheld: [],
    records: [
      { ...record, record: "eslimage.v1", worker: "merger", inputs: [`renderedimage.v1 ${link}#${rev}`], moved: [] },
    ],
    positions: [
      {
        displayPosition: 0,
        link: { status: "ACTIVE", itemId: "4711", linkedItemId: "4711", origin: "studio", rev, changedAt },
        item: {
          itemId: "4711",
          itemName: "Apple juice 1 l",
          price: "1.79",
          isThere: true,
          rev: newRev,
          changedAt: "2026-03-02 09:02:11",
          nextScheduled: null,
        },
        design: {
          chosenBy: "forced design",
          designId: "t/demo/designs/regular-296x128",
          scenario: null,
          canvasId: "t/demo/canvasdesigns/regular-296x128",
          canvasRev: rev,
        },
        trace: null,
        fault: null,
        errors: [],
        warnings: [],
        records: [
          { ...record, inputs: [`storeitemvalues.v1 ${item}#${rev}`], moved: [`storeitemvalues.v1 ${item}#${rev}`] },
        ],
      },
    ],
  };
}
