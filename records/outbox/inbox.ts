import { randomUUID } from "node:crypto";
import type { Db } from "mongodb";
import type { Change, Topic } from "../../schemas/topics.ts";

/** Changes that were made together, and that somebody has subscribed to. */
export interface InboxEntry {
  _id: string;
  topic: Topic;
  changes: Change[];
}

/** What the notifier has not looked at yet. It is kept in MongoDB: nothing that observers must hear of depends on Redis. */
export interface Inbox {
  add(topic: Topic, changes: readonly Change[]): Promise<void>;
  /** Takes the oldest entries for so many milliseconds: nobody else takes them meanwhile. */
  take(limit: number, milliseconds: number): Promise<InboxEntry[]>;
  /** This one is done with. */
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
  // As one text, like the notes of unpublished changes: nobody asks the server about one of them.
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
