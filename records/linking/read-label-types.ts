import { UNSTATED_TYPE } from "../../domain/linking/barcodes/barcode-scheme.ts";
import { idOf, tenantOf } from "../../schemas/keys.ts";
import { labels } from "../kinds/labels.ts";
import type { Records } from "../records.ts";
import type { SchemeOf } from "./barcode-schemes.ts";

/**
 * Reads label types by label key: from the barcode if it contains the type, otherwise from the label's record, whose type never
 * changes. If neither contains a type, the type is UNSTATED_TYPE. Keys of invalid barcodes are left out.
 */
export async function readLabelTypes(
  records: Pick<Records, "readFields">,
  schemeOf: SchemeOf,
  labelKeys: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const tenants = [...new Set(labelKeys.map(tenantOf))];
  const schemes = new Map(await Promise.all(tenants.map(async (tenant) => [tenant, await schemeOf(tenant)] as const)));
  const types = new Map<string, number>();
  for (const key of labelKeys) {
    const type = schemes.get(tenantOf(key))?.(idOf(key));
    if (type !== undefined) types.set(key, type);
  }
  const unstated = [...types].flatMap(([key, type]) => (type === UNSTATED_TYPE ? [key] : []));
  if (unstated.length === 0) return types;
  for (const [key, { type }] of await records.readFields(labels, unstated, ["type"])) types.set(key, type);
  return types;
}
