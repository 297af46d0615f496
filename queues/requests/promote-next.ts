import type { Journal } from "../../records/requests/journal.ts";
import type { Numbers } from "../../records/requests/numbers.ts";
import type { Publisher } from "../publish/publisher.ts";
import { queueOfJob } from "../topology.ts";
import { chunkJobId } from "./chunk-jobs.ts";

interface Dependencies {
  journal: Journal;
  numbers: Numbers;
  publisher: Publisher;
  onError(error: Error): void;
}

/**
 * Promotes the delayed job of a store's next request, whose turn has come, so that it does not wait for the rest of its
 * delay. Best effort: a job that is not promoted runs when its delay is over.
 */
export function createPromoteNext({ journal, numbers, publisher, onError }: Dependencies) {
  async function promoteNext(store: string): Promise<void> {
    const next = (await numbers.settledThrough(store)) + 1;
    const chunk = (await journal.readRequest(store, next)).find(({ open }) => open);
    if (chunk === undefined || !publisher.isReady()) return;
    const job = await publisher.queue(queueOfJob(chunk.operation)).getJob(chunkJobId(chunk));
    if (await job?.isDelayed()) await job?.promote();
  }

  return (store: string): Promise<void> => promoteNext(store).catch(onError);
}
