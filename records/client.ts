import { setTimeout as wait } from "node:timers/promises";
import {
  type Db,
  MongoClient,
  type MongoClientOptions,
  MongoError,
  MongoNetworkError,
  MongoServerError,
} from "mongodb";
import { SettingsError } from "../schemas/environment.ts";
import { endClosedWrites } from "./mongodb/end-closed-writes.ts";
import { refusalOf } from "./mongodb/refusals.ts";
import { isRetryable } from "./mongodb/retryable-codes.ts";

export interface Database {
  db: Db;
  close(): Promise<void>;
}

endClosedWrites();

const CONNECT_INTERVAL_MS = 500;
/** Matches an address that itself sets the name under which the server lists its connections. */
const NAMES_APP = /[?&]appName=/i;

/**
 * A client of the database. It connects in the background and reconnects whenever the server is back. If a step of an operation
 * gets no response within `timeoutMs`, it fails with an error for which `isUnavailable` is true. Every write except a repeatable
 * one (mongodb/repeatable.ts) is acknowledged by a majority and journaled by the server. The server lists the client's
 * connections under `appName`.
 */
export function openDatabase(url: string, database: string, timeoutMs: number, appName = "shelfwire"): Database {
  const client = openClient(url, {
    ...(!NAMES_APP.test(url) && { appName }),
    ignoreUndefined: true,
    // Rows and outcomes of chunks are long texts; each of their characters would be checked.
    enableUtf8Validation: false,
    serverSelectionTimeoutMS: timeoutMs,
    connectTimeoutMS: timeoutMs,
    waitQueueTimeoutMS: timeoutMs,
    socketTimeoutMS: timeoutMs,
    writeConcern: { w: "majority", journal: true },
    // Callers retry or return 503, and a retry by the driver would double their waiting time.
    retryReads: false,
    readPreference: "primary",
    readConcern: { level: "majority" },
  });
  const closed = new AbortController();
  void keepConnecting(client, closed.signal);
  return {
    db: client.db(database),
    close() {
      closed.abort();
      return client.close();
    },
  };
}

/** Connects once; rejects with the reason if no primary responds within `timeoutMs`. */
export async function assertReachable(url: string, timeoutMs: number): Promise<void> {
  const client = openClient(url, { serverSelectionTimeoutMS: timeoutMs, connectTimeoutMS: timeoutMs });
  try {
    await client.connect();
    await client.db().command({ ping: 1 });
  } finally {
    await client.close();
  }
}

/** Throws a SettingsError if the driver cannot read the address. */
function openClient(url: string, options: MongoClientOptions): MongoClient {
  try {
    return new MongoClient(url, options);
  } catch (error) {
    throw new SettingsError([`MONGODB_URL cannot be parsed: ${(error as Error).message}`]);
  }
}

/** Establishes the first connection. The driver reconnects by itself, except for a client whose first connection failed. */
async function keepConnecting(client: MongoClient, closed: AbortSignal): Promise<void> {
  while (!closed.aborted) {
    const isConnected = await client.connect().then(
      () => true,
      // Not logged: operations that run in the meantime fail with the reason.
      () => false,
    );
    if (isConnected) return;
    await wait(CONNECT_INTERVAL_MS, undefined, { ref: false });
  }
}

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

/** Whether an error comes from the database or its driver, whose messages are for operators. */
export const isOfDatabase = (error: unknown): boolean => error instanceof MongoError;

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
