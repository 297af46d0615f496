import type { Static } from "typebox";
import { inBatches } from "../../schemas/in-batches.ts";
import { fullDesignKey, tenantOf } from "../../schemas/keys.ts";
import { type BulkRow, LinkBulk, PAIRS } from "../../schemas/link-record.ts";
import type { Fault } from "../../schemas/problem.ts";
import { Receipt } from "../../schemas/request.ts";
import { ProblemError } from "../http/problem-error.ts";
import { route } from "../http/route.ts";
import type { AcceptRows } from "../requests/accept-rows.ts";
import { faultOfDesign } from "./link-designs.ts";

export interface LinksBulkWorld {
  acceptRows: AcceptRows;
}

/** Operation on store-level links for every pair of stores and items (docs/integrators/links.md#a-design-in-many-stores). */
export const linksBulk = ({ acceptRows }: LinksBulkWorld) => [
  route({
    method: "POST",
    path: "/links/bulk",
    operationId: "linkBulk",
    summary: "Assign a design to items in many stores, or remove it",
    scope: "links:write",
    body: LinkBulk,
    answers: { 202: Receipt },
    handle: async ({ store, permit, body }) => {
      const { storeIds, itemIds, operation, designId } = body;
      const errors = faultsOf(tenantOf(store), body);
      if (errors.length > 0) throw new ProblemError("invalid-request", "The bulk request is invalid.", { errors });
      const foreign = storeIds.find((storeId) => permit.stores !== "*" && !permit.stores.has(storeId));
      if (foreign !== undefined)
        throw new ProblemError("forbidden", `The token is not valid for the store "${foreign}".`);
      const design =
        operation === "LINK" && designId ? { designId: fullDesignKey(tenantOf(store), designId) ?? "" } : {};
      const rows = rowsOf(storeIds, itemIds).map((row): BulkRow => ({ ...row, operation, ...design }));
      const weights = rows.map((row) => row.storeIds.length * row.itemIds.length);
      const requestId = await acceptRows({ store, operation: "bulk-links", rows, weights, ordered: true });
      return { status: 202, body: { requestId } };
    },
  }),
];

function faultsOf(tenant: string, { storeIds, itemIds, operation, designId }: Static<typeof LinkBulk>): Fault[] {
  const pairs = storeIds.length * itemIds.length;
  return [
    ...(pairs > PAIRS
      ? [{ pointer: "", detail: `has ${pairs} pairs of a store and an item, more than the maximum of ${PAIRS}` }]
      : []),
    ...(operation === "LINK" && !designId
      ? [{ pointer: "/designId", detail: "is missing: LINK requires a design" }]
      : []),
    ...(operation === "LINK" ? faultOfDesign(tenant, "/designId", designId) : []),
  ];
}

const PAIRS_PER_ROW = 1000;

/** Groups the pairs into rows of at most PAIRS_PER_ROW, in order: all items of the first store, then of the second. */
export function rowsOf(
  storeIds: readonly string[],
  itemIds: readonly string[],
): Pick<BulkRow, "storeIds" | "itemIds">[] {
  if (itemIds.length > PAIRS_PER_ROW)
    return storeIds.flatMap((storeId) =>
      inBatches(itemIds, PAIRS_PER_ROW).map((part) => ({ storeIds: [storeId], itemIds: part })),
    );
  return inBatches(storeIds, Math.floor(PAIRS_PER_ROW / itemIds.length)).map((part) => ({
    storeIds: part,
    itemIds: [...itemIds],
  }));
}
