import { claimSics, isLaterClaim, type SicsPlan, type SicsRow } from "../../domain/items/claim-sics.ts";
import type { Commit } from "../../queues/changes/commit.ts";
import { items, sics } from "../../records/kinds/items.ts";
import type { Records } from "../../records/records.ts";
import { exists } from "../../schemas/item.ts";
import { idOf, itemKey, sicKey } from "../../schemas/keys.ts";
import type { Items, ItemWorld } from "./world.ts";

type Lists = ReadonlyMap<string, readonly string[]>;
type Claims = ReadonlyMap<string, string>;

/**
 * Reads and writes the claims on secondary item codes. Requests that set codes are applied one at a time in a store, but
 * a process that stalls may go on with one that another has applied: so a claim never replaces or removes a later one.
 */
export function createSics(
  records: Records,
  commit: Commit,
): Pick<ItemWorld, "claimSics" | "releaseSics" | "ownersOf"> {
  const listsIn = (found: Items): Map<string, readonly string[]> =>
    new Map([...found.values()].filter(exists).map((item) => [item.itemId, item.sics]));

  const listsOf = async (store: string, itemIds: readonly string[]): Promise<Map<string, readonly string[]>> =>
    listsIn(
      await records.read(
        items,
        itemIds.map((itemId) => itemKey(store, itemId)),
      ),
    );

  /**
   * Enters claims on codes without reading first, because most codes of a price list are new. False where a code has an
   * owner or changes its owner; then no row is decided, and a claim that was entered counts only if its item comes to
   * list the code.
   */
  async function claimNew(store: string, wanted: readonly SicsRow[], own: Lists, held: Claims): Promise<boolean> {
    const { taken, claimed } = claimSics(wanted, held, own);
    if (taken.size > 0 || claimed.keys().some((sic) => held.has(sic))) return false;
    const decisions = [...claimed].map(([sic, body]) => ({ key: sicKey(store, sic), current: undefined, body }));
    return (await commit.write(sics, decisions, "bulk")).lost.length === 0;
  }

  /** Enters claims after reading all present ones. Gives those that other items have, by the index of the row. */
  async function claimKnown(store: string, wanted: readonly SicsRow[], own: Lists): Promise<SicsPlan["taken"]> {
    const codes = [...wanted.flatMap((row) => row.sics), ...[...own.values()].flat()];
    const claimRecords = await records.read(
      sics,
      codes.map((sic) => sicKey(store, sic)),
    );
    const claims = new Map([...claimRecords].map(([key, { itemId }]) => [idOf(key), itemId]));
    const others = await listsOf(
      store,
      [...claims.values()].filter((itemId) => !own.has(itemId)),
    );
    const plan = claimSics(wanted, claims, new Map([...others, ...own]));
    await commit.change(
      sics,
      [...plan.claimed.keys()].map((sic) => sicKey(store, sic)),
      (key, current) => {
        const claim = plan.claimed.get(idOf(key));
        return claim === undefined || isLaterClaim(current, claim.stamp ?? 0) ? undefined : claim;
      },
      "bulk",
      claimRecords,
    );
    return plan.taken;
  }

  return {
    async ownersOf(store, codes) {
      const claims = await records.read(
        sics,
        codes.map((sic) => sicKey(store, sic)),
      );
      return new Map([...claims].map(([key, { itemId }]) => [idOf(key), itemId]));
    },

    async claimSics(store, rows, present) {
      const setting = [...rows.entries()].filter(([, { row }]) => row.sics?.length);
      const wanted = setting.map(([, { row, stamp }]) => ({ itemId: row.itemId, sics: row.sics ?? [], stamp }));
      const own = listsIn(present);
      const held = new Map([...own].flatMap(([itemId, codes]) => codes.map((sic) => [sic, itemId] as const)));
      if (wanted.length === 0 || (await claimNew(store, wanted, own, held))) return new Map();
      const taken = await claimKnown(store, wanted, own);
      return new Map([...taken].map(([index, codes]) => [setting[index]?.[0] ?? index, codes]));
    },

    async releaseSics(store, freed) {
      const owners = new Map(
        [...freed].flatMap(([itemId, { sics: codes, stamp }]) =>
          codes.map((sic) => [sicKey(store, sic), { itemId, stamp }] as const),
        ),
      );
      const claims = await records.read(sics, [...owners.keys()]);
      const released = [...claims.values()].filter((claim) => {
        const owner = owners.get(claim._id);
        return owner?.itemId === claim.itemId && !isLaterClaim(claim, owner.stamp);
      });
      await records.remove(
        sics,
        released.map(({ _id, rev }) => ({ key: _id, rev })),
      );
    },
  };
}
