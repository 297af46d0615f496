import type { AnyBulkWriteOperation, Collection } from "mongodb";
import type { Envelope, Stored } from "../schemas/record.ts";
import type { RecordKind } from "./kind.ts";
import { duplicateKeysOf } from "./mongodb/duplicate-keys.ts";

/**
 * Returns the operation that writes a record if the stored record still has the rev that was read. For a kind with an appended
 * field, it sends only the differences, since label states are long and are written twice per transmission. The filter on the
 * rev guarantees that the stored fields are those that were read.
 */
export function writeOperation(
  { appended }: Pick<RecordKind<never>, "appended">,
  current: Stored<unknown> | undefined,
  record: Stored<unknown>,
): AnyBulkWriteOperation<Envelope> {
  if (current === undefined) return { insertOne: { document: record } };
  const filter = { _id: record._id, rev: current.rev };
  if (appended === undefined) return { replaceOne: { filter, replacement: record } };
  const { _id, ...after } = record as Record<string, unknown> & Envelope;
  const before = current as Record<string, unknown> & Envelope;
  const names = Object.keys(after).filter((name) => name !== appended.field && after[name] !== before[name]);
  const set = names.filter((name) => after[name] !== undefined);
  const kept = new Set(Object.keys(after).filter((name) => after[name] !== undefined));
  const gone = Object.keys(before).filter(
    (name) => before[name] !== undefined && !kept.has(name) && name !== "_id" && name !== appended.field,
  );
  const entries = newEntries(after[appended.field], before[appended.field]);
  return {
    updateOne: {
      filter,
      update: {
        $set: Object.fromEntries(set.map((name) => [name, after[name]])),
        ...(gone.length > 0 && { $unset: Object.fromEntries(gone.map((name) => [name, ""])) }),
        ...(entries.length > 0 && { $push: { [appended.field]: { $each: entries, $slice: -appended.max } } }),
      },
    },
  };
}

/** Returns the entries in the body's field that the record lacks, provided that the record was read with the field. */
function newEntries(after: unknown, before: unknown): unknown[] {
  const known = new Set((before as unknown[] | undefined) ?? []);
  return ((after as unknown[] | undefined) ?? []).filter((entry) => !known.has(entry));
}

/**
 * Returns the indexes of writes whose outcome is unclear from the server's response: rejected inserts, which may repeat inserts
 * that succeeded, and all updates if some did not match. The caller checks which of these records have its `writeId`.
 */
export async function unsureOf(
  collection: Collection<Envelope>,
  operations: AnyBulkWriteOperation<Envelope>[],
): Promise<Set<number>> {
  const updates = operations.flatMap((operation, index) => ("insertOne" in operation ? [] : [index]));
  try {
    const { matchedCount } = await collection.bulkWrite(operations, { ordered: false });
    return new Set(matchedCount === updates.length ? [] : updates);
  } catch (error) {
    const refused = duplicateKeysOf(error);
    if (refused === undefined) throw error;
    // Servers differ in how they count updates in such a batch.
    return new Set([...refused.map(({ index }) => index), ...updates]);
  }
}
