import type { Inbox } from "../../records/outbox/inbox.ts";
import type { Change, Topic } from "../../schemas/topics.ts";

interface Dependencies {
  inbox: Inbox;
  /**
   * The queue's handlers. A key that fails individually is recorded as a dead letter; they throw if the database is
   * unreachable.
   */
  handle(topic: Topic, changes: readonly Change[]): Promise<unknown>;
}

const ENTRIES_PER_POLL = 50;
const LEASE_MS = 60_000;

/**
 * Passes inbox entries to the handlers. An entry is removed after it is handled (at-least-once): if the process is killed in
 * between, its deliveries are stored again and may be sent twice, under the same event id.
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
