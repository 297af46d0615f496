import type { Redis } from "ioredis";
import { isBatched, type ObservedTopic, observedBy, sourcesOf } from "../../schemas/events.ts";
import { inBatches } from "../../schemas/in-batches.ts";
import { tenantOf } from "../../schemas/keys.ts";
import { type Change, type Topic, topics } from "../../schemas/topics.ts";
import { prefixOf, sendTogether } from "../redis.ts";

/** An entry of a stream: changes that were written together. */
export interface StreamEntry {
  /** The entry's id in Redis. */
  id: string;
  /** The topic on which the changes were published; LABELS in a stream of labels. */
  source: Topic | typeof LABELS;
  /** Changes; in a stream of labels, the labels' keys. */
  content: unknown;
}

/** Name of the stream of a tenant's labels, in addition to the streams of topics. */
export const LABELS = "labels";

/** Approximate length of a stream: it serves tails that are open now, not history. */
const MAX_ENTRIES = 200;
const CHANGES_PER_ENTRY = 100;
/** An entry may name thousands of changes, and each read is parsed as a whole. */
const ENTRIES_PER_READ = 10;
/** How long a stream is kept after its last tail. Within this time, a caller may resume after its last event. */
const TAILED_TTL_SECONDS = 3_600;

/** Creates an empty stream if there is none, and keeps it for ARGV[1] seconds. */
const KEEP = `
if redis.call('EXISTS', KEYS[1]) == 0 then redis.call('XADD', KEYS[1], 'MAXLEN', 0, '*', 'source', '') end
return redis.call('EXPIRE', KEYS[1], ARGV[1])
`;

/**
 * Returns the Redis key of a tenant's stream of an observed topic. A topic in the old format uses its first source's stream.
 */
export const streamKey = (tenant: string, topic: ObservedTopic): string =>
  `${prefixOf(sourcesOf(topic)[0] ?? topic)}:changes:${tenant}`;

/** Returns the Redis key of a tenant's stream of labels whose record or state has changed. */
export const labelStreamKey = (tenant: string): string => `${prefixOf(LABELS)}:changes:${tenant}`;

/**
 * Creates the stream that a tail reads, and keeps it; writers only add to existing streams. A tail repeats this call as long as
 * it is open.
 */
export async function keepStream(redis: Redis, key: string): Promise<void> {
  await redis.eval(KEEP, 1, key, TAILED_TTL_SECONDS);
}

/** An entry to write if its stream is tailed. */
interface Entry {
  key: string;
  source: StreamEntry["source"];
  content: readonly unknown[];
}

/**
 * Writes changes to the streams that callers tail; streams without a tail get no entries. Best effort: if a write fails, only
 * tails miss entries.
 */
export async function writeStreams(redis: Redis, topic: Topic, changes: readonly Change[]): Promise<void> {
  const entries: Entry[] = [];
  for (const [tenant, group] of Map.groupBy(changes, ({ key }) => tenantOf(key))) {
    for (const observed of observedBy(topic).filter((candidate) => topics.some((own) => own === candidate))) {
      // Changes that form one event stay in one entry.
      const entrySize = isBatched(observed, topic) ? group.length : CHANGES_PER_ENTRY;
      for (const content of inBatches(group, entrySize))
        entries.push({ key: streamKey(tenant, observed), source: topic, content });
    }
  }
  await writeTailed(redis, entries);
}

/** Writes the keys of changed labels to their tenants' streams, as `writeStreams` does. */
export async function writeLabelStreams(redis: Redis, keys: readonly string[]): Promise<void> {
  const entries = [...Map.groupBy(keys, tenantOf)].flatMap(([tenant, group]) =>
    inBatches(group, CHANGES_PER_ENTRY).map(
      (content) => ({ key: labelStreamKey(tenant), source: LABELS, content }) as const,
    ),
  );
  await writeTailed(redis, entries);
}

/** First checks which streams exist, so that changes without a tail are neither encoded nor sent. */
async function writeTailed(redis: Redis, entries: readonly Entry[]): Promise<void> {
  const keys = [...new Set(entries.map(({ key }) => key))];
  const found = await sendTogether(
    redis,
    keys.map((key) => ["exists", key]),
  );
  const tailed = new Set(keys.filter((_, index) => found[index] === 1));
  await sendTogether(redis, entries.filter(({ key }) => tailed.has(key)).map(commandOf));
}

/** Uses NOMKSTREAM, since a stream may expire between the check and the write. */
const commandOf = ({ key, source, content }: Entry): [string, string, ...(string | number)[]] => [
  ...(["xadd", key, "NOMKSTREAM", "MAXLEN", "~", MAX_ENTRIES, "*"] as const),
  ...(["source", source, "changes", JSON.stringify(content)] as const),
];

/** Reads a few entries after the id `after`, without waiting for new ones. */
export async function readStream(redis: Redis, key: string, after: string): Promise<StreamEntry[]> {
  const read = await redis.xread("COUNT", ENTRIES_PER_READ, "STREAMS", key, after);
  return (read?.[0]?.[1] ?? []).map(readEntry);
}

/** Reads the first entries after the id `after`, up to the id `upTo`, without waiting for new ones. */
export const readStreamUpTo = async (
  redis: Redis,
  key: string,
  { after, upTo, count }: { after: string; upTo: string; count: number },
): Promise<StreamEntry[]> => (await redis.xrange(key, `(${after}`, upTo, "COUNT", count)).map(readEntry);

/** Returns the id of a stream's newest entry; without entries, an id before all others. */
export const lastEntryOf = async (redis: Redis, key: string): Promise<string> =>
  (await redis.xrevrange(key, "+", "-", "COUNT", 1))[0]?.[0] ?? "0-0";

const readEntry = ([id, [, source = "", , content = "[]"]]: [id: string, fields: string[]]): StreamEntry => ({
  id,
  source: source as StreamEntry["source"],
  content: JSON.parse(content),
});
