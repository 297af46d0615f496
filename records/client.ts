import { setTimeout as wait } from "node:timers/promises";
import { type Db, MongoClient, type MongoClientOptions } from "mongodb";
import { SettingsError } from "../schemas/environment.ts";
import { endClosedWrites } from "./mongodb/end-closed-writes.ts";

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
 * gets no response within `timeoutMs`, it fails with an error for which `isUnavailable` (mongodb/unavailable.ts) is true. Every
 * write except a repeatable one (mongodb/repeatable.ts) is acknowledged by a majority and journaled by the server. The server
 * lists the client's connections under `appName`.
 */
export function openDatabase(url: string, database: string, timeoutMs: number, appName = "shelfwire"): Database {
  const client = openClient(url, {
    ...(!NAMES_APP.test(url) && { appName }),
    ignoreUndefined: true,
    // Validation would check every character of the chunks' rows and outcomes, which are long strings.
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
