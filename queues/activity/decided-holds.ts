import type { Db } from "mongodb";
import { type ChunkHead, journalCollection } from "../../records/requests/journal.ts";
import type { ActivityEntry } from "../../schemas/activity.ts";
import type { Hold } from "../../schemas/held-request.ts";
import { chunkKey } from "../../schemas/keys.ts";
import type { Partition } from "../store-partitions.ts";

/** Number of requests that are read at a time. */
const REQUESTS_PER_READ = 100;
const isUnentered = { "hold.entered": { $exists: true } } as const;
const withoutRows = { rows: 0, outcomes: 0, "hold.rows": 0 } as const;

type First = ChunkHead & { hold: Hold };

/** Finds the stores in these partitions with decided held requests whose outcome is not yet in the log. */
export async function storesWithDecided(db: Db, partitions: readonly Partition[]): Promise<string[]> {
  const found = new Set<string>();
  for (const { $gte, $lt } of partitions) {
    const decided = journalCollection(db).find({ ...isUnentered, store: { $gte, $lt } }, { projection: { store: 1 } });
    for await (const { store } of decided) found.add(store);
  }
  return [...found];
}

/**
 * Reads the parts of a store's decided requests whose number is at most `through`, in order, with the decision on each
 * request. Each pass reads a limited number of requests, and the next pass continues.
 */
export async function readDecided(db: Db, store: string, through: number) {
  const journal = journalCollection(db);
  const asked = { ...isUnentered, store, number: { $lte: through } };
  const found = await journal
    .find(asked, { projection: withoutRows })
    .sort({ number: 1 })
    .limit(REQUESTS_PER_READ)
    .toArray();
  const firsts = found as unknown as First[];
  const keys = firsts.flatMap(({ number, chunks, hold }) =>
    Array.from({ length: chunks - (hold.entered ?? 0) }, (_, index) =>
      chunkKey(store, number, (hold.entered ?? 0) + index),
    ),
  );
  const parts: ChunkHead[] = await journal.find({ _id: { $in: keys } }, { projection: withoutRows }).toArray();
  return {
    parts: parts.sort((a, b) => a.number - b.number || a.index - b.index),
    states: new Map(firsts.map(({ number, hold }) => [number, hold.state])),
  };
}

/**
 * Records how many parts of a decided request have been written to the log and, after the last part, that the log is complete.
 * Idempotent.
 */
export async function noteEntered(db: Db, entries: readonly ActivityEntry[]): Promise<void> {
  for (const { store, request = 0, part = 0, parts = 1, decision } of entries) {
    if (decision === undefined) continue;
    const first = { _id: chunkKey(store, request, 0), ...isUnentered };
    const isLast = part + 1 >= parts;
    const update = isLast ? { $unset: { "hold.entered": "" as const } } : { $max: { "hold.entered": part + 1 } };
    await journalCollection(db).updateOne(first, update);
  }
}
