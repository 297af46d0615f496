import type { Uploads } from "../../records/files/uploads.ts";
import { assets } from "../../records/kinds/designs.ts";
import { itemPages } from "../../records/kinds/items.ts";
import type { Among } from "../../records/owners.ts";
import type { Records } from "../../records/records.ts";
import type { Journal } from "../../records/requests/journal.ts";
import type { OpenChunks } from "../../records/requests/open-chunks.ts";
import { storeOf, uploadKey } from "../../schemas/keys.ts";
import type { ItemPages, PageRow } from "../../schemas/page-image.ts";
import type { TimeSlice } from "./time-slice.ts";

/** How long an unreferenced upload is kept; the record that will refer to it is written within seconds. */
export const UPLOAD_TTL_MS = 3_600_000;

interface Dependencies {
  records: Pick<Records, "scanFields">;
  journal: Pick<Journal, "read">;
  openChunks: OpenChunks;
  uploads: Uploads;
}

/** Operations whose rows name uploads. */
const namesUploads: ReadonlySet<string> = new Set(["set-pages", "draw-pages"]);

/**
 * Deletes uploads among these ids that no open request, asset or item page names. A file is stored, or marked as used, before
 * anything that names it is written.
 */
export async function forgetUploads(
  dependencies: Dependencies,
  unusedSince: Date,
  among: Among,
  slice: TimeSlice,
): Promise<number> {
  const { records, journal, openChunks, uploads } = dependencies;
  let owner = await uploads.nextUnused(unusedSince, "", among);
  if (owner === undefined) return 0;
  for await (const page of openChunks.scan()) {
    const open = page.filter(({ operation }) => namesUploads.has(operation)).map(({ _id }) => _id);
    for (const { store, rows } of (await journal.read(open)).values()) {
      const names = (JSON.parse(rows) as PageRow[]).map(({ upload }) => uploadKey(storeOf(store), upload));
      await uploads.touch(names);
    }
    if (!(await slice.renew())) return 0;
  }
  let forgotten = 0;
  while (owner !== undefined) {
    const kept = await keysKept(records, owner, slice);
    if (kept === undefined) break;
    forgotten += await uploads.forget(owner, unusedSince, kept, slice.goOn);
    if (!(await slice.goOn())) break;
    owner = await uploads.nextUnused(unusedSince, owner, among);
  }
  return forgotten;
}

/**
 * Reads the keys of the uploads that a tenant's or a store's records name; undefined if another process has taken the lease. The
 * uploads are not marked as used, since the database would then rewrite each file every hour.
 */
async function keysKept(
  records: Pick<Records, "scanFields">,
  owner: string,
  { renew }: TimeSlice,
): Promise<Set<string> | undefined> {
  const kept = new Set<string>();
  const keep = (names: readonly string[]) => {
    for (const name of names) kept.add(uploadKey(owner, name));
  };
  for await (const batch of records.scanFields(assets, `${owner}/assets/`, ["upload", "deleted"])) {
    keep(batch.filter(({ deleted }) => !deleted).map(({ upload }) => upload));
    if (!(await renew())) return undefined;
  }
  for await (const batch of records.scanFields(itemPages, `${owner}/items/`, ["sources"])) {
    keep(batch.flatMap(uploadsOfPages));
    if (!(await renew())) return undefined;
  }
  return kept;
}

/** Returns the files from which an item's page images are drawn. */
const uploadsOfPages = ({ sources = [] }: Pick<ItemPages, "sources">): string[] => sources.map(({ upload }) => upload);
