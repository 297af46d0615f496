import type { Redis } from "ioredis";
import {
  keepStream,
  lastEntryOf,
  readStream,
  readStreamUpTo,
  type StreamEntry,
} from "../../../queues/publish/streams.ts";

/** A tail's listener. It receives the text of an entry's events (all, or only one store's) or of a comment. */
export interface Listener {
  /** Key of the store whose events it receives; events of all stores if absent. */
  store: string | undefined;
  push(text: string): void;
}

/** Creates the text of an entry's events (all, or only one store's); empty if there are none. */
export type TextOf = (store: string | undefined) => string;

/** Reads a stream once for all tails of a topic in this process. */
export interface Feed {
  /**
   * Yields the texts of the entries after `after` that the feed has already read, one at a time and no faster than the
   * reader takes them. The listener is then added, and receives all later texts without a gap. Without `after` there is
   * nothing to catch up with.
   */
  catchUp(listener: Listener, after: string | undefined): AsyncIterable<string>;
  leave(listener: Listener): void;
  close(): void;
}

interface FeedWorld {
  redis: Redis;
  /** The current time in milliseconds. */
  clock(): number;
  key: string;
  textOf(entry: StreamEntry): Promise<TextOf>;
  /** Called once when the stream can no longer be read. */
  onError(error: Error): void;
}

/**
 * How often the stream is polled. A blocking read would occupy a connection for each topic of each tenant, and Redis
 * plans limit connections.
 */
const POLL_INTERVAL_MS = 200;
/** How often a stream is kept alive, because Redis may have lost it and nothing is written to a missing stream. */
const KEEP_INTERVAL_MS = 5_000;
/** A tail that has received nothing for this long is sent a comment, before a proxy closes its connection as idle. */
const QUIET_MS = 15_000;
const STILL_HERE = ": still here\n\n";
const BEGUN = ": changes follow\n\n";

export function openFeed({ redis, clock, key, textOf, onError }: FeedWorld): Feed {
  /** The time of the last text for each listener. */
  const listeners = new Map<Listener, number>();
  let isClosed = false;
  let position = "";
  let timer: NodeJS.Timeout | undefined;

  let keptAt = clock();
  const started = keepStream(redis, key)
    .then(() => lastEntryOf(redis, key))
    .then((id) => {
      position = id;
    });

  async function keep(): Promise<void> {
    if (clock() - keptAt < KEEP_INTERVAL_MS) return;
    // While Redis is unreachable the next check tries again.
    await keepStream(redis, key).then(
      () => {
        keptAt = clock();
      },
      () => {},
    );
  }

  async function run(): Promise<void> {
    await started;
    const give = (listener: Listener, text: string) => {
      if (text === "") return;
      listeners.set(listener, clock());
      listener.push(text);
    };
    while (!isClosed) {
      // While Redis is unreachable nothing is read; missed entries are read once it is available again.
      await keep();
      const entries = await readStream(redis, key, position).catch((): StreamEntry[] => []);
      for (const entry of entries) {
        const text = await textOf(entry);
        // No await between the two, so that a tail that joins now catches up to here and receives what follows.
        position = entry.id;
        for (const listener of [...listeners.keys()]) give(listener, text(listener.store));
      }
      for (const [listener, heardAt] of [...listeners]) if (clock() - heardAt >= QUIET_MS) give(listener, STILL_HERE);
      if (entries.length === 0)
        await new Promise((resolve) => {
          timer = setTimeout(resolve, POLL_INTERVAL_MS).unref();
        });
    }
  }
  run().catch((error: Error) => {
    if (!isClosed) onError(error);
  });

  return {
    async *catchUp(listener, after) {
      await started;
      let at = after ?? position;
      yield BEGUN;
      while (isBefore(at, position)) {
        const upTo = position;
        // Only one entry in memory for each tail, however many its caller has missed.
        const [entry] = await readStreamUpTo(redis, key, { after: at, upTo, count: 1 });
        const text = entry === undefined ? "" : (await textOf(entry))(listener.store);
        at = entry?.id ?? upTo;
        if (text !== "") yield text;
      }
      // No await since `position` was checked, so the feed reads no entry in between.
      listeners.set(listener, clock());
    },
    leave(listener) {
      listeners.delete(listener);
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

/** Whether one stream entry id (milliseconds and a number) is smaller than another. */
function isBefore(id: string, other: string): boolean {
  const [[time = 0n, count = 0n], [otherTime = 0n, otherCount = 0n]] = [partsOf(id), partsOf(other)];
  return time === otherTime ? count < otherCount : time < otherTime;
}

const partsOf = (id: string): bigint[] => id.split("-").map(BigInt);
