import type { Redis } from "ioredis";
import { lastEntryOf, readStream, readStreamUpTo, type StreamEntry } from "../../../queues/publish/streams.ts";

/** What a tail is given: the text of a stream's entry, or of a comment. */
type Listener = (text: string) => void;

/** One reader of a stream, for all tails of a topic in this process. */
export interface Feed {
  /**
   * Adds a listener; gives the texts of the entries after `after` that were read before, and then all further ones to the
   * listener, without a gap.
   */
  join(listener: Listener, after: string | undefined): Promise<string[]>;
  leave(listener: Listener): void;
  close(): void;
}

interface FeedWorld {
  redis: Redis;
  /** Milliseconds. */
  clock(): number;
  key: string;
  textOf(entry: StreamEntry): Promise<string>;
  /** Called once when the stream cannot be read any more. */
  onError(error: Error): void;
}

/**
 * The stream is looked at so often: a read that waits for an entry would occupy a connection for each topic of each tenant,
 * and plans of Redis count connections.
 */
const POLL_INTERVAL_MS = 200;
/** After so long without an entry a comment is sent, before a proxy ends the connection as idle. */
const QUIET_MS = 15_000;
const STILL_HERE = ": still here\n\n";

export function openFeed({ redis, clock, key, textOf, onError }: FeedWorld): Feed {
  const listeners = new Set<Listener>();
  let isClosed = false;
  let position = "";
  let timer: NodeJS.Timeout | undefined;

  const started = lastEntryOf(redis, key).then((id) => {
    position = id;
  });

  async function run(): Promise<void> {
    await started;
    let heardAt = clock();
    while (!isClosed) {
      // While Redis is away nothing is read; what was written before is read when it is back.
      const entries = await readStream(redis, key, position).catch((): StreamEntry[] => []);
      if (entries.length > 0) heardAt = clock();
      else {
        if (clock() - heardAt >= QUIET_MS) {
          heardAt = clock();
          for (const listener of listeners) listener(STILL_HERE);
        }
        await new Promise((resolve) => {
          timer = setTimeout(resolve, POLL_INTERVAL_MS).unref();
        });
      }
      for (const entry of entries) {
        const text = await textOf(entry);
        // Without a pause between the two: who joins now reads up to here, and is given what follows.
        position = entry.id;
        for (const listener of listeners) listener(text);
      }
    }
  }
  run().catch((error: Error) => {
    if (!isClosed) onError(error);
  });

  return {
    async join(listener, after) {
      await started;
      const upTo = position;
      listeners.add(listener);
      if (after === undefined) return [];
      const missed = await readStreamUpTo(redis, key, after, upTo);
      return Promise.all(missed.map(textOf));
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
