import { setTimeout as wait } from "node:timers/promises";
import { type Db, MongoClient, MongoError } from "mongodb";

export interface Database {
  db: Db;
  close(): Promise<void>;
}

const CONNECT_INTERVAL_MS = 500;

/**
 * A client of the records' database. It connects at its first use, and again whenever the server is
 * back; a step of an operation that has no answer after `timeoutMs` fails with an error that
 * `isUnavailable` knows. Every write is acknowledged by a majority, in the journal.
 */
export function openDatabase(url: string, database: string, timeoutMs: number): Database {
  const client = new MongoClient(url, {
    ignoreUndefined: true,
    serverSelectionTimeoutMS: timeoutMs,
    connectTimeoutMS: timeoutMs,
    waitQueueTimeoutMS: timeoutMs,
    socketTimeoutMS: timeoutMs,
    writeConcern: { w: "majority", journal: true },
    // Who called tries again, or is told to: a second wait here would come on top of theirs.
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

/** Once it was connected the driver connects again by itself; a client whose first connection failed stays closed for good. */
async function keepConnecting(client: MongoClient, closed: AbortSignal): Promise<void> {
  while (!closed.aborted) {
    const isConnected = await client.connect().then(
      () => true,
      // Whoever asks the database meanwhile is told what is wrong.
      () => false,
    );
    if (isConnected) return;
    await wait(CONNECT_INTERVAL_MS, undefined, { ref: false });
  }
}

/** Thrown where the database did not answer in the time that its caller had. */
export class UnavailableError extends Error {
  override readonly name = "UnavailableError";
}

/**
 * What `promise` gives, if it gives it in time. What it started may still happen. An answer that lay unread while this
 * process was busy is in time: it is read before anything counts as late.
 */
export async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const refuse = () => late.reject(new UnavailableError(`no answer within ${milliseconds} ms`));
  const timer = setTimeout(() => setImmediate(refuse), milliseconds);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

const unavailable = new Set([
  "MongoNetworkError",
  "MongoNetworkTimeoutError",
  "MongoServerSelectionError",
  "MongoWaitQueueTimeoutError",
  "MongoNotConnectedError",
  "MongoTopologyClosedError",
  "MongoPoolClearedError",
  "MongoPoolClosedError",
  "MongoExpiredSessionError",
  "MongoWriteConcernError",
]);

/** What a connection may fail with before the driver has put a name to it. */
const broken = new Set([
  "EPIPE",
  "ECONNRESET",
  "ECONNREFUSED",
  "ECONNABORTED",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);

/** Whether an error says that the database could not be reached, rather than that it refused. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof UnavailableError) return true;
  if (error instanceof Error && "code" in error && broken.has(String(error.code))) return true;
  if (!(error instanceof MongoError)) return false;
  return (
    unavailable.has(error.name) ||
    error.hasErrorLabel("RetryableWriteError") ||
    error.hasErrorLabel("RetryableError") ||
    isUnavailable(error.cause)
  );
}
