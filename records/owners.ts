import type { Collection, Document, Filter } from "mongodb";

/** The range of ids to search, in a collection whose ids begin with their owner's key. */
export interface Among {
  $gte: string;
  $lt: string;
}

/** A field that identifies a document's owner, and a condition on a second field. */
export interface OwnedQuery {
  owner: string;
  field: string;
  asked: Document;
  among?: Among;
}

/**
 * Returns the first owner after `after` with a document that matches; undefined if there is none. With an index on owner and
 * field, the server skips from owner to owner: it reads one entry per owner, no matter how many documents the owner has.
 */
export async function nextOwner<Owned extends Document>(
  collection: Collection<Owned>,
  { owner, field, asked, among }: OwnedQuery,
  after: string,
): Promise<string | undefined> {
  const ids = among && { _id: after > among.$gte ? { ...among, $gte: after } : among };
  const found = await collection
    .find({ ...ids, [owner]: { $gt: after }, [field]: asked } as Filter<Owned>, { projection: { [owner]: 1 } })
    .sort({ [owner]: 1, [field]: 1 })
    .limit(1)
    .toArray();
  return found[0]?.[owner];
}

/** Returns the first `limit` owners after `after` with matching documents. */
export async function nextOwners<Owned extends Document>(
  collection: Collection<Owned>,
  query: OwnedQuery,
  after: string,
  limit: number,
): Promise<string[]> {
  const owners: string[] = [];
  for (let last: string | undefined = after; owners.length < limit; owners.push(last)) {
    last = await nextOwner(collection, query, last);
    if (last === undefined) break;
  }
  return owners;
}
