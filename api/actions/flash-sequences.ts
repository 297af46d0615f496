import { randomUUID } from "node:crypto";
import { Type } from "typebox";
import { beginSequence, nextStep, type PressOf, stopSequence } from "../../domain/labels/advance-sequence.ts";
import {
  type FlashSequence,
  FlashSequenceAnswer,
  FlashSequenceOrder,
  MAX_RUNNING,
  SequencePath,
} from "../../schemas/flash-sequence.ts";
import { flashSequenceKey, idOf } from "../../schemas/keys.ts";
import type { Stored } from "../../schemas/record.ts";
import { createDateText } from "../http/date-text.ts";
import { ProblemError } from "../http/problem-error.ts";
import { route } from "../http/route.ts";
import { shownAs } from "../labels/list-labels.ts";
import type { FlashFacts } from "./flash.ts";
import { createSequenceSteps } from "./sequence-steps.ts";

export interface FlashSequencesWorld extends FlashFacts {
  /** Counts the sequences that are running in a store. */
  countSequences(store: string): Promise<number>;
  readSequence(key: string): Promise<Stored<FlashSequence> | undefined>;
  /** Writes the decision about a sequence; returns the sequence if it changed. */
  changeSequence(
    key: string,
    decide: (current: FlashSequence | undefined) => FlashSequence | undefined,
  ): Promise<Stored<FlashSequence> | undefined>;
  /** Reads the labels' last button presses. */
  readPresses(store: string, barcodes: readonly string[]): Promise<PressOf>;
  /** The database's current time. */
  databaseNow(): Date;
}

const query = Type.Object({ serializeDatesToIso8601: shownAs.serializeDatesToIso8601 });

/** Operations that flash labels one after the other, for picking (docs/integrators/labels.md#flash-sequences). */
export const flashSequences = (world: FlashSequencesWorld) => {
  const { countSequences, readSequence, changeSequence, readPresses, databaseNow } = world;
  const stepsOf = createSequenceSteps(world);

  async function find(store: string, sequenceId: string): Promise<Stored<FlashSequence>> {
    const found = await readSequence(flashSequenceKey(store, sequenceId));
    if (found === undefined) throw new ProblemError("not-found", `The flash sequence "${sequenceId}" does not exist.`);
    return found;
  }

  const answer = (sequence: Stored<FlashSequence>, { timeZone }: { timeZone: string }, isIso = false) => ({
    status: 200,
    body: sequenceAnswer(sequence, createDateText(timeZone, isIso)),
  });

  return [
    route({
      method: "POST",
      path: "/flash/sequence",
      operationId: "startFlashSequence",
      summary: "Flash labels one after the other, each until its button is pressed or its time is over",
      scope: "labels:write",
      query,
      body: FlashSequenceOrder,
      answers: { 200: FlashSequenceAnswer },
      problems: ["conflict"],
      handle: async ({ store, settings, body: { steps: ordered, advance }, query }) => {
        const steps = await stepsOf({ store, settings }, ordered);
        if ((await countSequences(store)) >= MAX_RUNNING) throw tooManyRun();
        const first = steps[nextStep({ steps }, 0)]?.labels ?? [];
        const pressOf = await readPresses(
          store,
          first.map(({ barcode }) => barcode),
        );
        const begun = beginSequence({ advance: advance ?? "button", steps }, pressOf, databaseNow());
        const key = flashSequenceKey(store, randomUUID());
        const written = await changeSequence(key, (current) => (current ? undefined : begun));
        return answer(written ?? (await find(store, idOf(key))), settings, query.serializeDatesToIso8601);
      },
    }),

    route({
      method: "GET",
      path: "/flash/sequences/:sequenceId",
      operationId: "getFlashSequence",
      summary: "Show the progress of a flash sequence",
      scope: "labels:read",
      params: SequencePath,
      query,
      answers: { 200: FlashSequenceAnswer },
      problems: ["not-found"],
      handle: async ({ store, settings, params: { sequenceId }, query }) =>
        answer(await find(store, sequenceId), settings, query.serializeDatesToIso8601),
    }),

    route({
      method: "DELETE",
      path: "/flash/sequences/:sequenceId",
      operationId: "stopFlashSequence",
      summary: "Stop a flash sequence, and the flash of its current step",
      scope: "labels:write",
      params: SequencePath,
      query,
      answers: { 200: FlashSequenceAnswer },
      problems: ["not-found"],
      handle: async ({ store, settings, params: { sequenceId }, query }) => {
        const key = flashSequenceKey(store, sequenceId);
        await changeSequence(key, (current) => current && stopSequence(current, databaseNow()));
        return answer(await find(store, sequenceId), settings, query.serializeDatesToIso8601);
      },
    }),
  ];
};

const tooManyRun = () =>
  new ProblemError(
    "conflict",
    `The store already runs ${MAX_RUNNING} flash sequences. Stop one, or wait until one ends.`,
  );

function sequenceAnswer(sequence: Stored<FlashSequence>, dateText: (date: Date) => string): FlashSequenceAnswer {
  const { _id, state, advance, createdAt, endedAt, step, steps } = sequence;
  const timeOf = (date: Date | undefined) => (date ? dateText(date) : null);
  return {
    sequenceId: idOf(_id),
    ...{ state, advance, createdAt: dateText(createdAt), endedAt: timeOf(endedAt) },
    step: state === "running" ? step : null,
    steps: steps.map(({ barcode, itemId, labels, result, endedAt: stepEndedAt, pressed }) => ({
      barcode: barcode ?? null,
      itemId: itemId ?? null,
      barcodes: labels.map((label) => label.barcode),
      result: result ?? null,
      endedAt: timeOf(stepEndedAt),
      pressed: pressed ? { barcode: pressed.barcode, button: pressed.button, time: dateText(pressed.at) } : null,
    })),
  };
}
