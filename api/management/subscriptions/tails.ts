import { Readable } from "node:stream";
import type { Redis } from "ioredis";
import type { ChangeEvents } from "../../../queues/publish/change-events.ts";
import { LABELS, labelStreamKey, type StreamEntry, streamKey } from "../../../queues/publish/streams.ts";
import type { ObservedTopic } from "../../../schemas/events.ts";
import { idOf, storeIds, storeOf } from "../../../schemas/keys.ts";
import { tenantLimits } from "../../../schemas/tenant-limits.ts";
import type { Change, Topic } from "../../../schemas/topics.ts";
import { type Feed, type Listener, openFeed, type TextOf } from "./feed.ts";
import { createTextQueue, type TextQueue, waitingOfTail } from "./text-queue.ts";

export type Tailed = ObservedTopic | typeof LABELS;

/** A tail as requested by a caller. */
export interface TailOrder {
  /** The tenant's key. */
  tenant: string;
  /** LABELS: labels that have changed, either themselves or in what they show. */
  topic: Tailed;
  /** Key of the store whose changes are sent; all of the tenant's if absent. */
  store?: string;
  /** The stream entry after which to resume; if absent, the tail starts now. */
  after: string | undefined;
  /** Whether the caller still has the rights that a tail requires; called before each text. */
  isPermitted(): Promise<boolean>;
}

/** The open tails of this process. */
export interface Tails {
  /** Opens a stream of server-sent events for a topic. If too many are open, returns whose limit has been reached. */
  open(order: TailOrder): Readable | "tenant" | "process";
  /** Ends all tails, each after a complete event. */
  close(): void;
}

interface TailsWorld {
  redis: Redis;
  /** The current time in milliseconds. */
  clock(): number;
  eventsOf: ChangeEvents;
}

/** Maximum number of tails per process, across all tenants. */
export const MAX_TAILS = 100;
export function createTails({ redis, clock, eventsOf }: TailsWorld): Tails {
  const feeds = new Map<string, { feed: Feed; queues: Set<TextQueue> }>();
  const ends = new Set<() => void>();
  const tenants: string[] = [];

  function feedOf(tenant: string, topic: Tailed) {
    const name = JSON.stringify([tenant, topic]);
    const present = feeds.get(name);
    if (present) return { name, ...present };
    const queues = new Set<TextQueue>();
    const feed = openFeed({
      redis,
      clock,
      key: topic === LABELS ? labelStreamKey(tenant) : streamKey(tenant, topic),
      textOf: async (entry) => textOf(entry.id, await tailedEvents(topic, entry)),
      onError: (error) => {
        for (const queue of queues) queue.end(error);
      },
    });
    feeds.set(name, { feed, queues });
    return { name, feed, queues };
  }

  async function tailedEvents(topic: Tailed, entry: StreamEntry): Promise<TailedEvent[]> {
    if (topic === LABELS) return labelsOf(entry);
    const events = await eventsOf(topic, entry.source as Topic, entry.content as Change[]);
    return events.map((event) => ({ name: topic, owner: event.source.slice(1), data: event }));
  }

  return {
    open({ tenant, topic, store, after, isPermitted }) {
      if (tenants.filter((other) => other === tenant).length >= tenantLimits.tails) return "tenant";
      if (ends.size >= MAX_TAILS) return "process";
      const { name, feed, queues } = feedOf(tenant, topic);
      const queue = createTextQueue(waitingOfTail, () => end());
      const listener: Listener = { store, push: queue.push };
      const end = () => {
        queue.end();
        if (!ends.delete(end)) return;
        tenants.splice(tenants.indexOf(tenant), 1);
        queues.delete(queue);
        feed.leave(listener);
        if (queues.size > 0) return;
        feeds.delete(name);
        feed.close();
      };
      ends.add(end);
      tenants.push(tenant);
      queues.add(queue);
      async function* texts(): AsyncGenerator<string> {
        try {
          for await (const text of textsOf(feed.catchUp(listener, after), queue)) {
            if (!(await isPermitted())) return;
            yield text;
          }
        } finally {
          // The caller may have disconnected before its listener joined.
          feed.leave(listener);
          end();
        }
      }
      return endedFirst(Readable.from(texts(), { highWaterMark: 1 }), end);
    },

    close() {
      for (const end of ends) end();
    },
  };
}

/** Yields what a tail has missed, and then new texts. */
async function* textsOf(missed: AsyncIterable<string>, queue: TextQueue): AsyncGenerator<string> {
  yield* missed;
  for (let text = await queue.next(); text !== undefined; text = await queue.next()) yield text;
}

/**
 * Calls `end` when a stream is destroyed. The stream's generator returns only once the next text arrives, which on a
 * quiet topic takes many seconds, so the wait must end first.
 */
function endedFirst(stream: Readable, end: () => void): Readable {
  const destroy = stream._destroy.bind(stream);
  stream._destroy = (error, done) => {
    end();
    destroy(error, done);
  };
  return stream;
}

/** An event in the format that a tail sends. */
interface TailedEvent {
  name: string;
  /** Key of the event's store or tenant. */
  owner: string;
  data: object;
}

const labelsOf = ({ content }: StreamEntry): TailedEvent[] =>
  [...new Set(content as string[])].map((key) => {
    const owner = storeOf(key);
    return { name: "label", owner, data: { storeId: storeIds(owner).storeId, barcode: idOf(key) } };
  });

/** Creates the text of an entry's events (all, or only one store's) once, however many tails request it. */
function textOf(id: string, events: readonly TailedEvent[]): TextOf {
  const made = new Map<string | undefined, string>();
  return (store) => {
    const present = made.get(store);
    if (present !== undefined) return present;
    const text = written(id, store === undefined ? events : events.filter(({ owner }) => owner === store));
    made.set(store, text);
    return text;
  };
}

/** Only an entry's last event carries its id, so a caller that resumes after this id has received all of its events. */
const written = (id: string, events: readonly TailedEvent[]): string =>
  events
    .map(({ name, data }, index) => {
      const mark = index === events.length - 1 ? `id: ${id}\n` : "";
      return `${mark}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
    })
    .join("");
