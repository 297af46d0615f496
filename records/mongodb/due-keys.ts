import type { Db } from "mongodb";
import type { Envelope } from "../../schemas/record.ts";
import type { RecordKind } from "../kind.ts";
import { schedules } from "../kinds/items.ts";
import type { FindFirst } from "./find-first-together.ts";

const MAX_DUE = 100;

/** Finds the document that has been due the longest, in a collection whose documents have a due time. */
export const firstDue = ({ name }: Pick<RecordKind<unknown>, "name">, now: Date): FindFirst => ({
  collection: name,
  filter: { due: { $lte: now } },
  sort: { due: 1 },
});

/** Finds the earliest schedule of any store that is due within these times. */
export const firstScheduled = (times: { $gt?: Date; $lte: Date }): FindFirst => ({
  collection: schedules.name,
  filter: { due: times },
  sort: { due: 1 },
});

/** Reads the keys of records for which a worker must take the next step, longest due first; at most 100. */
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
