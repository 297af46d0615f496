import type { Journal } from "../../records/requests/journal.ts";
import type { Numbers } from "../../records/requests/numbers.ts";
import { chunkJobId } from "../changes/sweep.ts";
import type { Publisher } from "../publish/publisher.ts";
import { queueOfJob } from "../topology.ts";

interface Dependencies {
  journal: Journal;
  numbers: Numbers;
  publisher: Publisher;
  onError(error: Error): void;
}

/**
 * Wakes the request of a store whose turn has come: its job waits with growing delay, and need not wait that long. It
 * is only a nudge; a job that is not woken comes by itself.
 */
export function createPromoteNext({ journal, numbers, publisher, onError }: Dependencies) {
  async function promoteNext(store: string): Promise<void> {
    const next = (await numbers.settledThrough(store)) + 1;
    const chunk = (await journal.readRequest(store, next)).find(({ open }) => open);
    if (chunk === undefined || !publisher.isReady()) return;
    const job = await publisher.queue(queueOfJob(chunk.operation)).getJob(chunkJobId(chunk._id, chunk.generation));
    if (await job?.isDelayed()) await job?.promote();
  }

  return (store: string): Promise<void> => promoteNext(store).catch(onError);
}
