import type { Redis } from "ioredis";
import { inBatches } from "../../schemas/batches.ts";
import { isBatched, type ObservedTopic, observedBy, sourcesOf } from "../../schemas/events.ts";
import { tenantOf } from "../../schemas/keys.ts";
import { type Change, type Topic, topics } from "../../schemas/topics.ts";
import { prefixOf, sendTogether } from "../redis.ts";

/** An entry of a topic's stream: changes that were published together. */
export interface StreamEntry {
  /** The entry's id in Redis. */
  id: string;
  /** The topic on which they were published. */
  source: Topic;
  changes: Change[];
}

/** Approximate length of a stream: it serves tails that are open now, not history. */
const MAX_ENTRIES = 200;
const CHANGES_PER_ENTRY = 100;
/** A stream without a new entry expires after this time. */
const IDLE_TTL_SECONDS = 3_600;

/** Redis key of a tenant's stream of an observed topic. A topic of the old shape has the stream of its first source. */
export const streamKey = (tenant: string, topic: ObservedTopic): string =>
  `${prefixOf(sourcesOf(topic)[0] ?? topic)}:changes:${tenant}`;

/** Writes changes to the streams that callers tail. Best effort: a failed write loses entries of tails only. */
export async function writeStreams(redis: Redis, topic: Topic, changes: readonly Change[]): Promise<void> {
  const commands: [string, string, ...(string | number)[]][] = [];
  for (const [tenant, group] of Map.groupBy(changes, ({ key }) => tenantOf(key))) {
    for (const observed of observedBy(topic).filter((candidate) => topics.some((own) => own === candidate))) {
      // Changes that are published as one event stay in one entry.
      const entrySize = isBatched(observed, topic) ? group.length : CHANGES_PER_ENTRY;
      for (const batch of inBatches(group, entrySize)) {
        const text = JSON.stringify(batch);
        const key = streamKey(tenant, observed);
        commands.push(["xadd", key, "MAXLEN", "~", MAX_ENTRIES, "*", "source", topic, "changes", text]);
        commands.push(["expire", key, IDLE_TTL_SECONDS]);
      }
    }
  }
  await sendTogether(redis, commands);
}

/** The next entries after the id `after`; it does not wait. */
export async function readStream(redis: Redis, key: string, after: string): Promise<StreamEntry[]> {
  const read = await redis.xread("COUNT", 100, "STREAMS", key, after);
  return (read?.[0]?.[1] ?? []).map(entryOf);
}

/** The entries after the id `after` up to the id `upTo`; it does not wait. */
export const readStreamUpTo = async (redis: Redis, key: string, after: string, upTo: string): Promise<StreamEntry[]> =>
  (await redis.xrange(key, `(${after}`, upTo)).map(entryOf);

/** The id of a stream's newest entry; before all entries where it has none. */
export const lastEntryOf = async (redis: Redis, key: string): Promise<string> =>
  (await redis.xrevrange(key, "+", "-", "COUNT", 1))[0]?.[0] ?? "0-0";

const entryOf = ([id, [, source = "", , changes = "[]"]]: [id: string, fields: string[]]): StreamEntry => ({
  id,
  source: source as Topic,
  changes: JSON.parse(changes),
});
