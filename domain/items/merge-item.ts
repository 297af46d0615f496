import {
  exists,
  type Item,
  type ItemPatch,
  itemTexts,
  type Property,
  propertiesOf,
  type Version,
} from "../../schemas/item.ts";
import { changeRegular, regularOf } from "../campaigns/offers.ts";
import { enterVersion, propertyField, versionsOf, versionsSince, withVersions } from "./field-versions.ts";

/**
 * Merges the populated fields of a row into an item (docs/architecture/guarantees.md#rows-apply-in-order).
 *
 * The larger stamp wins each field, so rows may be merged in any order. `isLatest` means that every row with a smaller number
 * has been applied. Then a field whose value is unchanged keeps its stamp, and a price list that is sent again writes nothing.
 * A campaign that runs for the item is still shown.
 *
 * With a `list`, the item keeps the previous values of its fields, so that the price list can be undone. An item that the row
 * creates has no previous values. `first` is the number of the list's first request.
 */
export function mergeItem(
  current: Item | undefined,
  patch: ItemPatch,
  stamp: number,
  isLatest: boolean,
  list?: string,
  first = 0,
): Item {
  const item = current && exists(current) ? current : newItem(patch.itemId, stamp, current?.floor);
  if (stamp < (item.floor ?? 0)) return current ?? item;
  const isNew = current === undefined || !exists(current);
  return changeRegular(item, (regular) => {
    const merged = mergeRegular(regular, patch, stamp, isLatest);
    if (isNew || (list === undefined && regular.versions === undefined)) return merged;
    return withVersions(merged, versionsAfter(regular, patch, { stamp, ...(list && { list }) }, { isLatest, first }));
  });
}

function mergeRegular(item: Item, patch: ItemPatch, stamp: number, isLatest: boolean): Item {
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

/** Returns the versions of the fields that a row sets, for each field whose value is new. */
function versionsAfter(
  item: Item,
  patch: ItemPatch,
  write: Version,
  { isLatest, first }: { isLatest: boolean; first: number },
) {
  const changed = new Map<string, readonly Version[] | undefined>();
  const enter = (field: string, present: { value?: string | undefined; stamp: number }, value: string) => {
    if (isLatest && value === present.value && write.stamp > present.stamp) return;
    const before = { stamp: present.stamp, ...(present.value && { value: present.value }) };
    const versions = versionsOf(item, field, before);
    // Without a list and without versions, nothing could be undone.
    if (versions === undefined && write.list === undefined && !item.versions?.some((one) => one.field === field))
      return;
    const after = enterVersion(versions, before, { ...write, value }, first);
    if (after !== versions || versions === undefined) changed.set(field, after);
  };
  for (const field of itemTexts) {
    const value = patch[field];
    if (value) enter(field, { value: item[field], stamp: item.stamps[field] ?? -1 }, value);
  }
  const present = new Map(item.properties.map((property) => [property.key, property]));
  for (const [key, value] of Object.entries(patch.properties ?? {}))
    if (value !== "") enter(propertyField(key), present.get(key) ?? { stamp: -1 }, value);
  return changed;
}

/**
 * Deletes an item. Fields with a smaller stamp than the deletion are cleared, fields with a larger stamp stay, and the deletion's
 * stamp becomes the floor under every field. Undefined if there is no item to delete. The item's campaigns end with it.
 */
export function deleteItem(stored: Item | undefined, stamp: number): Item | undefined {
  if (stored?.floor === stamp) return stored;
  if (stored === undefined || !exists(stored) || stamp < stored.created) return undefined;
  const current = regularOf(stored);
  const later = Object.entries(current.stamps).filter(([, set]) => set > stamp);
  const properties = current.properties.filter((property) => property.stamp > stamp);
  const laterStamps = [
    ...later.map(([, set]) => set),
    ...propertiesOf({ properties }).map((property) => property.stamp),
  ];
  const fields = new Set(later.map(([field]) => field));
  const versions = laterStamps.length > 0 ? versionsSince(current.versions ?? [], stamp) : [];
  return {
    itemId: current.itemId,
    ...Object.fromEntries(itemTexts.filter((field) => fields.has(field)).map((field) => [field, current[field]])),
    sics: fields.has("sics") ? current.sics : [],
    properties: laterStamps.length > 0 ? properties : [],
    stamps: Object.fromEntries(later),
    created: laterStamps.length > 0 ? Math.min(...laterStamps) : current.created,
    floor: stamp,
    ...(versions.length > 0 && { versions }),
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
