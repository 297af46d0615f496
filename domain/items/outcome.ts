import type { Outcome } from "../../schemas/request.ts";
import { type RowNotice, rowErrors, rowNotice } from "../../schemas/row-notice.ts";

export const success = (itemId: string, isNew: boolean): Outcome => ({
  itemId,
  status: isNew ? "SUCCESS_NEW_ITEM" : "SUCCESS",
  errors: [],
});

/** Returns the outcome of a row that took effect in part. If nothing took effect, the row failed as a whole. */
export const inPart = (itemId: string, tookEffect: boolean, notices: readonly RowNotice[]): Outcome => ({
  itemId,
  status: tookEffect ? "PARTIAL" : "ERROR",
  ...rowErrors(...notices),
});

export const failure = (itemId: string, ...notices: readonly RowNotice[]): Outcome => ({
  itemId,
  status: "ERROR",
  ...rowErrors(...notices),
});

export const notFound = (itemId: string): Outcome => ({
  itemId,
  status: "ITEM_NOT_FOUND",
  ...rowErrors(rowNotice("ITEM_UNKNOWN", { item: itemId })),
});

export const sicNotFound = (sic: string): Outcome => ({
  sic,
  status: "ITEM_NOT_FOUND",
  ...rowErrors(rowNotice("SIC_UNKNOWN", { code: sic })),
});
