import { MongoBulkWriteError, MongoServerError, type WriteError } from "mongodb";

const DUPLICATE_KEY = 11_000;

/** Whether a single write was refused because its key is taken. */
export const isDuplicateKey = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === DUPLICATE_KEY;

/**
 * The writes of an unordered batch that were refused because their keys are taken; undefined where one was refused for
 * anything else, and where the batch failed as a whole. None where only the write concern was not met.
 */
export function duplicateKeysOf(error: unknown): WriteError[] | undefined {
  if (!(error instanceof MongoBulkWriteError)) return undefined;
  const refused = [error.writeErrors].flat();
  return refused.every(({ code }) => code === DUPLICATE_KEY) ? refused : undefined;
}
