import { randomUUID } from "node:crypto";
import type { Db } from "mongodb";
import type { Change, Topic } from "../../schemas/topics.ts";

/** Changes that were published together and that a subscription matches. */
export interface InboxEntry {
  _id: string;
  topic: Topic;
  changes: Change[];
}

/** Changes for the notifier, which makes deliveries of them. They are in MongoDB: no event depends on Redis. */
export interface Inbox {
  add(topic: Topic, changes: readonly Change[]): Promise<void>;
  /** Takes a lease of so many milliseconds on the oldest entries. */
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
  // Changes are stored as one text, as in the outbox: no query reads a single change.
  const entries = db.collection<InboxDocument>("inbox");
  return {
    async add(topic, changes) {
      const since = now();
      await entries.insertOne({ _id: randomUUID(), topic, changes: JSON.stringify(changes), since, due: since });
    },

    async take(limit, milliseconds) {
      const found = await entries
        .find({ due: { $lte: now() } })
        .sort({ since: 1 })
        .limit(limit)
        .toArray();
      const until = new Date(now().getTime() + milliseconds);
      const taken = await Promise.all(
        found.map(async ({ _id, due, topic, changes }) => {
          const { matchedCount } = await entries.updateOne({ _id, due }, { $set: { due: until } });
          return matchedCount === 1 ? [{ _id, topic, changes: JSON.parse(changes) as Change[] }] : [];
        }),
      );
      return taken.flat();
    },

    async remove(id) {
      await entries.deleteOne({ _id: id });
    },
  };
}
