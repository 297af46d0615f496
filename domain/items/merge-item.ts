import { exists, type Item, type ItemPatch, itemTexts, type Property, propertiesOf } from "../../schemas/item.ts";

/**
 * Merges the populated fields of a row into an item (docs/architecture/guarantees.md#rows-apply-in-order).
 *
 * The larger stamp wins each field, so rows may be merged in any order. `isLatest` says that every row with a smaller
 * number is applied: then a field whose value is unchanged keeps its stamp, and a price list that is sent again writes
 * nothing.
 */
export function mergeItem(current: Item | undefined, patch: ItemPatch, stamp: number, isLatest: boolean): Item {
  const item = current && exists(current) ? current : newItem(patch.itemId, stamp, current?.floor);
  if (stamp < (item.floor ?? 0)) return current ?? item;
  const stamps = { ...item.stamps };
  const wins = (field: string, same: boolean): boolean => {
    if (stamp <= (item.stamps[field] ?? -1) || (same && isLatest)) return false;
    stamps[field] = stamp;
    return true;
  };
  const texts = itemTexts.flatMap((field) => {
    const value = patch[field];
    return value && wins(field, value === item[field]) ? [[field, value]] : [];
  });
  const sics = [...new Set(patch.sics)];
  const setsSics = sics.length > 0 && wins("sics", sameList(sics, item.sics));
  return {
    ...item,
    ...Object.fromEntries(texts),
    sics: setsSics ? sics : item.sics,
    properties: mergeProperties(item.properties, patch.properties ?? {}, stamp, isLatest),
    stamps,
    created: Math.min(item.created, stamp),
  };
}

/**
 * Deletes an item: fields with a smaller stamp than the deletion are cleared, later ones stay, and the deletion's stamp
 * becomes the floor under every field. Undefined if there is no item to delete.
 */
export function deleteItem(current: Item | undefined, stamp: number): Item | undefined {
  if (current?.floor === stamp) return current;
  if (current === undefined || !exists(current) || stamp < current.created) return undefined;
  const later = Object.entries(current.stamps).filter(([, set]) => set > stamp);
  const properties = current.properties.filter((property) => property.stamp > stamp);
  const laterStamps = [
    ...later.map(([, set]) => set),
    ...propertiesOf({ properties }).map((property) => property.stamp),
  ];
  const fields = new Set(later.map(([field]) => field));
  return {
    itemId: current.itemId,
    ...Object.fromEntries(itemTexts.filter((field) => fields.has(field)).map((field) => [field, current[field]])),
    sics: fields.has("sics") ? current.sics : [],
    properties: laterStamps.length > 0 ? properties : [],
    stamps: Object.fromEntries(later),
    created: laterStamps.length > 0 ? Math.min(...laterStamps) : current.created,
    floor: stamp,
    ...(laterStamps.length === 0 && { deleted: true as const }),
  };
}

const newItem = (itemId: string, stamp: number, floor: number | undefined): Item => ({
  itemId,
  sics: [],
  properties: [],
  stamps: {},
  created: stamp,
  ...(floor !== undefined && { floor }),
});

function mergeProperties(
  present: readonly Property[],
  patch: Record<string, string>,
  stamp: number,
  isLatest: boolean,
): Property[] {
  const merged = new Map(present.map((property) => [property.key, property]));
  for (const [key, value] of Object.entries(patch)) {
    const stored = merged.get(key);
    const isUnchanged = stored !== undefined && (stamp <= stored.stamp || (isLatest && stored.value === value));
    if (value !== "" && !isUnchanged) merged.set(key, { key, value, stamp });
  }
  return [...merged.values()];
}

const sameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((value, index) => value === b[index]);
