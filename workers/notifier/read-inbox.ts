import type { Inbox } from "../../records/outbox/inbox.ts";
import type { Change, Topic } from "../../schemas/topics.ts";

interface Dependencies {
  inbox: Inbox;
  /** The queue's handlers. A key that fails alone is recorded by them; it throws where the database is away. */
  handle(topic: Topic, changes: readonly Change[]): Promise<unknown>;
}

const ENTRIES_PER_POLL = 50;
const LEASE_MS = 60_000;

/**
 * Hands what the inbox holds to the handlers. An entry is removed behind them: killed in between, its events are kept
 * once more, and those that were delivered by then are delivered twice, under the same id.
 */
export function createReadInbox({ inbox, handle }: Dependencies): () => Promise<void> {
  return async () => {
    for (;;) {
      const entries = await inbox.take(ENTRIES_PER_POLL, LEASE_MS);
      for (const { _id, topic, changes } of entries) {
        await handle(topic, changes);
        await inbox.remove(_id);
      }
      if (entries.length < ENTRIES_PER_POLL) return;
    }
  };
}
