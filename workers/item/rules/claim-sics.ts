import type { Sic } from "../../../records/kinds/sic.ts";

/** A row that sets an item's secondary item codes. */
export interface SicsRow {
  itemId: string;
  sics: readonly string[];
  stamp: number;
}

export interface SicsPlan {
  /** The reasons of the refused rows, by the index of the row. */
  refused: Map<number, string>;
  /** The claims to enter, by code: of codes with a new owner, and of codes that their item does not list yet. */
  claimed: Map<string, Sic>;
}

/**
 * Decides the owners of codes after these rows, applied in order: a row may take a code that an earlier row freed. A
 * claim counts only while its item lists the code, so a claim that a killed worker left behind does not.
 */
export function claimSics(
  rows: readonly SicsRow[],
  /** Present claims: from code to item. */
  claims: ReadonlyMap<string, string>,
  /** Present lists: from item to its codes. */
  lists: ReadonlyMap<string, readonly string[]>,
): SicsPlan {
  const owners = new Map(claims);
  const codes = new Map(lists);
  const refused = new Map<number, string>();
  const claimed = new Map<string, Sic>();
  for (const [index, { itemId, sics, stamp }] of rows.entries()) {
    const taken = sics.find((sic) => {
      const owner = owners.get(sic);
      return owner !== undefined && owner !== itemId && codes.get(owner)?.includes(sic);
    });
    if (taken !== undefined) {
      refused.set(index, `the SIC "${taken}" belongs to the item "${owners.get(taken)}"`);
      continue;
    }
    const before = codes.get(itemId) ?? [];
    for (const sic of before.filter((code) => !sics.includes(code))) {
      owners.delete(sic);
      claimed.delete(sic);
    }
    for (const sic of sics) {
      // A code that the item takes again gets the stamp of this row: an older row that frees it late leaves the claim.
      if (owners.get(sic) !== itemId || !before.includes(sic)) claimed.set(sic, { itemId, stamp });
      owners.set(sic, itemId);
    }
    codes.set(itemId, sics);
  }
  return { refused, claimed };
}

/** Whether a claim stands against one of this stamp: it was entered by a later row. */
export const isLaterClaim = (claim: Sic | undefined, stamp: number): boolean => (claim?.stamp ?? -1) > stamp;
