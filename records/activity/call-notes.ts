import { randomUUID } from "node:crypto";
import type { Db } from "mongodb";
import type { ActivityContent } from "../../schemas/activity.ts";
import type { Actor } from "../../schemas/actor.ts";
import { callNoteKey, keysUnder, ownerOf } from "../../schemas/keys.ts";

/** A call that changes something without a journaled request. */
export interface CallNote {
  actor: Actor;
  operation: string;
  call?: string;
  names: Readonly<Record<string, string>>;
  fields: readonly string[];
}

type StoredNote = CallNote & { _id: string; at: Date; status?: "DONE" | "FAILED" };

/**
 * Calls to be added to the activity log. A call is recorded before it takes effect, or when it ends if its status is passed.
 * Its note is kept until the call has been logged.
 */
export interface CallNotes {
  /** Records a call to a store's or a tenant's interface; its status is unknown until it ends. Returns the note's key. */
  begin(owner: string, note: CallNote, status?: "DONE"): Promise<string>;
  end(key: string, status: "DONE" | "FAILED"): Promise<void>;
  /** Deletes the notes of calls that changed nothing, or that have been logged. */
  drop(keys: readonly string[]): Promise<void>;
  /** Reads calls that have ended, or that started before `lost`, by owner, in chronological order. */
  read(lost: Date, limit: number): Promise<Map<string, ActivityContent[]>>;
}

export function openCallNotes(db: Db, now: () => Date): CallNotes {
  const notes = db.collection<StoredNote>("callnote");
  return {
    async begin(owner, note, status) {
      const at = now();
      const _id = callNoteKey(owner, at, randomUUID());
      await notes.insertOne({ _id, at, ...note, ...(status && { status }) });
      return _id;
    },
    async end(key, status) {
      await notes.updateOne({ _id: key }, { $set: { status } });
    },
    async drop(keys) {
      if (keys.length > 0) await notes.deleteMany({ _id: { $in: [...keys] } });
    },
    async read(lost, limit) {
      const found = await notes
        .find({ _id: keysUnder("t/") })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray();
      const ended = found.filter(({ status, at }) => status !== undefined || at < lost);
      const byOwner = Map.groupBy(ended, ({ _id }) => ownerOf(_id));
      return new Map([...byOwner].map(([owner, group]) => [owner, group.map(contentOf)]));
    },
  };
}

const contentOf = ({ _id, at, status, names, fields, ...note }: StoredNote): ActivityContent => ({
  at: at.toISOString(),
  actor: note.actor,
  operation: note.operation,
  ...(note.call !== undefined && { call: note.call }),
  names: { ...names },
  fields: [...fields],
  status: status ?? "UNKNOWN",
  // These come from the path parameters that name an item or a label.
  items: names.itemId === undefined ? [] : [names.itemId],
  labels: names.barcode === undefined ? [] : [names.barcode],
  rows: "[]",
  note: _id,
});
