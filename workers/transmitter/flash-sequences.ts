import { advanceSequence, afterOrders, nextStep, type PressOf } from "../../domain/labels/advance-sequence.ts";
import type { Commit } from "../../queues/changes/commit.ts";
import type { DrawNumber, EnqueueOrders, FlashToQueue } from "../../queues/orders/enqueue-orders.ts";
import { flashSequences } from "../../records/kinds/work.ts";
import { readLastPresses } from "../../records/labels/last-presses.ts";
import type { RunningSequences } from "../../records/labels/running-sequences.ts";
import type { Records } from "../../records/records.ts";
import type { FlashSequence } from "../../schemas/flash-sequence.ts";
import { labelKey, storeOf } from "../../schemas/keys.ts";
import type { Stored } from "../../schemas/record.ts";

interface Dependencies {
  records: Pick<Records, "read" | "readFields">;
  commit: Commit;
  running: RunningSequences;
  drawNumber: DrawNumber;
  enqueueOrders: EnqueueOrders;
  /** By the database's clock, since several processes compare due times. */
  now(): Date;
}

const SEQUENCES_PER_POLL = 100;

/**
 * Advances flash sequences (docs/decisions/transmission/flash-sequences.md). A sequence's record contains everything that remains
 * to be done. If a process is killed, another continues the sequence when it is due.
 */
export function createFlashSequences({ records, commit, running, drawNumber, enqueueOrders, now }: Dependencies) {
  /** Reads the last presses of the labels in each sequence's current and next step. */
  async function readPresses(sequences: readonly Stored<FlashSequence>[]): Promise<(key: string) => PressOf> {
    const keys = sequences.flatMap((sequence) => {
      const { _id, steps, step } = sequence;
      const labels = [steps[step], steps[nextStep(sequence, step + 1)]].flatMap((one) => one?.labels ?? []);
      return labels.map(({ barcode }) => labelKey(storeOf(_id), barcode));
    });
    const pressOf = await readLastPresses(records, keys);
    return (key) => (barcode) => pressOf(labelKey(storeOf(key), barcode));
  }

  async function sendOrders(sequence: Stored<FlashSequence>, number: number | undefined): Promise<void> {
    // If Redis is unreachable, the orders are sent when the sequence is due again.
    if (number === undefined) return;
    if (!(await enqueueOrders("flash", ordersOf(sequence), { urgency: "interactive", number }))) return;
    const decide = (_: string, current: FlashSequence | undefined) => current && afterOrders(current, sequence, now());
    await commit.change(flashSequences, [sequence._id], decide, "interactive");
  }

  async function continueSequences(keys: readonly string[]): Promise<void> {
    for (let open = keys; open.length > 0; ) {
      const present = await records.read(flashSequences, open);
      const pressesOf = await readPresses([...present.values()]);
      const decisions = [...present].flatMap(([key, current]) => {
        const body = advanceSequence(current, pressesOf(key), now());
        return body === undefined ? [] : [{ key, current, body }];
      });
      // Reserved before the write: a process that stops or advances the sequence after the write reserves a larger number, so
      // its orders count even if the orders of this step are sent last.
      const numbers = new Map<string, number | undefined>();
      for (const { key } of decisions) numbers.set(key, await drawNumber());
      const { written, lost } = await commit.write(flashSequences, decisions, "interactive");
      for (const sequence of written) await sendOrders(sequence, numbers.get(sequence._id));
      open = lost;
    }
  }

  return {
    continueSequences,

    /** Continues the sequences whose current step includes one of these labels. */
    async continuePressed(labelKeys: readonly string[]): Promise<void> {
      if (labelKeys.length === 0) return;
      const pressed = new Set(labelKeys);
      const found = await Promise.all([...new Set(labelKeys.map(storeOf))].map(running.of));
      const waiting = found
        .flat()
        .filter(({ _id, steps, step }) =>
          steps[step]?.labels.some(({ barcode }) => pressed.has(labelKey(storeOf(_id), barcode))),
        );
      await continueSequences(waiting.map(({ _id }) => _id));
    },

    continueDue: async (): Promise<void> => continueSequences(await running.due(now(), SEQUENCES_PER_POLL)),
  };
}

/** Returns the orders for a sequence: the end of flashing for labels of earlier steps, and the flashes of the current step. */
function ordersOf({ _id, steps, step, state, litAt, toStop }: Stored<FlashSequence>): FlashToQueue[] {
  const known = new Map(steps.flatMap(({ labels }) => labels).map((label) => [label.barcode, label]));
  const stopped = toStop.flatMap((barcode) => known.get(barcode) ?? []);
  const lit = state === "running" && litAt === undefined ? (steps[step]?.labels ?? []) : [];
  return [...stopped.map((label) => ({ ...label, flash: { ...label.flash, duration: 0 } })), ...lit].map(
    ({ barcode, transceivers, device, flash }) => ({
      store: storeOf(_id),
      barcode,
      priority: "high",
      transceivers,
      ...(device !== undefined && { device }),
      body: flash,
    }),
  );
}
