import { exists, type Item, itemTexts, type Version } from "../../schemas/item.ts";
import { changeRegular } from "../campaigns/offers.ts";
import { countingVersion, isOfList, type Present, propertyField, versionsOf, withVersions } from "./field-versions.ts";

/** An item after a list has been undone, and the outcome for the fields that the list had set. */
export interface Undone {
  item: Item;
  /** Fields whose value from before the list was restored. */
  restored: string[];
  /** Fields that keep a value that is newer than the list's. */
  kept: string[];
}

/**
 * Undoes a price list in an item. Each field that the list has set gets the value of the newest write that has not been
 * undone: the write before the list, unless a newer write has arrived. So lists may be undone in any order. `stamp` is the
 * stamp of the undoing row: rows that are sent later remain in effect. `first` is the number of the list's first request: an
 * earlier list with the same id, which was forgotten, is not undone. A campaign that runs for the item is still shown.
 * Idempotent: what has already been undone is left unchanged.
 */
export function undoList(item: Item, list: string, stamp: number, first = 0): Undone {
  let undone: Undone = { item, restored: [], kept: [] };
  const changed = changeRegular(item, (regular) => {
    undone = undoRegular(regular, (one) => isOfList(one, list, first) && !one.undone && one.stamp < stamp, stamp);
    return undone.item;
  });
  return undone.restored.length + undone.kept.length === 0 ? { ...undone, item } : { ...undone, item: changed };
}

function undoRegular(item: Item, isMeant: (version: Version) => boolean, stamp: number): Undone {
  const restored: string[] = [];
  const kept: string[] = [];
  if (!exists(item) || item.versions === undefined) return { item, restored, kept };
  const changed = new Map<string, readonly Version[] | undefined>();
  let next = item;
  for (const { field, present } of fieldsOf(item)) {
    const versions = versionsOf(item, field, present);
    const undone = versions && without(versions, isMeant, item);
    if (versions === undefined || undone === undefined) continue;
    changed.set(field, undone);
    const [before, after] = [countingVersion(versions), countingVersion(undone)];
    if (before === after) kept.push(field);
    else {
      restored.push(field);
      next = withValue(next, field, { value: after?.value, stamp: Math.max(stamp, present.stamp) });
    }
  }
  return { item: withVersions(next, changed), restored, kept };
}

/**
 * Returns the versions, with those of a list marked as undone. Undefined if the list has none, if the value before the list is
 * no longer known, or if the list created the item again after its deletion.
 */
function without(
  versions: readonly Version[],
  isMeant: (version: Version) => boolean,
  { created, floor }: Pick<Item, "created" | "floor">,
): readonly Version[] | undefined {
  const meant = versions.filter(isMeant);
  if (meant.length === 0) return undefined;
  const undone = versions.map((one) => (isMeant(one) ? { ...one, undone: true as const } : one));
  const left = countingVersion(undone);
  const madeItem = left?.stamp === floor && meant.some((one) => one.stamp === created);
  return left === undefined || madeItem ? undefined : undone;
}

/** Returns the fields of an item that have versions, with their current values. */
function fieldsOf(item: Item): { field: string; present: Present }[] {
  const named = new Set(item.versions?.map(({ field }) => field));
  const texts = itemTexts.map((field) => ({ field, present: { value: item[field], stamp: item.stamps[field] ?? -1 } }));
  const properties = item.properties.map(({ key, value, stamp }) => ({
    field: propertyField(key),
    present: { value, stamp },
  }));
  return [...texts, ...properties].filter(({ field }) => named.has(field)) as { field: string; present: Present }[];
}

function withValue(item: Item, field: string, { value, stamp }: { value: string | undefined; stamp: number }): Item {
  const text = itemTexts.find((name) => name === field);
  if (text === undefined) {
    const properties = item.properties.map((one) =>
      propertyField(one.key) === field ? { key: one.key, value: value ?? "", stamp } : one,
    );
    return { ...item, properties };
  }
  const { [text]: _, ...rest } = item;
  return { ...rest, ...(value !== undefined && { [text]: value }), stamps: { ...item.stamps, [text]: stamp } };
}
