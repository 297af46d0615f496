import { publicationContents } from "../../records/kinds/publishing.ts";
import type { Records } from "../../records/records.ts";
import { publicationContentKey, tenantOf } from "../../schemas/keys.ts";
import type { Publication } from "../../schemas/publication.ts";
import type { Stored } from "../../schemas/record.ts";
import { thingOf } from "./things.ts";

/** Removes a publication's contents once they are live or never will be. */
export async function dropContents(
  { records }: { records: Pick<Records, "readRevs" | "remove"> },
  { _id, changes, canary }: Stored<Publication>,
): Promise<void> {
  const things = changes.map(({ subject, id }) => thingOf(tenantOf(_id), subject, id).key);
  const keys = [...things, ...(canary?.copies ?? [])].map((key) => publicationContentKey(_id, key));
  const found = await records.readRevs(publicationContents, keys);
  await records.remove(
    publicationContents,
    [...found].map(([key, rev]) => ({ key, rev })),
  );
}
