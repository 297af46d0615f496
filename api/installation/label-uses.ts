import { labels } from "../../records/kinds/labels.ts";
import type { Records } from "../../records/records.ts";
import { idOf } from "../../schemas/keys.ts";
import type { Label } from "../../schemas/label.ts";

/**
 * Finds a label that passes the test, in a tenant or a store, and returns its barcode. Reads all labels in batches,
 * because an index for such a rare query would make every write of a label slower.
 */
export async function anyLabel(
  records: Records,
  owner: string,
  test: (label: Pick<Label, "type" | "modelName">, barcode: string) => boolean,
): Promise<string | undefined> {
  for await (const batch of records.scanFields(labels, `${owner}/`, ["type", "modelName"])) {
    const found = batch.find((label) => test(label, idOf(label._id)));
    if (found) return idOf(found._id);
  }
  return undefined;
}
