import { OlderRecordError } from "../../records/announced-revs.ts";
import type { Inbox } from "../../records/outbox/inbox.ts";
import type { Change, Topic } from "../../schemas/topics.ts";

interface Dependencies {
  inbox: Inbox;
  /**
   * The queue's handlers. A key that fails individually is recorded as a dead letter; the handlers throw if the database is
   * unreachable, or if it returns a record that is older than its change.
   */
  handle(topic: Topic, changes: readonly Change[]): Promise<unknown>;
}

const ENTRIES_PER_POLL = 50;
const LEASE_MS = 60_000;

/**
 * Passes inbox entries to the handlers. An entry is removed after it is handled (at-least-once): if the process is killed in
 * between, its deliveries are stored again and may be sent twice, under the same event id. An entry with a change whose record is
 * still older is taken again after its lease. Its error is thrown last, so that it does not hold up other entries.
 */
export function createReadInbox({ inbox, handle }: Dependencies): () => Promise<void> {
  return async () => {
    const older: OlderRecordError[] = [];
    for (;;) {
      const entries = await inbox.take(ENTRIES_PER_POLL, LEASE_MS);
      for (const { _id, topic, changes } of entries)
        try {
          await handle(topic, changes);
          await inbox.remove(_id);
        } catch (error) {
          if (!(error instanceof OlderRecordError)) throw error;
          older.push(error);
        }
      if (entries.length < ENTRIES_PER_POLL) break;
    }
    if (older[0]) throw older[0];
  };
}
