import { storeIds, storeKey } from "../../../../schemas/keys.ts";
import type { OrderToSend } from "../label-server.ts";

/** The topics of the gateways behind a broker: each store has its own tree (docs/label-servers/mqtt.md#topics). */
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
    /** What a store's gateway subscribes to: everything for its labels. */
    toLabels: (store: string): string => `${treeOf(store)}/labels/#`,
    reports: (store: string): string => `${treeOf(store)}/reports`,
    state: (store: string): string => `${treeOf(store)}/state`,
    /** The topics of reports, and of states, of every store. */
    everyReports: `${prefix}/+/+/reports`,
    everyState: `${prefix}/+/+/state`,

    /** The store of a topic of reports or of a state, by its key. */
    storeOf(topic: string): string {
      const [tenantId = "", storeId = ""] = topic.slice(prefix.length + 1).split("/");
      return storeKey(decodeURIComponent(tenantId), decodeURIComponent(storeId));
    },
    /** What a topic below `toLabels` is for; undefined if it is of another form. */
    readLabelTopic(topic: string): { barcode: string; rest: string[] } | undefined {
      const [, , labels, barcode, ...rest] = topic.slice(prefix.length + 1).split("/");
      return labels === "labels" && barcode ? { barcode: decodeURIComponent(barcode), rest } : undefined;
    },
  };
}

export type Topics = ReturnType<typeof topicsUnder>;

/** An id as one level of a topic: a slash, a wildcard or a control character in it is percent-encoded. */
const levelOf = (id: string): string => encodeURIComponent(id);
