import { stopSequence } from "../../domain/labels/advance-sequence.ts";
import type { FlashToQueue } from "../../queues/orders/enqueue-orders.ts";
import { type FlashSequence, FlashStop, FlashStopAnswer } from "../../schemas/flash-sequence.ts";
import type { Stored } from "../../schemas/record.ts";
import { route } from "../http/route.ts";
import { type ActionFacts, interleaveByTransceivers } from "./action-rules.ts";
import type { FlashSequencesWorld } from "./flash-sequences.ts";
import { judgeFlash } from "./judge-flash.ts";
import type { QueueOrders } from "./queue-orders.ts";

export interface FlashStopWorld
  extends Pick<FlashSequencesWorld, "readActionFacts" | "changeSequence" | "databaseNow" | "now" | "offlineAfterMs"> {
  /** Barcodes of a store's labels that may be flashing. */
  readFlashing(store: string): Promise<string[]>;
  /** Reads the sequences that are running in a store. */
  readRunning(store: string): Promise<Pick<Stored<FlashSequence>, "_id">[]>;
  queueOrders: QueueOrders;
}

/** Stops the flashing in a store (docs/integrators/labels.md#flash-sequences). */
export const flashStop = (world: FlashStopWorld) => {
  const { readFlashing, readRunning, readActionFacts, changeSequence, queueOrders, databaseNow } = world;

  async function stopSequences(store: string): Promise<number> {
    const running = await readRunning(store);
    const stop = (current: FlashSequence | undefined) => current && stopSequence(current, databaseNow());
    const stopped = await Promise.all(running.map(({ _id }) => changeSequence(_id, stop)));
    return stopped.filter((one) => one !== undefined).length;
  }

  return [
    route({
      method: "POST",
      path: "/flash/stop",
      operationId: "stopFlashes",
      summary: "Stop all flashing and flash sequences in the store, or the flashing of some labels",
      scope: "labels:write",
      body: FlashStop,
      isBodyOptional: true,
      answers: { 200: FlashStopAnswer },
      handle: async ({ store, settings, body: { barcodes: named } = {} }) => {
        // Stops the sequences first, so that none of them lights its next step afterwards.
        const sequences = named ? 0 : await stopSequences(store);
        const barcodes = [...new Set(named ?? (await readFlashing(store)))];
        const facts = await readActionFacts(store, barcodes);
        const clock = { now: world.now(), offlineAfterMs: world.offlineAfterMs };
        const context = { departments: settings.linkDepartments, clock };
        const orders = barcodes.flatMap((barcode, index) => orderOf(store, barcode, facts[index], context));
        await queueOrders("flash", interleaveByTransceivers(orders), { urgency: "interactive" });
        return { status: 200, body: { labels: orders.length, sequences } };
      },
    }),
  ];
};

/** The order that stops a label's flash; empty for a label that cannot flash or be reached. */
function orderOf(
  store: string,
  barcode: string,
  facts: ActionFacts | undefined,
  context: Parameters<typeof judgeFlash>[2],
): FlashToQueue[] {
  if (facts === undefined) return [];
  const { result, to, flash: body } = judgeFlash(facts, { duration: 0 }, context);
  return result === "OK" ? [{ store, barcode, priority: "high", ...to, body }] : [];
}
