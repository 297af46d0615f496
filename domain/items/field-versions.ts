import type { FieldVersions, Item, Version } from "../../schemas/item.ts";
import { numberOf } from "../../schemas/stamp.ts";

/** The value of a field and the stamp that set it. If the field was never set, the stamp is -1 and there is no value. */
export type Present = Pick<Version, "stamp" | "value">;

/** Maximum number of versions that an item keeps for a field. A list older than all of them can no longer be undone. */
export const MAX_VERSIONS = 6;
/**
 * Maximum length of all versions of an item, in characters. An item that would exceed it keeps no versions, so none of its lists
 * can be undone.
 */
export const MAX_VERSION_CHARACTERS = 32 * 2 ** 10;
/** Upper bound for the JSON of a version in addition to its strings. */
const CHARACTERS_PER_VERSION = 64;

/** Returns the name of a property among an item's versions. */
export const propertyField = (key: string): string => `properties/${key}`;

/** Returns the version that counts: the newest version that has not been undone. */
export const countingVersion = (versions: readonly Version[]): Version | undefined =>
  versions.find(({ undone }) => !undone);

/**
 * Returns the versions of a field, if they match its current value. A process of a release that does not support versions
 * changes only the value.
 */
export function versionsOf(
  item: Pick<Item, "versions">,
  field: string,
  present: Present,
): readonly Version[] | undefined {
  const versions = item.versions?.find((one) => one.field === field)?.versions;
  const counting = versions && countingVersion(versions);
  return counting && (counting.value ?? "") === (present.value ?? "") && counting.stamp <= present.stamp
    ? versions
    : undefined;
}

/**
 * Whether a price list wrote a version. `first` is the number of the list's first request: versions with smaller numbers belong
 * to an earlier list with the same id, which was forgotten.
 */
export const isOfList = (version: Pick<Version, "list" | "stamp">, list: string, first: number): boolean =>
  version.list === list && numberOf(version.stamp) >= first;

/**
 * Returns the versions of a field after a write. Undefined if the field needs none. The result does not depend on the order in
 * which writes are applied: it contains the versions from the newest back to the first version that no undo can remove.
 *
 * A write that is older than an undo does not replace the restored value, because its request was sent before the undo. A list
 * has one version, however often it sets the field. `first` is the number of the first request of the write's list.
 */
export function enterVersion(
  versions: readonly Version[] | undefined,
  present: Present,
  write: Version,
  first = 0,
): readonly Version[] | undefined {
  const known: readonly Version[] = versions ?? [present];
  if (known.some(({ stamp }) => stamp === write.stamp)) return versions;
  const counting = countingVersion(known);
  const isOverruled = write.stamp < present.stamp && write.stamp > (counting?.stamp ?? -1);
  if (isOverruled) return versions;
  // An undo of a list removes everything that the list has written: only its last value can ever count.
  const { list } = write;
  const ofList = list === undefined ? [] : known.filter((version) => isOfList(version, list, first));
  if (ofList.some(({ stamp }) => stamp > write.stamp)) return versions;
  const all = [...known.filter((version) => !ofList.includes(version)), write].sort((a, b) => b.stamp - a.stamp);
  const last = all.findIndex((version) => version.list === undefined);
  const kept = all.slice(0, last < 0 ? MAX_VERSIONS : Math.min(last + 1, MAX_VERSIONS));
  return kept.length === 1 ? undefined : kept;
}

/**
 * Returns the versions of fields after a deletion with this stamp: the versions of rows with larger stamps that were applied
 * earlier, and the deletion itself as a version without a value.
 */
export const versionsSince = (versions: readonly FieldVersions[], stamp: number): FieldVersions[] =>
  versions.flatMap(({ field, versions: all }) => {
    const later = all.filter((version) => version.stamp > stamp);
    return later.some(({ list }) => list !== undefined) ? [{ field, versions: [...later, { stamp }] }] : [];
  });

/** Returns an item with these versions of its fields, or without any if they are too large. */
export function withVersions(item: Item, changed: ReadonlyMap<string, readonly Version[] | undefined>): Item {
  if (changed.size === 0) return item;
  const { versions: before = [], ...rest } = item;
  const others = before.filter(({ field }) => !changed.has(field));
  const entered = [...changed].flatMap(([field, versions]) => (versions ? [{ field, versions: [...versions] }] : []));
  const versions = [...others, ...entered];
  const characters = versions.reduce(
    (sum, one) =>
      one.versions.reduce(
        (part, { value = "", list = "" }) => part + value.length + list.length + CHARACTERS_PER_VERSION,
        sum + one.field.length,
      ),
    0,
  );
  return versions.length === 0 || characters > MAX_VERSION_CHARACTERS ? rest : { ...rest, versions };
}
