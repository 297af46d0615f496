import { Readable } from "node:stream";
import type { Redis } from "ioredis";
import type { ChangeEvents } from "../../../queues/publish/change-events.ts";
import { readStream, streamKey } from "../../../queues/publish/streams.ts";
import type { ObservedTopic } from "../../../schemas/events.ts";

/** Those who look on now. */
export interface Tails {
  /** Server-sent events of a topic, behind an entry or from now on; undefined where too many look on here. */
  open(tenant: string, topic: ObservedTopic, after: string | undefined): Readable | undefined;
  /** Ends all of them, each behind a whole event. */
  close(): void;
}

interface TailsWorld {
  /** A connection of its own for each tail: it waits for what comes. */
  connect(): Redis;
  eventsOf: ChangeEvents;
}

/** Shorter than what proxies take for silence. */
const WAIT_MS = 15_000;
export const MAX_TAILS = 100;

export function createTails({ connect, eventsOf }: TailsWorld): Tails {
  const ends = new Set<() => void>();

  return {
    open(tenant, topic, after = "$") {
      if (ends.size >= MAX_TAILS) return undefined;
      const redis = connect();
      // The one who waits on it is told of its errors.
      redis.on("error", () => undefined);
      let isEnded = false;
      const end = () => {
        isEnded = true;
        ends.delete(end);
        redis.disconnect();
      };
      ends.add(end);
      const read = async (from: string) =>
        readStream(redis, streamKey(tenant, topic), from, WAIT_MS).catch((error: Error) => {
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
      // Whoever goes away ends the wait for the next entry.
      stream.once("close", end);
      return stream;
    },

    close() {
      for (const end of ends) end();
    },
  };
}

/** The entry's id stands at its last event: whoever goes on behind it has seen them all. */
const textOf = (topic: ObservedTopic, id: string, events: readonly object[]): string =>
  events
    .map((event, index) => {
      const mark = index === events.length - 1 ? `id: ${id}\n` : "";
      return `${mark}event: ${topic}\ndata: ${JSON.stringify(event)}\n\n`;
    })
    .join("");
