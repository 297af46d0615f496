import type { Db } from "mongodb";
import { keysUnder, versionsUnder } from "../../schemas/keys.ts";
import type { Envelope, Stored } from "../../schemas/record.ts";
import type { Version } from "../../schemas/version.ts";
import { versions } from "../kinds/publishing.ts";
import { listRecords } from "../list-records.ts";

type VersionSummary = Omit<Stored<Version>, "content">;

const summaryFields = ["number", "author", "note", "at", "publication", "ofRev", "isDeletion"] as const;

/** The stored versions of a pack, a design or a canvas design, newest first, without their contents. */
export async function listVersions(
  db: Db,
  key: string,
  page: { start?: number; limit: number },
): Promise<VersionSummary[]> {
  const listing = { prefix: versionsUnder(key), descending: true, fields: summaryFields, ...page };
  const batches = await Array.fromAsync(listRecords(db, versions, listing));
  return batches.flat();
}

/** The keys and revs of a tenant's oldest versions. */
export const oldestVersions = (db: Db, tenant: string, limit: number): Promise<Pick<Envelope, "_id" | "rev">[]> =>
  db
    .collection<Envelope>(versions.name)
    .find({ store: tenant, _id: keysUnder(`${tenant}/versions/`) })
    .project<Pick<Envelope, "_id" | "rev">>({ rev: 1 })
    .sort({ changedAt: 1 })
    .limit(limit)
    .toArray();
