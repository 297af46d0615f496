import type { AppliedRow } from "./contradictions.ts";
import type { SentRequest } from "./last-requests.ts";
import type { Drawn } from "./redraw.ts";
import { type StatedResult, succeeded } from "./store-contradictions.ts";

/**
 * Finds the row that set an item's price among the store's last requests, newest first. Returns undefined if a newer request
 * names the item or applies scheduled changes, or if a test wrote the item after all requests.
 */
export function rowsApplied(
  requests: readonly { sent: SentRequest; result: StatedResult["result"] | undefined }[],
): (item: Pick<Drawn, "itemId" | "itemRev">) => AppliedRow | undefined {
  const rows = new Map<string, AppliedRow | undefined>();
  for (const { sent, result } of requests) {
    if (sent.operation === "apply-scheduled") break;
    for (const [index, { itemId = "", price, validFrom }] of [...sent.rows.entries()].reverse()) {
      if (rows.has(itemId)) continue;
      const isApplied = price && !validFrom && succeeded.includes(result?.itemResults[index]?.status ?? "");
      rows.set(itemId, isApplied ? { requestId: sent.requestId, price } : undefined);
    }
  }
  const lastApplied = Math.max(...requests.map(({ sent }) => sent.appliedAt));
  return ({ itemId, itemRev }) => (itemRev <= lastApplied ? rows.get(itemId) : undefined);
}
