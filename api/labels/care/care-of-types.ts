import type { CareOfType } from "../../../domain/labels/care/note-replacement.ts";
import { labelTypes } from "../../../records/kinds/tenants.ts";
import { type Records, readAll } from "../../../records/records.ts";
import { labelTypeKey, tenantOf } from "../../../schemas/keys.ts";

export type CareOfTypes = ReadonlyMap<number, CareOfType>;

/** What the label types of a store's tenant say about the care of their labels, by number. */
export async function readCareOfTypes(records: Records, store: string): Promise<CareOfTypes> {
  const types = await readAll(records, labelTypes, labelTypeKey(tenantOf(store), ""));
  return new Map(types.map((type) => [type.type, type]));
}
