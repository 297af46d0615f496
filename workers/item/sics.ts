import { assignSics, isLaterAssignment, type SicsPlan, type SicsRow } from "../../domain/items/assign-sics.ts";
import type { Commit } from "../../queues/changes/commit.ts";
import { items, sics } from "../../records/kinds/items.ts";
import type { Records } from "../../records/records.ts";
import { exists } from "../../schemas/item.ts";
import { idOf, itemKey, sicKey } from "../../schemas/keys.ts";
import type { Items, ItemWorld } from "./world.ts";

type Lists = ReadonlyMap<string, readonly string[]>;
type Assignments = ReadonlyMap<string, string>;

/**
 * Reads and writes the assignments of secondary item codes. In a store, requests that set codes are applied one at a time. But a
 * stalled process may continue a request that another process has applied, so an assignment never replaces or removes a later
 * assignment.
 */
export function createSics(
  records: Records,
  commit: Commit,
): Pick<ItemWorld, "assignSics" | "releaseSics" | "ownersOf"> {
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
   * Stores assignments of codes without reading first, because most codes in a price list are new. Returns false if a code has
   * an owner or changes owner. In that case, no row is decided, and a stored assignment counts only once its item lists the
   * code.
   */
  async function assignNew(store: string, wanted: readonly SicsRow[], own: Lists, held: Assignments): Promise<boolean> {
    const { taken, assigned } = assignSics(wanted, held, own);
    if (taken.size > 0 || assigned.keys().some((sic) => held.has(sic))) return false;
    const decisions = [...assigned].map(([sic, body]) => ({ key: sicKey(store, sic), current: undefined, body }));
    return (await commit.write(sics, decisions, "bulk")).lost.length === 0;
  }

  /** Stores assignments after reading all current assignments. Returns the codes that other items hold, by row index. */
  async function assignKnown(store: string, wanted: readonly SicsRow[], own: Lists): Promise<SicsPlan["taken"]> {
    const codes = [...wanted.flatMap((row) => row.sics), ...[...own.values()].flat()];
    const assignmentRecords = await records.read(
      sics,
      codes.map((sic) => sicKey(store, sic)),
    );
    const assignments = new Map([...assignmentRecords].map(([key, { itemId }]) => [idOf(key), itemId]));
    const others = await listsOf(
      store,
      [...assignments.values()].filter((itemId) => !own.has(itemId)),
    );
    const plan = assignSics(wanted, assignments, new Map([...others, ...own]));
    await commit.change(
      sics,
      [...plan.assigned.keys()].map((sic) => sicKey(store, sic)),
      (key, current) => {
        const assignment = plan.assigned.get(idOf(key));
        return assignment === undefined || isLaterAssignment(current, assignment.stamp ?? 0) ? undefined : assignment;
      },
      "bulk",
      assignmentRecords,
    );
    return plan.taken;
  }

  return {
    async ownersOf(store, codes) {
      const assignments = await records.read(
        sics,
        codes.map((sic) => sicKey(store, sic)),
      );
      return new Map([...assignments].map(([key, { itemId }]) => [idOf(key), itemId]));
    },

    async assignSics(store, rows, present) {
      const setting = [...rows.entries()].filter(([, { row }]) => row.sics?.length);
      const wanted = setting.map(([, { row, stamp }]) => ({ itemId: row.itemId, sics: row.sics ?? [], stamp }));
      const own = listsIn(present);
      const held = new Map([...own].flatMap(([itemId, codes]) => codes.map((sic) => [sic, itemId] as const)));
      if (wanted.length === 0 || (await assignNew(store, wanted, own, held))) return new Map();
      const taken = await assignKnown(store, wanted, own);
      return new Map([...taken].map(([index, codes]) => [setting[index]?.[0] ?? index, codes]));
    },

    async releaseSics(store, freed) {
      const owners = new Map(
        [...freed].flatMap(([itemId, { sics: codes, stamp }]) =>
          codes.map((sic) => [sicKey(store, sic), { itemId, stamp }] as const),
        ),
      );
      const assignments = await records.read(sics, [...owners.keys()]);
      const released = [...assignments.values()].filter((assignment) => {
        const owner = owners.get(assignment._id);
        return owner?.itemId === assignment.itemId && !isLaterAssignment(assignment, owner.stamp);
      });
      await records.remove(
        sics,
        released.map(({ _id, rev }) => ({ key: _id, rev })),
      );
    },
  };
}
