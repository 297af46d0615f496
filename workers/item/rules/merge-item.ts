import { exists, type Item, type ItemPatch, itemTexts, type Property, propertiesOf } from "../../../schemas/item.ts";

/**
 * An item with a row's fields merged in (specification, "Only populated fields are updated").
 *
 * The later stamp wins each field, so rows may be merged in any order. `isLatest` says that no
 * row with a smaller number can come any more: then a value that stands already needs no new
 * stamp, and the same price list sent twice stores nothing.
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
 * A deleted item: what is stamped before the deletion is cleared, what came later is kept, and the
 * deletion stays as the floor under every field. Undefined where there is no item to delete.
 */
export function deleteItem(current: Item | undefined, stamp: number): Item | undefined {
  if (current?.floor === stamp) return current;
  if (current === undefined || !exists(current) || stamp < current.created) return undefined;
  const later = Object.entries(current.stamps).filter(([, set]) => set > stamp);
  const properties = current.properties.filter((property) => property.stamp > stamp);
  const kept = [...later.map(([, set]) => set), ...propertiesOf({ properties }).map((property) => property.stamp)];
  const fields = new Set(later.map(([field]) => field));
  return {
    itemId: current.itemId,
    ...Object.fromEntries(itemTexts.filter((field) => fields.has(field)).map((field) => [field, current[field]])),
    sics: fields.has("sics") ? current.sics : [],
    properties: kept.length > 0 ? properties : [],
    stamps: Object.fromEntries(later),
    created: kept.length > 0 ? Math.min(...kept) : current.created,
    floor: stamp,
    ...(kept.length === 0 && { deleted: true as const }),
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
    const other = merged.get(key);
    const stands = other !== undefined && (stamp <= other.stamp || (isLatest && other.value === value));
    if (value !== "" && !stands) merged.set(key, { key, value, stamp });
  }
  return [...merged.values()];
}

const sameList = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((value, index) => value === other[index]);
