import type { Outbox } from "../../records/outbox/inbox.ts";
import type { Change, Topic } from "../../schemas/topics.ts";

interface Dependencies {
  outbox: Outbox;
  /** The queue's handlers. A key that fails alone is recorded by them; it throws where the database is away. */
  handle(topic: Topic, changes: readonly Change[]): Promise<unknown>;
}

const ENTRIES_A_LOOK = 50;
const TAKEN_FOR_MS = 60_000;

/**
 * Hands what the outbox holds to the handlers. An entry is removed behind them: killed in between, its events are kept
 * once more, and those that were delivered by then are delivered twice, under the same id.
 */
export function createFeed({ outbox, handle }: Dependencies): () => Promise<void> {
  return async () => {
    for (;;) {
      const entries = await outbox.take(ENTRIES_A_LOOK, TAKEN_FOR_MS);
      for (const { _id, topic, changes } of entries) {
        await handle(topic, changes);
        await outbox.remove(_id);
      }
      if (entries.length < ENTRIES_A_LOOK) return;
    }
  };
}
