import { Readable } from "node:stream";
import type { Redis } from "ioredis";
import type { ChangeEvents } from "../../../queues/publish/change-events.ts";
import { readStream, streamKey } from "../../../queues/publish/streams.ts";
import type { ObservedTopic } from "../../../schemas/events.ts";

/** The open tails of this process. */
export interface Tails {
  /** Server-sent events of a topic, after a stream entry or from now on; undefined where MAX_TAILS are open. */
  open(tenant: string, topic: ObservedTopic, after: string | undefined): Readable | undefined;
  /** Ends all tails, each after a complete event. */
  close(): void;
}

interface TailsWorld {
  /** Opens a Redis connection for one tail, which its blocking reads occupy. */
  connect(): Redis;
  eventsOf: ChangeEvents;
}

/** How long a read blocks; then a comment is sent, before a proxy ends the connection as idle. */
const BLOCK_MS = 15_000;
export const MAX_TAILS = 100;

export function createTails({ connect, eventsOf }: TailsWorld): Tails {
  const ends = new Set<() => void>();

  return {
    open(tenant, topic, after = "$") {
      if (ends.size >= MAX_TAILS) return undefined;
      const redis = connect();
      // Errors reach the pending read; without a listener the connection's error event would end the process.
      redis.on("error", () => undefined);
      let isEnded = false;
      const end = () => {
        isEnded = true;
        ends.delete(end);
        redis.disconnect();
      };
      ends.add(end);
      const read = async (from: string) =>
        readStream(redis, streamKey(tenant, topic), from, BLOCK_MS).catch((error: Error) => {
          if (isEnded) return undefined;
          throw error;
        });
      async function* texts(): AsyncGenerator<string> {
        try {
          let last = after;
          yield ": changes follow\n\n";
          for (let entries = await read(last); entries !== undefined; entries = await read(last)) {
            if (entries.length === 0) yield ": still here\n\n";
            for (const { id, source, changes } of entries) {
              last = id;
              const events = await eventsOf(topic, source, changes);
              if (events.length > 0) yield textOf(topic, id, events);
            }
          }
        } finally {
          end();
        }
      }
      const stream = Readable.from(texts(), { highWaterMark: 1 });
      // When the caller disconnects, the Redis connection is closed and with it the blocking read.
      stream.once("close", end);
      return stream;
    },

    close() {
      for (const end of ends) end();
    },
  };
}

/** Only the entry's last event carries its id: a caller that resumes after this id has received all of its events. */
const textOf = (topic: ObservedTopic, id: string, events: readonly object[]): string =>
  events
    .map((event, index) => {
      const mark = index === events.length - 1 ? `id: ${id}\n` : "";
      return `${mark}event: ${topic}\ndata: ${JSON.stringify(event)}\n\n`;
    })
    .join("");
