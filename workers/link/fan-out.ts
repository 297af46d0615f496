import type { EnqueueChunks } from "../../queues/requests/enqueue-chunks.ts";
import type { ApplyJournaledRows, ApplyRows, JournaledRow } from "../../queues/requests/stamped-rows.ts";
import { stores } from "../../records/kinds/tenants.ts";
import type { Records } from "../../records/records.ts";
import type { AcceptChildren } from "../../records/requests/child-requests.ts";
import { storeIds as storeIdsOf, storeKey } from "../../schemas/keys.ts";
import type { BulkRow, StoreLinksRow } from "../../schemas/link-record.ts";
import type { KeptOutcome, Outcome } from "../../schemas/request.ts";
import { rowErrors, rowNotice } from "../../schemas/row-notice.ts";
import type { Urgency } from "../../schemas/urgency.ts";

interface Dependencies {
  records: Records;
  acceptChildren: AcceptChildren;
  enqueueChunks: EnqueueChunks;
  /** Creates and ends store-level links in one store. */
  changeStoreLinks: ApplyRows<StoreLinksRow>;
}

/**
 * Applies a bulk request: the pairs of its own store under its own number, and the pairs of every other store through a request
 * in that store, which has its own outcomes. It does not wait for those requests, since two stores whose bulk requests refer to
 * each other would wait forever.
 */
export function createFanOut({
  records,
  acceptChildren,
  enqueueChunks,
  changeStoreLinks,
}: Dependencies): ApplyJournaledRows<BulkRow> {
  async function applyRow(
    own: string,
    { row: { storeIds, ...pairs }, stamp, chunk }: JournaledRow<BulkRow>,
    urgency: Urgency,
  ): Promise<KeptOutcome[]> {
    const { tenantId } = storeIdsOf(own);
    const named = [...new Set(storeIds.map((storeId) => storeKey(tenantId, storeId)))];
    const known = await records.readRevs(stores, named);
    const others = named.filter((store) => store !== own && known.has(store));
    const children = await acceptChildren({
      parent: chunk._id,
      stamp,
      stores: others,
      request: {
        operation: "store-links",
        rows: [pairs],
        weights: [pairs.itemIds.length],
        ordered: true,
        cause: chunk.cause,
      },
      urgency,
    });
    await enqueueChunks(children);
    const [ownOutcomes = []] = named.includes(own) ? await changeStoreLinks(own, [{ row: pairs, stamp }], urgency) : [];
    const elsewhere = new Map(children.map(({ store, number }) => [store, { store, number }]));
    return storeIds.flatMap((storeId): KeptOutcome[] => {
      const store = storeKey(tenantId, storeId);
      if (store === own) return ownOutcomes;
      const there = elsewhere.get(store);
      return there ? [there] : unknownStore(storeId, pairs);
    });
  }

  return async (store, rows, urgency) => {
    const outcomes: KeptOutcome[][] = [];
    // Rows are applied one by one, since each is a batch of up to a thousand pairs.
    for (const row of rows) outcomes.push(await applyRow(store, row, urgency));
    return outcomes;
  };
}

const unknownStore = (storeId: string, { itemIds }: StoreLinksRow): Outcome[] =>
  itemIds.map((itemId) => ({
    storeId,
    itemId,
    status: "ERROR",
    ...rowErrors(rowNotice("STORE_UNKNOWN", { store: storeId })),
  }));
