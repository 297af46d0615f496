import { MongoError, MongoNetworkError, MongoServerError } from "mongodb";
import { refusalOf } from "./refusals.ts";
import { isRetryable } from "./retryable-codes.ts";

/** Thrown if the database did not respond within its caller's time limit. */
export class UnavailableError extends Error {
  override readonly name = "UnavailableError";
}

/**
 * The result of `promise`, or UnavailableError if it takes longer than `milliseconds`. The operation itself is not cancelled. A
 * response that arrived while this process was busy counts as in time: pending input is read before the timeout takes effect.
 */
export async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const refuse = () => late.reject(new UnavailableError(`no response within ${milliseconds} ms`));
  const timer = setTimeout(() => setImmediate(refuse), milliseconds);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Driver errors, other than network errors, that say nothing about the operation itself. */
const unavailable = new Set([
  "MongoServerSelectionError",
  "MongoWaitQueueTimeoutError",
  "MongoNotConnectedError",
  "MongoTopologyClosedError",
  "MongoServerClosedError",
  "MongoClientClosedError",
  "MongoPoolClosedError",
  "MongoExpiredSessionError",
  "MongoStalePrimaryError",
  "MongoWriteConcernError",
]);

/** Codes of connection errors that the driver has not wrapped in a MongoError. */
const broken = new Set([
  "EPIPE",
  "ECONNRESET",
  "ECONNREFUSED",
  "ECONNABORTED",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);

/**
 * Whether an error says nothing about the operation itself: the database could not be reached or could not respond, for example
 * during a failover, or it refuses all such operations until an operator intervenes.
 */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof UnavailableError) return true;
  if (error instanceof Error && "code" in error && broken.has(String(error.code))) return true;
  if (!(error instanceof MongoError)) return false;
  return (
    error instanceof MongoNetworkError ||
    unavailable.has(error.name) ||
    error.hasErrorLabel("RetryableWriteError") ||
    error.hasErrorLabel("RetryableError") ||
    isRetryable(error) ||
    refusalOf(error) !== undefined ||
    isUnavailable(error.cause) ||
    // The error of a batch that failed as a whole wraps the error of its connection.
    (error instanceof MongoServerError && isUnavailable(error.errorResponse))
  );
}

/** Whether an error comes from the database or its driver, whose messages are for operators. */
export const isOfDatabase = (error: unknown): boolean => error instanceof MongoError;
