import { Type } from "typebox";
import { ItemId } from "../../schemas/item.ts";
import type { UnlinkRow } from "../../schemas/link-record.ts";
import { Receipt } from "../../schemas/request.ts";
import { identifier } from "../../schemas/text.ts";
import { route } from "../http/route.ts";
import { LabelPath } from "../labels/labels.ts";
import type { AcceptRows } from "../requests/accept-rows.ts";

export interface UnlinksWorld {
  acceptRows: AcceptRows;
}

const PositionPath = Type.Object({
  barcode: identifier(64, "Label barcode"),
  displayPosition: Type.String({
    pattern: "^(\\d|[1-9]\\d|1\\d\\d|2[0-4]\\d|25[0-5])$",
    errorMessage: "must be a position from 0 to 255",
    examples: ["0"],
    description: "0-based position of the item on the label, at most 255",
  }),
});

/** Operations that unlink (docs/integrators/links.md#unlinking). The request's result has a row for each removed link. */
export const unlinks = ({ acceptRows }: UnlinksWorld) => {
  const accept = async (store: string, row: UnlinkRow) => ({
    status: 202,
    body: { requestId: await acceptRows({ store, operation: "unlink", rows: [row], ordered: true }) },
  });

  return [
    route({
      method: "DELETE",
      path: "/labels/:barcode/links",
      operationId: "unlinkLabel",
      summary: "Unlink all items of a label",
      scope: "labels:write",
      params: LabelPath,
      answers: { 202: Receipt },
      handle: ({ store, params: { barcode } }) => accept(store, { barcode }),
    }),

    route({
      method: "DELETE",
      path: "/labels/:barcode/links/:displayPosition",
      operationId: "unlinkPosition",
      summary: "Unlink the item at one position of a label",
      scope: "labels:write",
      params: PositionPath,
      answers: { 202: Receipt },
      handle: ({ store, params: { barcode, displayPosition } }) =>
        accept(store, { barcode, displayPosition: Number(displayPosition) }),
    }),

    route({
      method: "DELETE",
      path: "/items/:itemId/links",
      operationId: "unlinkItem",
      summary: "Unlink all labels of an item",
      scope: "labels:write",
      params: Type.Object({ itemId: ItemId }),
      answers: { 202: Receipt },
      handle: ({ store, params: { itemId } }) => accept(store, { itemId }),
    }),
  ];
};
