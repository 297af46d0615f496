import { Readable } from "node:stream";
import type { Redis } from "ioredis";
import type { ChangeEvents } from "../../../queues/publish/change-events.ts";
import { streamKey } from "../../../queues/publish/streams.ts";
import type { ObservedTopic } from "../../../schemas/events.ts";
import { tenantLimits } from "../../../schemas/tenant-limits.ts";
import { type Feed, openFeed } from "./feed.ts";
import { createTextQueue, type TextQueue } from "./text-queue.ts";

/** A tail that a caller asks for. */
export interface TailOrder {
  tenant: string;
  topic: ObservedTopic;
  /** The stream's entry to go on behind; from now on where it is absent. */
  after: string | undefined;
  /** Whether the caller's token still holds: it is asked before each text. */
  isPermitted(): Promise<boolean>;
}

/** The open tails of this process. */
export interface Tails {
  /** Server-sent events of a topic; without a place, who has taken the places. */
  open(order: TailOrder): Readable | "tenant" | "process";
  /** Ends all tails, each after a complete event. */
  close(): void;
}

interface TailsWorld {
  redis: Redis;
  /** Milliseconds. */
  clock(): number;
  eventsOf: ChangeEvents;
}

/** Of all tenants, in this process. */
export const MAX_TAILS = 100;
/** Texts that wait for a slow reader. Its tail ends then, and goes on behind its last event when it is opened again. */
const MAX_WAITING_TEXTS = 100;

export function createTails({ redis, clock, eventsOf }: TailsWorld): Tails {
  const feeds = new Map<string, { feed: Feed; queues: Set<TextQueue> }>();
  const ends = new Set<() => void>();
  const tenants: string[] = [];

  function feedOf(tenant: string, topic: ObservedTopic) {
    const name = JSON.stringify([tenant, topic]);
    const present = feeds.get(name);
    if (present) return { name, ...present };
    const queues = new Set<TextQueue>();
    const feed = openFeed({
      redis,
      clock,
      key: streamKey(tenant, topic),
      textOf: async ({ id, source, changes }) => textOf(topic, id, await eventsOf(topic, source, changes)),
      onError: (error) => {
        for (const queue of queues) queue.end(error);
      },
    });
    feeds.set(name, { feed, queues });
    return { name, feed, queues };
  }

  return {
    open({ tenant, topic, after, isPermitted }) {
      if (tenants.filter((other) => other === tenant).length >= tenantLimits.tails) return "tenant";
      if (ends.size >= MAX_TAILS) return "process";
      const { name, feed, queues } = feedOf(tenant, topic);
      const queue = createTextQueue(MAX_WAITING_TEXTS, () => end());
      const end = () => {
        queue.end();
        if (!ends.delete(end)) return;
        tenants.splice(tenants.indexOf(tenant), 1);
        queues.delete(queue);
        feed.leave(queue.push);
        if (queues.size > 0) return;
        feeds.delete(name);
        feed.close();
      };
      ends.add(end);
      tenants.push(tenant);
      queues.add(queue);
      async function* texts(): AsyncGenerator<string> {
        try {
          const missed = await feed.join(queue.push, after);
          yield ": changes follow\n\n";
          for (const text of missed) if (text !== "") yield text;
          for (let text = await queue.next(); text !== undefined; text = await queue.next()) {
            if (!(await isPermitted())) return;
            if (text !== "") yield text;
          }
        } finally {
          end();
        }
      }
      const stream = Readable.from(texts(), { highWaterMark: 1 });
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
