import type { Outcome } from "../../schemas/request.ts";

export const success = (itemId: string, isNew: boolean): Outcome => ({
  itemId,
  status: isNew ? "SUCCESS_NEW_ITEM" : "SUCCESS",
  errors: [],
});

/** The outcome of a row that took effect in part; it failed as a whole if nothing took effect. */
export const inPart = (itemId: string, tookEffect: boolean, errors: string[]): Outcome => ({
  itemId,
  status: tookEffect ? "PARTIAL" : "ERROR",
  errors,
});

export const failure = (itemId: string, errors: string[]): Outcome => ({ itemId, status: "ERROR", errors });

export const notFound = (itemId: string): Outcome => ({
  itemId,
  status: "ITEM_NOT_FOUND",
  errors: [`the item "${itemId}" does not exist`],
});

export const sicFailure = (sic: string, errors: string[]): Outcome => ({ sic, status: "ERROR", errors });

export const sicNotFound = (sic: string): Outcome => ({
  sic,
  status: "ITEM_NOT_FOUND",
  errors: [`no item has the SIC "${sic}"`],
});
