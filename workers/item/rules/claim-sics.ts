/** A row that sets an item's secondary item codes. */
export interface SicsRow {
  itemId: string;
  sics: readonly string[];
}

export interface SicsPlan {
  /** The reasons of the refused rows, by the index of the row. */
  refused: Map<number, string>;
  /** New owners of codes: from code to the item whose claim must be entered. */
  claimed: Map<string, string>;
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
  for (const [index, { itemId, sics }] of rows.entries()) {
    const taken = sics.find((sic) => {
      const owner = owners.get(sic);
      return owner !== undefined && owner !== itemId && codes.get(owner)?.includes(sic);
    });
    if (taken !== undefined) {
      refused.set(index, `the SIC "${taken}" belongs to the item "${owners.get(taken)}"`);
      continue;
    }
    for (const sic of codes.get(itemId) ?? []) if (!sics.includes(sic)) owners.delete(sic);
    for (const sic of sics) owners.set(sic, itemId);
    codes.set(itemId, sics);
  }
  const claimed = new Map([...owners].filter(([sic, owner]) => claims.get(sic) !== owner));
  return { refused, claimed };
}
