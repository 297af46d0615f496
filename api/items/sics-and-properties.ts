import { Type } from "typebox";
import { ItemId, PropertyKey, Sic } from "../../schemas/item.ts";
import { Receipt } from "../../schemas/request.ts";
import { route } from "../http/route.ts";
import type { AcceptRows } from "../requests/accept-rows.ts";

export interface SicsAndPropertiesWorld {
  acceptRows: AcceptRows;
}

/** Removal of an item's secondary item codes (SICs) and custom properties. */
export const itemParts = ({ acceptRows }: SicsAndPropertiesWorld) => [
  route({
    method: "DELETE",
    path: "/items/sic/:sic",
    operationId: "deleteSic",
    summary: "Remove a secondary item code from its item; the item is kept",
    scope: "items:write",
    params: Type.Object({ sic: Sic }),
    answers: { 202: Receipt },
    handle: async ({ store, params: { sic } }) => ({
      status: 202,
      body: { requestId: await acceptRows({ store, operation: "remove-sics", rows: [{ sic }], ordered: true }) },
    }),
  }),

  route({
    method: "DELETE",
    path: "/items/:itemId/properties/:key",
    operationId: "deleteProperty",
    summary: "Remove a custom property from an item",
    scope: "items:write",
    params: Type.Object({ itemId: ItemId, key: PropertyKey }),
    answers: { 202: Receipt },
    handle: async ({ store, params: { itemId, key: property } }) => {
      const rows = [{ itemId, property }];
      const requestId = await acceptRows({ store, operation: "remove-properties", rows, ordered: true });
      return { status: 202, body: { requestId } };
    },
  }),
];
