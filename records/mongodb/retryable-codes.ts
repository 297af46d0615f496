import { createRequire } from "node:module";
import { MongoBulkWriteError, type MongoError, MongoServerError } from "mongodb";

/**
 * The driver's own checks for failover error codes. The driver does not export them, and they are not duplicated here
 * (docs/decisions/records/failover-codes.md). Each takes a driver error.
 */
const lists = createRequire(import.meta.url)("mongodb/lib/error.js") as Record<
  "isRetryableReadError" | "isStateChangeError" | "isResumableError",
  (error: MongoError) => boolean
>;

/**
 * Whether an error, or one of the writes of a batch, has a code with which a server reports that it cannot respond now: it is
 * no longer primary, is shutting down or recovering, or has lost a cursor. The same operation may succeed a moment later.
 */
export const isRetryable = (error: MongoError): boolean =>
  codesOf(error).some(({ code }) => isRetryableCode(code)) || isUnconfirmed(error);

/** Whether any writes of a batch do not satisfy the write concern: these may be rolled back. */
export const isUnconfirmed = (error: MongoError): boolean =>
  error instanceof MongoBulkWriteError && error.result.getWriteConcernError() !== undefined;

/** Checks only the code: the driver's functions also match messages, and a message may quote a caller's text. */
function isRetryableCode(code: number): boolean {
  const error = new MongoServerError({ message: "", code });
  return lists.isRetryableReadError(error) || lists.isStateChangeError(error) || lists.isResumableError(error);
}

/** Returns the codes of an error and of the individual writes of a batch, each with its text. */
export function codesOf(error: MongoError): { code: number; text: string }[] {
  const writes = error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : [];
  const all = [{ code: error.code, errmsg: error.message }, ...writes];
  return all.flatMap(({ code, errmsg = "" }) => (typeof code === "number" ? [{ code, text: errmsg }] : []));
}
