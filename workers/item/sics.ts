import type { Commit } from "../../queues/commit.ts";
import { items } from "../../records/kinds/item.ts";
import { sics } from "../../records/kinds/sic.ts";
import type { Records } from "../../records/records.ts";
import { exists } from "../../schemas/item.ts";
import { idOf, itemKey, sicKey } from "../../schemas/keys.ts";
import { claimSics } from "./claim-sics.ts";
import type { Dependencies, Items } from "./index.ts";

/** Keeps the claims of codes. Safe without more guards, because requests that set codes are applied one at a time a store. */
export function createSics(records: Records, commit: Commit): Pick<Dependencies, "claimSics" | "releaseSics"> {
  const listsIn = (found: Items): Map<string, readonly string[]> =>
    new Map([...found.values()].filter(exists).map((item) => [item.itemId, item.sics]));

  const listsOf = async (store: string, itemIds: readonly string[]): Promise<Map<string, readonly string[]>> =>
    listsIn(
      await records.read(
        items,
        itemIds.map((itemId) => itemKey(store, itemId)),
      ),
    );

  return {
    async claimSics(store, rows, present) {
      const setting = [...rows.entries()].filter(([, row]) => row.sics?.length);
      if (setting.length === 0) return new Map();
      const wanted = setting.map(([, row]) => ({ itemId: row.itemId, sics: row.sics ?? [] }));
      const own = listsIn(present);
      // A code that an item lists was claimed before: only the others are asked for.
      const held = new Map([...own].flatMap(([itemId, codes]) => codes.map((sic) => [sic, itemId] as const)));
      const asked = wanted.flatMap((row) => row.sics).filter((sic) => !held.has(sic));
      const claimRecords = await records.read(
        sics,
        asked.map((sic) => sicKey(store, sic)),
      );
      const claims = new Map([...held, ...[...claimRecords].map(([key, { itemId }]) => [idOf(key), itemId] as const)]);
      const others = await listsOf(
        store,
        [...claims.values()].filter((itemId) => !own.has(itemId)),
      );
      const plan = claimSics(wanted, claims, new Map([...others, ...own]));
      await commit.change(
        sics,
        [...plan.claimed.keys()].map((sic) => sicKey(store, sic)),
        (key) => ({ itemId: plan.claimed.get(idOf(key)) ?? "" }),
        "bulk",
        plan.claimed.keys().every((sic) => !held.has(sic)) ? claimRecords : undefined,
      );
      return new Map([...plan.refused].map(([place, reason]) => [setting[place]?.[0] ?? place, reason]));
    },

    async releaseSics(store, freed) {
      const owners = new Map([...freed].flatMap(([itemId, codes]) => codes.map((sic) => [sicKey(store, sic), itemId])));
      const claims = await records.read(sics, [...owners.keys()]);
      const released = [...claims.values()].filter(({ _id, itemId }) => owners.get(_id) === itemId);
      await records.remove(
        sics,
        released.map(({ _id, rev }) => ({ key: _id, rev })),
      );
    },
  };
}
