import { type Static, Type } from "typebox";
import { known } from "./text.ts";

export const RowStatus = Type.Enum(
  ["SUCCESS", "SUCCESS_NEW_ITEM", "PENDING", "UNKNOWN", "ITEM_NOT_FOUND", "ERROR_NO_LINK_DEPARTMENTS", "ERROR"],
  { title: "RowStatus" },
);
export type RowStatus = Static<typeof RowStatus>;

/** What became of one row of a request. Item requests have one an item, link requests one a link. */
const Outcome = Type.Object({
  itemId: Type.Optional(Type.String()),
  barcode: Type.Optional(Type.String()),
  displayPosition: Type.Optional(Type.Integer()),
  /** Of the removal of a code: which. */
  sic: Type.Optional(Type.String()),
  /** Of a link of a store, made for many stores at once. */
  storeId: Type.Optional(Type.String()),
  status: RowStatus,
  errors: Type.Array(Type.String()),
});
export type Outcome = Static<typeof Outcome>;

/** In place of outcomes: those of a request that another store applies for this one. */
export interface OutcomesElsewhere {
  store: string;
  number: number;
}
export type KeptOutcome = Outcome | OutcomesElsewhere;

/** The receipt of an asynchronous write. */
export const Receipt = Type.Object(
  { requestId: Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 }) },
  { title: "Receipt" },
);

export const RequestStatus = Type.Enum(["PENDING", "IN_PROGRESS", "COMPLETED", "FAILED"], { title: "RequestStatus" });
export type RequestStatus = Static<typeof RequestStatus>;

export const ItemsResult = Type.Object(
  {
    status: RequestStatus,
    itemResults: Type.Array(
      Type.Object({
        itemId: known(Type.String({ description: "Null while the item of a SIC is not known, or where it has none" })),
        sic: Type.Optional(Type.String({ description: "Of DELETE /items/sic/{sic}: the code" })),
        status: RowStatus,
        errors: Type.Array(Type.String()),
      }),
    ),
  },
  { title: "ItemsResult" },
);

export const LabelsResult = Type.Object(
  { status: RequestStatus, reason: Type.Optional(Type.String()), results: Type.Array(Outcome) },
  { title: "LabelsResult" },
);
