import type { Sic } from "../../schemas/sic.ts";

/** A row that sets an item's secondary item codes. */
export interface SicsRow {
  itemId: string;
  sics: readonly string[];
  stamp: number;
}

export interface SicsPlan {
  /** The codes in a row that other items own, with the owner of each, by the index of the row. */
  taken: Map<number, ReadonlyMap<string, string>>;
  /** The assignments to store, by code: codes with a new owner, and codes that their item does not list yet. */
  assigned: Map<string, Sic>;
}

/**
 * Decides which item owns each code once these rows are applied in order. A row may take a code that an earlier row freed. If
 * some of a row's codes belong to another item, the row keeps the others. An assignment counts only while its item lists the
 * code, so an assignment that a killed worker left behind has no effect.
 */
export function assignSics(
  rows: readonly SicsRow[],
  /** Current assignments: from code to item. */
  assignments: ReadonlyMap<string, string>,
  /** Current lists: from item to its codes. */
  lists: ReadonlyMap<string, readonly string[]>,
): SicsPlan {
  const owners = new Map(assignments);
  const codes = new Map(lists);
  const taken = new Map<number, ReadonlyMap<string, string>>();
  const assigned = new Map<string, Sic>();
  for (const [index, { itemId, sics: named, stamp }] of rows.entries()) {
    const ofOthers = named.flatMap((sic): [string, string][] => {
      const owner = owners.get(sic);
      return owner !== undefined && owner !== itemId && codes.get(owner)?.includes(sic) ? [[sic, owner]] : [];
    });
    if (ofOthers.length > 0) taken.set(index, new Map(ofOthers));
    const sics = named.filter((sic) => !taken.get(index)?.has(sic));
    // A row without codes sets none: an empty list clears nothing.
    if (sics.length === 0) continue;
    const before = codes.get(itemId) ?? [];
    for (const sic of before.filter((code) => !sics.includes(code))) {
      owners.delete(sic);
      assigned.delete(sic);
    }
    for (const sic of sics) {
      // A code that the item gets again has the stamp of this row, so that an older row that frees the code, but is applied
      // later, does not remove the assignment.
      if (owners.get(sic) !== itemId || !before.includes(sic)) assigned.set(sic, { itemId, stamp });
      owners.set(sic, itemId);
    }
    codes.set(itemId, sics);
  }
  return { taken, assigned };
}

/** Whether an assignment takes precedence over an assignment with this stamp, because a later row stored it. */
export const isLaterAssignment = (assignment: Sic | undefined, stamp: number): boolean =>
  (assignment?.stamp ?? -1) > stamp;
