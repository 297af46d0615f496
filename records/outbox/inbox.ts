import { randomUUID } from "node:crypto";
import type { Db } from "mongodb";
import type { Change, Topic } from "../../schemas/topics.ts";
import { dueAtOnce, takeDue } from "./take-due.ts";

/** Changes that were published together and that a subscription matches. */
export interface InboxEntry {
  _id: string;
  topic: Topic;
  changes: Change[];
}

/** Changes for the notifier, which turns them into deliveries. They are stored in MongoDB: no event depends on Redis. */
export interface Inbox {
  add(topic: Topic, changes: readonly Change[]): Promise<void>;
  /** Leases the oldest entries for the given milliseconds. */
  take(limit: number, milliseconds: number): Promise<InboxEntry[]>;
  /** Removes an entry whose deliveries are stored. */
  remove(id: string): Promise<void>;
}

interface InboxDocument {
  _id: string;
  topic: Topic;
  changes: string;
  since: Date;
  due: Date;
}

export function openInbox(db: Db, now: () => Date): Inbox {
  // Changes are stored as one string, as in the outbox: no query reads a single change.
  const entries = db.collection<InboxDocument>("inbox");
  return {
    async add(topic, changes) {
      const since = now();
      await entries.insertOne({
        _id: randomUUID(),
        topic,
        changes: JSON.stringify(changes),
        since,
        due: dueAtOnce(since),
      });
    },

    async take(limit, milliseconds) {
      const taken = await takeDue(entries, {}, limit, { now, milliseconds });
      return taken.map(({ _id, topic, changes }) => ({ _id, topic, changes: JSON.parse(changes) as Change[] }));
    },

    async remove(id) {
      await entries.deleteOne({ _id: id });
    },
  };
}
