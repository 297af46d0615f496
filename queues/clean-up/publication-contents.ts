import { publicationContents, publications } from "../../records/kinds/publishing.ts";
import type { Records } from "../../records/records.ts";
import { idOf, publicationOfContent } from "../../schemas/keys.ts";
import { beginOfIds } from "../publishing/begin-publication.ts";
import type { TimeSlice } from "./time-slice.ts";

/**
 * Contents that are this old and have no publication were left behind, since a publication is stored within seconds of its
 * contents.
 */
export const CONTENT_TTL_MS = 3_600_000;

interface Dependencies {
  records: Pick<Records, "scanKeys" | "read" | "readRevs" | "remove">;
}

/**
 * Removes contents that publications older than `before` left behind because a process was killed before it stored the
 * publication or before it removed the contents at the end. Returns the number of removed contents.
 */
export async function forgetContents({ records }: Dependencies, before: Date, slice: TimeSlice): Promise<number> {
  const end = beginOfIds(before);
  let removed = 0;
  for await (const keys of records.scanKeys(publicationContents, "t/")) {
    const past = keys.filter((key) => idOf(publicationOfContent(key)) < end);
    const stored = await records.read(publications, [...new Set(past.map(publicationOfContent))]);
    // A publication without a due time has nothing left to do.
    const left = past.filter((key) => stored.get(publicationOfContent(key))?.due === undefined);
    const revs = await records.readRevs(publicationContents, left);
    removed += await records.remove(
      publicationContents,
      [...revs].map(([key, rev]) => ({ key, rev })),
    );
    if (!(await slice.goOn())) break;
  }
  return removed;
}
