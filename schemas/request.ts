import { type Static, Type } from "typebox";
import { HeldReceipt } from "./held-request.ts";
import { RowNotices } from "./row-notice.ts";
import { known } from "./text.ts";

/** The maximum number of rows in a request. A stamp has room for more (`stampOf`). */
export const MAX_ROWS = 20_000;

export const RowStatus = Type.Enum(
  [
    "SUCCESS",
    "SUCCESS_NEW_ITEM",
    "PARTIAL",
    "PENDING",
    "UNKNOWN",
    "ITEM_NOT_FOUND",
    "ERROR_NO_LINK_DEPARTMENTS",
    "ERROR",
  ],
  {
    title: "RowStatus",
    description:
      "Outcome of a row. PENDING: not known yet. SUCCESS_NEW_ITEM: applied, and the item was created. PARTIAL: applied, except for what " +
      "`errors` lists. UNKNOWN: invalid barcode or unknown label type. ERROR: see `errors`",
  },
);
export type RowStatus = Static<typeof RowStatus>;

const place = Type.Optional(
  Type.Integer({ minimum: 0, description: "With `onlyErrors`: the row's index among all rows of the result, from 0" }),
);

/** The outcome of a request's row: one for each item, or one for each link. */
const Outcome = Type.Object({
  itemId: Type.Optional(Type.String()),
  barcode: Type.Optional(Type.String()),
  displayPosition: Type.Optional(Type.Integer()),
  /** The code, if a row removes one. */
  sic: Type.Optional(Type.String()),
  /** The store, if a request covers many stores. */
  storeId: Type.Optional(Type.String()),
  status: RowStatus,
  errors: Type.Array(Type.String()),
  notices: Type.Optional(RowNotices),
});
export type Outcome = Static<typeof Outcome>;

/** A reference to the outcomes of a child request in another store. */
export interface OutcomesElsewhere {
  store: string;
  number: number;
}
/** An entry of the outcomes that a chunk in the journal stores. */
export type KeptOutcome = Outcome | OutcomesElsewhere;

/** Response to an asynchronous write. */
export const Receipt = Type.Object(
  { requestId: Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 }), held: Type.Optional(HeldReceipt) },
  { title: "Receipt" },
);

export const RequestStatus = Type.Enum(["PENDING", "IN_PROGRESS", "COMPLETED"], {
  title: "RequestStatus",
  description: "Progress of the request; COMPLETED once every row has its outcome",
});
export type RequestStatus = Static<typeof RequestStatus>;

/** Overall status of a request. */
export const OverallStatus = Type.Enum(["PENDING", "IN_PROGRESS", "SUCCESS", "PARTIAL_SUCCESS", "ERROR"], {
  title: "OverallStatus",
  description:
    "PENDING or IN_PROGRESS until every row has its outcome; then SUCCESS, PARTIAL_SUCCESS or ERROR, if all, some or none of the rows succeeded",
});
export type OverallStatus = Static<typeof OverallStatus>;

export const ItemsResult = Type.Object(
  {
    status: RequestStatus,
    overallStatus: OverallStatus,
    itemErrorCount: Type.Integer({
      minimum: 0,
      description: "Number of rows that have failed so far, completely or in part",
    }),
    itemResults: Type.Array(
      Type.Object({
        place,
        itemId: known(Type.String({ description: "Null until the SIC's item is known, or if no item has the SIC" })),
        sic: Type.Optional(Type.String({ description: "For DELETE /items/sic/{sic}: the code" })),
        status: RowStatus,
        errors: Type.Array(Type.String()),
        notices: Type.Optional(RowNotices),
      }),
    ),
  },
  { title: "ItemsResult" },
);

export const LabelsResult = Type.Object(
  {
    status: RequestStatus,
    overallStatus: OverallStatus,
    labelErrorCount: Type.Integer({
      minimum: 0,
      description: "Number of rows that have failed so far, completely or in part",
    }),
    results: Type.Array(Type.Object({ place, ...Outcome.properties })),
  },
  { title: "LabelsResult" },
);
