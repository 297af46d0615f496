import { mergeItem } from "../../domain/items/merge-item.ts";
import { items } from "../../records/kinds/items.ts";
import { labelTypes } from "../../records/kinds/tenants.ts";
import type { Records } from "../../records/records.ts";
import { exists, type Item } from "../../schemas/item.ts";
import { itemKey, labelTypeKey, storeKey, tenantIdOf } from "../../schemas/keys.ts";
import type { LabelType } from "../../schemas/label-type.ts";
import type { Trial } from "../../schemas/trial.ts";
import { requireScope } from "../access/authorize.ts";
import type { Permit } from "../access/verify-token.ts";
import { assertFaultless } from "./find-records.ts";

/**
 * Reads a trial's item and label type. A stored item's values require `items:read`, as everywhere. Throws
 * `invalid-request` with a pointer to the missing one.
 */
export async function readTrialItem(
  records: Records,
  tenant: string,
  permit: Permit,
  { item, storeId, itemId, labelType }: Trial,
): Promise<{ item: Item; labelType: LabelType }> {
  if (item === undefined) requireScope(permit, "items:read", ", which a stored item requires");
  const typeKey = labelTypeKey(tenant, labelType);
  const key = itemKey(storeKey(tenantIdOf(tenant), storeId ?? ""), itemId ?? "");
  const [stored, type] = await Promise.all([
    item === undefined ? records.read(items, [key]) : undefined,
    records.read(labelTypes, [typeKey]),
  ]);
  const found = item ? mergeItem(undefined, item, 1, true) : stored?.get(key);
  const known = type.get(typeKey);
  if (found === undefined || !exists(found) || known === undefined) {
    assertFaultless([
      ...(found && exists(found)
        ? []
        : [{ pointer: "/itemId", detail: `the item "${itemId}" does not exist in the store "${storeId}"` }]),
      ...(known ? [] : [{ pointer: "/labelType", detail: `the label type ${labelType} does not exist` }]),
    ]);
    throw new Error("a trial without an item or a label type has a fault");
  }
  return { item: found, labelType: known };
}
