import { storeIds, storeKey } from "../../../../schemas/keys.ts";
import type { OrderToSend } from "../label-server.ts";

/** Creates the topics of the gateways behind a broker: each store has its own tree (docs/label-servers/mqtt.md#topics). */
export function topicsUnder(prefix: string) {
  const treeOf = (store: string): string => {
    const { tenantId, storeId } = storeIds(store);
    return `${prefix}/${levelOf(tenantId)}/${levelOf(storeId)}`;
  };
  const labelOf = (store: string, barcode: string): string => `${treeOf(store)}/labels/${levelOf(barcode)}`;

  return {
    page: (store: string, barcode: string, page: number): string => `${labelOf(store, barcode)}/pages/${page}`,
    segments: (store: string, barcode: string): string => `${labelOf(store, barcode)}/segments`,
    order: (store: string, barcode: string, order: OrderToSend["order"]): string =>
      `${labelOf(store, barcode)}/orders/${order}`,
    /** The filters for the report topics and the state topics of all stores. */
    everyReports: `${prefix}/+/+/reports`,
    everyState: `${prefix}/+/+/state`,

    /** Returns the store key for a report or state topic. Tenant and store ids need no decoding. */
    storeOf(topic: string): string {
      const [tenantId = "", storeId = ""] = topic.slice(prefix.length + 1).split("/");
      return storeKey(tenantId, storeId);
    },
  };
}

export type Topics = ReturnType<typeof topicsUnder>;

/** Returns an id as one topic level, with slashes, wildcards and control characters percent-encoded. */
const levelOf = (id: string): string => encodeURIComponent(id);
