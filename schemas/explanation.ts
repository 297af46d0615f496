import { type Static, type TSchema, Type } from "typebox";
import { DrawingNotice } from "./drawing-notice.ts";
import { explanationExample } from "./explanation-example.ts";
import { DrawingFault } from "./image.ts";
import { PlState } from "./label.ts";
import { LinkStatus } from "./link.ts";
import { known } from "./text.ts";
import { PackTrace } from "./trial.ts";

/** The possible causes, most serious first: the first that applies is reported as the cause. */
export const causes = {
  STAGE_FAILS: "a worker cannot process one of its records and retries",
  REDIS_AWAY: "Redis cannot be reached, so workers receive no jobs",
  REDIS_FULL: "Redis is out of memory, so jobs wait in MongoDB",
  PROCESS_MISSING: "no process of the next worker is running",
  GATEWAY_OFFLINE: "the store's gateway has no connection to its broker",
  LABEL_SERVER_AWAY: "the label server does not respond",
  LABEL_SERVER_DENIES: "the label server rejects Shelfwire's secret",
  LABEL_OFFLINE: "the label has not been heard from for a long time",
  GIVEN_UP: "the label did not report, or its label server rejected the picture; attempts are now less frequent",
  REQUEST_WAITS: "an accepted request that names the label or its item has not been applied yet",
  STAGE_WAITS: "a worker has not processed the latest change yet",
  ON_ITS_WAY: "the picture has been sent but not acknowledged yet",
  PICTURE_FAULT: "the picture could not be drawn",
  LINK_SWITCHED_OFF: "the link was set to INACTIVE",
  ITEM_MISSING: "the linked item does not exist",
  NOT_LINKED: "no item is linked to the label",
  LABEL_QUIET:
    "it had the newest picture when it was last heard from, which was long ago; its label server does not report check-ins",
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
const Rev = Type.Integer({ description: "Rev of the record: the time of its last write in milliseconds" });
const orNull = <S extends TSchema>(schema: S, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const Wait = Type.Object(
  {
    cause: Cause,
    reason: text("What is waiting and for what, as the end of a sentence"),
    since: known(time("When the wait began; null if unknown")),
    until: known(time("Time of the next retry; null if none is scheduled")),
  },
  { title: "Wait" },
);
export type Wait = Static<typeof Wait>;

/** A record that a picture is derived from, or the picture. */
const DerivedRecord = Type.Object(
  {
    record: text("Kind of record"),
    worker: text("The worker that derives it"),
    rev: orNull(Rev, "Time of its last write in milliseconds; null if the record does not exist yet"),
    changedAt: known(time("Time of the last write")),
    image: known(text("SHA-256 of the record's picture; null if it has none")),
    inputs: Type.Array(Type.String(), { description: "The records from which it was derived: kind, key and rev" }),
    moved: Type.Array(Type.String(), { description: "The inputs that have a newer rev by now" }),
  },
  { title: "DerivedRecord" },
);
export type DerivedRecord = Static<typeof DerivedRecord>;

const ShownDesign = Type.Object(
  {
    chosenBy: Type.Enum(
      ["forced design", "designer link", "ECC model", "campaign", "store-level link", "scenario", "nothing"],
      {
        description: "What determined the design",
      },
    ),
    designId: known(text("Full key of the design, or the ECC model; null if there is none")),
    scenario: known(text("Name of the scenario that applies")),
    canvasId: known(text("Full key of the canvas that is drawn")),
    canvasRev: orNull(Rev, "Rev of the canvas; null if there is none"),
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
        origin: text("What determines the design: studio (the rules), designer or ecc"),
        rev: Rev,
        changedAt: time("Time of the last change"),
      }),
      "The link at this position; null if there is none",
    ),
    item: orNull(
      Type.Object({
        itemId: Type.String(),
        itemName: known(Type.String()),
        price: known(Type.String()),
        isThere: Type.Boolean({ description: "False if the item was deleted" }),
        rev: Rev,
        changedAt: time("Time of the last change"),
        nextScheduled: known(time("Time of the next scheduled update")),
        campaign: orNull(
          Type.Object({
            campaignId: text("Id of the campaign"),
            regularPrice: known(Type.String({ description: "The price that applies again when the campaign ends" })),
          }),
          "The campaign whose price the item shows; null if there is none",
        ),
      }),
      "The linked item; null if there is none",
    ),
    design: orNull(ShownDesign, "The design that is drawn, and what determined it; null if nothing is linked"),
    trace: orNull(PackTrace, "How the rules choose the design; null if the rules are not used"),
    fault: orNull(DrawingFault, "Why the position could not be drawn; null if it could"),
    errors: Type.Array(Type.String(), {
      description: "Invalid elements that were left out of the picture",
    }),
    warnings: Type.Array(Type.String(), {
      description: "Elements drawn differently from the design or item",
    }),
    notices: Type.Optional(
      Type.Array(DrawingNotice, {
        description:
          "The errors and then the warnings by their codes; absent from a picture that an earlier release drew",
      }),
    ),
    records: Type.Array(DerivedRecord, { description: "The records from the link to its picture" }),
  },
  { title: "ExplainedPosition" },
);
export type ExplainedPosition = Static<typeof ExplainedPosition>;

const image = text("SHA-256 of the picture's pixels");
const transmission = Type.Integer({ description: "Transmission number" });

/** Explains what a label shows and why. */
export const LabelExplanation = Type.Object(
  {
    barcode: Type.String(),
    modelName: Type.String(),
    labelType: Type.Integer({ description: "Label type, taken from the barcode" }),
    plState: PlState,
    cause: Cause,
    summary: text("What the label shows, since when, and why"),
    sentences: Type.Array(Type.String(), {
      description: "The full explanation; the first sentence is the summary",
    }),
    waits: Type.Array(Wait, { description: "The causes that apply, most serious first; the first one is `cause`" }),
    glass: Type.Array(
      Type.Object({
        page: Type.Integer(),
        image,
        since: time("When the label server reported the acknowledgement"),
        isWanted: Type.Boolean({
          description:
            "Whether this is the newest picture that was drawn; false until the label acknowledges a newer one that was sent",
        }),
        isUploaded: Type.Boolean({
          description: "Whether it is an uploaded image of the item, which may show any price",
        }),
        items: orNull(
          Type.Array(
            Type.Object({
              itemId: Type.String(),
              price: known(text("Price when the picture was drawn; null if there was none, or for an uploaded image")),
              rev: Rev,
            }),
          ),
          "The items in the picture, as they were when it was drawn; empty for the background, null if unknown",
        ),
      }),
      { description: "What the label has acknowledged, by page" },
    ),
    onItsWay: orNull(
      Type.Object({
        page: Type.Integer(),
        image,
        transmission,
        tries: Type.Integer({ description: "Number of transmissions so far" }),
        since: time("Time of the first transmission"),
        sentAgain: known(time("Time of the next transmission, unless it is acknowledged first")),
      }),
      "The picture that was sent but is not acknowledged yet; null if there is none",
    ),
    fault: orNull(DrawingFault, "Why the label shows its background instead; null if it does not"),
    lastSeen: known(time("When the label was last heard from")),
    withheld: Type.Array(
      Type.Object({
        what: text("What is left out of the response"),
        scopes: Type.Array(Type.String(), { description: "The scopes that the token lacks" }),
      }),
      { description: "What the token may not read; empty if it may read everything" },
    ),
    records: Type.Array(DerivedRecord, { description: "The label's composed picture" }),
    positions: Type.Array(ExplainedPosition, { description: "Its display positions" }),
  },
  { title: "LabelExplanation", examples: [explanationExample()] },
);
export type LabelExplanation = Static<typeof LabelExplanation>;
