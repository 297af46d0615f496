import { MongoBulkWriteError, MongoServerError, type WriteError } from "mongodb";
import { isUnconfirmed } from "./retryable-codes.ts";

const DUPLICATE_KEY = 11_000;

/** Whether a single write was refused because its key is taken. */
export const isDuplicateKey = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === DUPLICATE_KEY;

/**
 * The writes of an unordered batch that were refused because their keys are taken; undefined if one was refused for
 * another reason, if the batch failed as a whole, or if the other writes are not confirmed as the write concern demands.
 */
export function duplicateKeysOf(error: unknown): WriteError[] | undefined {
  if (!(error instanceof MongoBulkWriteError) || isUnconfirmed(error)) return undefined;
  const refused = [error.writeErrors].flat();
  return refused.length > 0 && refused.every(({ code }) => code === DUPLICATE_KEY) ? refused : undefined;
}
