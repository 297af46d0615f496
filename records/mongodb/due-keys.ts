import type { Db } from "mongodb";
import type { Envelope } from "../../schemas/record.ts";
import type { RecordKind } from "../kind.ts";

const MAX_DUE = 100;

/** Keys of the records that a worker must take a step further, the longest due first; at most 100. */
export async function dueKeys(db: Db, { name }: Pick<RecordKind<unknown>, "name">, now: Date): Promise<string[]> {
  const found = await db
    .collection<Envelope>(name)
    .find({ due: { $lte: now } })
    .project<Pick<Envelope, "_id">>({ _id: 1 })
    .sort({ due: 1 })
    .limit(MAX_DUE)
    .toArray();
  return found.map(({ _id }) => _id);
}
