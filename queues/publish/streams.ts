import type { Redis } from "ioredis";
import { isBatched, type ObservedTopic, observedBy, sourcesOf } from "../../schemas/events.ts";
import { tenantOf } from "../../schemas/keys.ts";
import { type Change, type Topic, topics } from "../../schemas/topics.ts";
import { prefixOf } from "../redis.ts";

/** An entry of a topic's stream: changes that were published together. */
export interface StreamEntry {
  /** The entry's id in Redis. */
  id: string;
  /** The topic on which they were published. */
  source: Topic;
  changes: Change[];
}

/** Entries that a stream keeps, about: it is for those who look on now. */
const ENTRIES = 200;
const CHANGES_PER_ENTRY = 100;
/** A stream that nothing was written to for so long is dropped. */
const QUIET_SECONDS = 3_600;

/** The stream of what an observed topic tells of a tenant; an old topic tells of the same changes as its new one. */
export const streamKey = (tenant: string, topic: ObservedTopic): string =>
  `${prefixOf(sourcesOf(topic)[0] ?? topic)}:changes:${tenant}`;

/** Writes changes to the streams that observers tail. Nothing waits for it, and nothing depends on it. */
export async function writeStreams(redis: Redis, topic: Topic, changes: readonly Change[]): Promise<void> {
  const pipeline = redis.pipeline();
  for (const [tenant, group] of Map.groupBy(changes, ({ key }) => tenantOf(key))) {
    for (const observed of observedBy(topic).filter((one) => topics.some((own) => own === one))) {
      // What is told as one event must not be torn apart.
      const most = isBatched(observed, topic) ? group.length : CHANGES_PER_ENTRY;
      for (let from = 0; from < group.length; from += most) {
        const text = JSON.stringify(group.slice(from, from + most));
        const key = streamKey(tenant, observed);
        pipeline.xadd(key, "MAXLEN", "~", ENTRIES, "*", "source", topic, "changes", text).expire(key, QUIET_SECONDS);
      }
    }
  }
  await pipeline.exec();
}

/** The next entries behind `after` (`$`: that are written from now on); waits for one so many milliseconds at most. */
export async function readStream(redis: Redis, key: string, after: string, waitMs: number): Promise<StreamEntry[]> {
  const read = await redis.xread("COUNT", 100, "BLOCK", waitMs, "STREAMS", key, after);
  return (read?.[0]?.[1] ?? []).map(([id, [, source = "", , changes = "[]"]]) => {
    return { id, source: source as Topic, changes: JSON.parse(changes) };
  });
}
