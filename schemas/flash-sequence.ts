import { type Static, Type } from "typebox";
import { Flash, flashFields } from "./flash.ts";
import { ItemId } from "./item.ts";
import { clearless, identifier, known } from "./text.ts";

const MAX_STEPS = 100;
/** Maximum number of labels in a step that names an item. */
export const MAX_LABELS_OF_STEP = 16;
/** Maximum number of sequences that run in a store at the same time. */
export const MAX_RUNNING = 100;
const MAX_STEP_SECONDS = 1800;
const MAX_STOPPED = 1000;

const barcode = identifier(64, "Barcode of the label");
const SequenceId = identifier(64, "Id of the sequence, from the response that started it");

const advance = { description: "Whether a step ends when a button of its label is pressed, or after its duration" };
const Advance = Type.Enum(["button", "time"], advance);

/** A step as a caller requests it: a label, or an item whose labels flash together. */
const StepOrder = Type.Object(
  {
    barcode: Type.Optional(barcode),
    itemId: Type.Optional(ItemId),
    duration: clearless(
      Type.Integer({
        minimum: 1,
        maximum: MAX_STEP_SECONDS,
        default: 60,
        description: "How long the label flashes, in seconds; the step ends then unless a press ends it earlier",
      }),
    ),
    color: flashFields.color,
    flashType: flashFields.flashType,
  },
  { title: "FlashStep", description: "Names either a label or an item" },
);
export type StepOrder = Static<typeof StepOrder>;

/** Body of POST /flash/sequence. */
export const FlashSequenceOrder = Type.Object(
  {
    steps: Type.Array(StepOrder, { minItems: 1, maxItems: MAX_STEPS, description: "The steps, in order" }),
    advance: Type.Optional(
      Type.Unsafe<"button" | "time" | null>({ ...advance, enum: ["button", "time", null], default: "button" }),
    ),
  },
  { title: "FlashSequenceOrder" },
);

/** A label of a step, with the values that its flash needs. */
const StepLabel = Type.Object({
  barcode: Type.String(),
  hasButton: Type.Boolean(),
  transceivers: Type.Array(Type.String()),
  device: Type.Optional(Type.String()),
  flash: Flash,
  /** The label's last press before the step began: only later presses count. */
  pressedBefore: Type.Optional(Type.Unsafe<Date>({})),
});
export type StepLabel = Static<typeof StepLabel>;

const stepResults = ["pressed", "timed out", "time over", "skipped", "stopped"] as const;
const ofResults = {
  description:
    "How the step ended. pressed: a button was pressed. timed out: nobody pressed a button. time over: after its duration, as requested or because its label has no button. " +
    "skipped: none of its labels can flash or be reached. stopped: a call stopped it. null: it has not ended",
};

const date = Type.Unsafe<Date>({});

const Step = Type.Object({
  barcode: Type.Optional(Type.String()),
  itemId: Type.Optional(Type.String()),
  /** Labels that can flash and be reached; a step without any is skipped. */
  labels: Type.Array(StepLabel),
  result: Type.Optional(Type.Enum(stepResults)),
  endedAt: Type.Optional(date),
  /** The press that ended the step, with its time by the label server's clock. */
  pressed: Type.Optional(Type.Object({ barcode: Type.String(), button: Type.Integer(), at: date })),
});
export type Step = Static<typeof Step>;

const State = Type.Enum(["running", "finished", "stopped"], { description: "State of the sequence" });

/** flashsequence.v1: labels that flash one after the other (docs/decisions/transmission/flash-sequences.md). */
export const FlashSequence = Type.Object({
  advance: Advance,
  state: State,
  createdAt: date,
  endedAt: Type.Optional(date),
  steps: Type.Array(Step),
  /** Index of the current step, at which a stopped sequence remains; the number of steps once the sequence is finished. */
  step: Type.Integer(),
  /** When the flash of the step was ordered; absent until then. */
  litAt: Type.Optional(date),
  /** Barcodes of labels that are to stop flashing. */
  toStop: Type.Array(Type.String()),
  /** When the next action is due: sending orders, or ending the step. Absent once nothing is left to do. */
  due: Type.Optional(date),
});
export type FlashSequence = Static<typeof FlashSequence>;

const time = (description: string) => known(Type.String({ description }));

/** A sequence in a response. */
export const FlashSequenceAnswer = Type.Object(
  {
    sequenceId: Type.String({ description: "Id of the sequence" }),
    state: State,
    advance: Advance,
    createdAt: Type.String({ description: "When it was started" }),
    endedAt: time("When it ended; null while it runs"),
    step: known(Type.Integer({ description: "Index of the current step, from 0; null once the sequence has ended" })),
    steps: Type.Array(
      Type.Object({
        barcode: known(Type.String({ description: "Barcode of the label, if the step names one" })),
        itemId: known(Type.String({ description: "Id of the item, if the step names one" })),
        barcodes: Type.Array(Type.String(), { description: "The labels that flash; empty if none can be reached" }),
        result: Type.Unsafe<Step["result"] | null>({ enum: [...stepResults, null], ...ofResults }),
        endedAt: time("When the step ended"),
        pressed: known(
          Type.Object(
            {
              barcode: Type.String(),
              button: Type.Integer({ description: "Number of the button" }),
              time: Type.String({ description: "By the label server's clock", examples: ["2026-03-02 08:15:30"] }),
            },
            { description: "The press that ended the step" },
          ),
        ),
      }),
      { description: "The steps, in order" },
    ),
  },
  { title: "FlashSequence" },
);
export type FlashSequenceAnswer = Static<typeof FlashSequenceAnswer>;

export const SequencePath = Type.Object({ sequenceId: SequenceId });

/** Body of POST /flash/stop. */
export const FlashStop = Type.Object(
  {
    barcodes: clearless(
      Type.Array(barcode, {
        minItems: 1,
        maxItems: MAX_STOPPED,
        description: "Only these labels stop; no sequence ends",
      }),
    ),
  },
  {
    title: "FlashStop",
    description: "What stops flashing: the named labels, or everything in the store with all its sequences",
  },
);

export const FlashStopAnswer = Type.Object(
  {
    labels: Type.Integer({ minimum: 0, description: "Labels that were ordered to stop flashing" }),
    sequences: Type.Integer({ minimum: 0, description: "Sequences that were stopped" }),
  },
  { title: "FlashStopped" },
);
