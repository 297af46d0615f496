import { MongoBulkWriteError, MongoServerError, type WriteError } from "mongodb";
import { isUnconfirmed } from "./retryable-codes.ts";

const DUPLICATE_KEY = 11_000;

/** Whether a single write was rejected because its key is taken. */
export const isDuplicateKey = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === DUPLICATE_KEY;

/**
 * Returns the writes of a batch that were rejected because their keys are taken; an ordered batch ends with the first of them.
 * Returns undefined if a write was rejected for a different reason, if the batch failed as a whole, or if the other writes do not
 * satisfy the write concern.
 */
export function duplicateKeysOf(error: unknown): WriteError[] | undefined {
  if (!(error instanceof MongoBulkWriteError) || isUnconfirmed(error)) return undefined;
  const refused = [error.writeErrors].flat();
  return refused.length > 0 && refused.every(({ code }) => code === DUPLICATE_KEY) ? refused : undefined;
}
