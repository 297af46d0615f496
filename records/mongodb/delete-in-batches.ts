import type { Collection, Document, Filter } from "mongodb";

const DOCUMENTS_PER_BATCH = 1000;

interface DeleteOptions {
  /** The order of the index that finds the documents. */
  sort: Readonly<Record<string, 1 | -1>>;
  /** Called after each full batch; false ends the deletion, and the rest is left to a later call. */
  goOn?: () => Promise<boolean>;
}

/**
 * Deletes the matching documents batch by batch, since one command for all could exceed the time limit. A document that no
 * longer matches is kept. Returns the number of deleted documents.
 */
export async function deleteInBatches<Stored extends Document>(
  collection: Collection<Stored>,
  filter: Filter<Stored>,
  { sort, goOn = async () => true }: DeleteOptions,
): Promise<number> {
  for (let deleted = 0; ; ) {
    const options = { projection: { _id: 1 }, sort: { ...sort }, limit: DOCUMENTS_PER_BATCH } as const;
    const found = await collection.find(filter, options).toArray();
    const ids = found.map(({ _id }) => _id);
    const { deletedCount } = ids.length > 0 ? await collection.deleteMany({ ...filter, _id: { $in: ids } }) : nothing;
    deleted += deletedCount;
    if (ids.length < DOCUMENTS_PER_BATCH || !(await goOn())) return deleted;
  }
}

const nothing = { deletedCount: 0 };
