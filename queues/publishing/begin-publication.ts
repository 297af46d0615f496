import { randomBytes } from "node:crypto";
import type { Db } from "mongodb";
import type { Live } from "../../domain/publishing/live.ts";
import { publicationContents, publications } from "../../records/kinds/publishing.ts";
import { listRecords } from "../../records/list-records.ts";
import type { Records } from "../../records/records.ts";
import { publicationContentKey, publicationKey } from "../../schemas/keys.ts";
import type { Publication } from "../../schemas/publication.ts";
import { tenantLimits } from "../../schemas/tenant-limits.ts";
import type { Commit } from "../changes/commit.ts";
import type { Thing } from "./things.ts";

/** The new content of a thing in a publication; without a body, the thing is deleted. */
export interface Part {
  thing: Thing;
  body?: Live | undefined;
  change: Publication["changes"][number];
}

/** The copies that a canary shows, under keys that contain its publication's id. */
interface CanaryParts {
  id?: string;
  copies?: ReadonlyMap<string, Live>;
}

interface BeginWorld {
  db: Db;
  records: Records;
  commit: Commit;
  databaseNow(): Date;
}

/** A worker continues a publication that another process started this long ago, since that process was killed or is slow. */
export const CONTINUED_AFTER_MS = 30_000;
const PUBLICATIONS_PER_PASS = 100;

/**
 * Stores a publication with its contents and returns its key. The oldest publications beyond the tenant's limit are removed.
 */
export async function beginPublication(
  { db, records, commit, databaseNow }: BeginWorld,
  tenant: string,
  parts: readonly Part[],
  order: Omit<Publication, "changes" | "createdAt" | "state" | "due">,
  { id = newPublicationId(databaseNow()), copies = new Map() }: CanaryParts = {},
): Promise<string> {
  const now = databaseNow();
  const key = publicationKey(tenant, id);
  const made = [...parts.map(({ thing, body }) => [thing.key, body] as const), ...copies];
  const bodies = new Map(made.map(([of, body]) => [publicationContentKey(key, of), body]));
  const contentOf = (contentKey: string) => {
    const body = bodies.get(contentKey);
    return body === undefined ? {} : { body: JSON.stringify(body) };
  };
  await commit.change(publicationContents, [...bodies.keys()], contentOf, "interactive");
  const publication: Publication = {
    ...order,
    state: order.canary ? "CANARY" : order.at === undefined ? "PUBLISHING" : "SCHEDULED",
    createdAt: now,
    due: order.at ?? new Date(now.getTime() + CONTINUED_AFTER_MS),
    changes: parts.map(({ change }) => change),
  };
  await commit.change(publications, [key], () => publication, "interactive");
  await dropOldest({ db, records }, tenant);
  return key;
}

async function dropOldest({ db, records }: Pick<BeginWorld, "db" | "records">, tenant: string): Promise<void> {
  const prefix = publicationKey(tenant, "");
  const excess = (await records.count(publications, prefix)) - tenantLimits.publications;
  if (excess <= 0) return;
  const listing = { prefix, fields: ["due"], limit: Math.min(excess, PUBLICATIONS_PER_PASS) };
  for await (const batch of listRecords(db, publications, listing)) {
    const ended = batch.filter(({ due }) => due === undefined);
    await records.remove(
      publications,
      ended.map(({ _id, rev }) => ({ key: _id, rev })),
    );
  }
}

/** Ids sort by time. */
export const newPublicationId = (now: Date): string => `${beginOfIds(now)}-${randomBytes(3).toString("hex")}`;

/** Returns an id that sorts after the ids of all earlier publications. */
export const beginOfIds = (time: Date): string => time.toISOString().replaceAll(/[-:.]/g, "");
