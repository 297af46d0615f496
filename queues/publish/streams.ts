import type { Redis } from "ioredis";
import { inBatches } from "../../schemas/batches.ts";
import { isBatched, type ObservedTopic, observedBy, sourcesOf } from "../../schemas/events.ts";
import { tenantOf } from "../../schemas/keys.ts";
import { type Change, type Topic, topics } from "../../schemas/topics.ts";
import { prefixOf, sendTogether } from "../redis.ts";

/** An entry of a stream: changes that were written together. */
export interface StreamEntry {
  /** The entry's id in Redis. */
  id: string;
  /** The topic on which changes were published; of a stream of labels LABELS. */
  source: Topic | typeof LABELS;
  /** Changes; of a stream of labels their keys. */
  content: unknown;
}

/** Name of the stream of a tenant's labels, in addition to those of topics. */
export const LABELS = "labels";

/** Approximate length of a stream: it serves tails that are open now, not history. */
const MAX_ENTRIES = 200;
const CHANGES_PER_ENTRY = 100;
/** An entry may name thousands of changes, and each read is parsed as a whole. */
const ENTRIES_PER_READ = 10;
/** How long a stream is kept after its last tail: until then a caller may resume after its last event. */
const TAILED_TTL_SECONDS = 3_600;

/** Creates a stream if there is none, without an entry, and keeps it for ARGV[1] seconds. */
const KEEP = `
if redis.call('EXISTS', KEYS[1]) == 0 then redis.call('XADD', KEYS[1], 'MAXLEN', 0, '*', 'source', '') end
return redis.call('EXPIRE', KEYS[1], ARGV[1])
`;

/** Redis key of a tenant's stream of an observed topic. A topic of the old shape has the stream of its first source. */
export const streamKey = (tenant: string, topic: ObservedTopic): string =>
  `${prefixOf(sourcesOf(topic)[0] ?? topic)}:changes:${tenant}`;

/** Redis key of the stream of a tenant's labels whose record or state changed. */
export const labelStreamKey = (tenant: string): string => `${prefixOf(LABELS)}:changes:${tenant}`;

/**
 * Creates the stream that a tail reads, which writers only add to, and keeps it. A tail repeats this while it is open.
 */
export async function keepStream(redis: Redis, key: string): Promise<void> {
  await redis.eval(KEEP, 1, key, TAILED_TTL_SECONDS);
}

/** An entry that is to be written if its stream is tailed. */
interface Entry {
  key: string;
  source: StreamEntry["source"];
  content: readonly unknown[];
}

/**
 * Writes changes to the streams that callers tail; streams without a tail get no entries. Best effort: a failed write
 * loses only entries of tails.
 */
export async function writeStreams(redis: Redis, topic: Topic, changes: readonly Change[]): Promise<void> {
  const entries: Entry[] = [];
  for (const [tenant, group] of Map.groupBy(changes, ({ key }) => tenantOf(key))) {
    for (const observed of observedBy(topic).filter((candidate) => topics.some((own) => own === candidate))) {
      // Changes that are published as one event stay in one entry.
      const entrySize = isBatched(observed, topic) ? group.length : CHANGES_PER_ENTRY;
      for (const content of inBatches(group, entrySize))
        entries.push({ key: streamKey(tenant, observed), source: topic, content });
    }
  }
  await writeTailed(redis, entries);
}

/** Writes the keys of labels that changed to the streams of their tenants, as `writeStreams` does. */
export async function writeLabelStreams(redis: Redis, keys: readonly string[]): Promise<void> {
  const entries = [...Map.groupBy(keys, tenantOf)].flatMap(([tenant, group]) =>
    inBatches(group, CHANGES_PER_ENTRY).map(
      (content) => ({ key: labelStreamKey(tenant), source: LABELS, content }) as const,
    ),
  );
  await writeTailed(redis, entries);
}

/** Checks first which streams exist: changes without a tail are neither encoded nor sent. */
async function writeTailed(redis: Redis, entries: readonly Entry[]): Promise<void> {
  const keys = [...new Set(entries.map(({ key }) => key))];
  const found = await sendTogether(
    redis,
    keys.map((key) => ["exists", key]),
  );
  const tailed = new Set(keys.filter((_, index) => found[index] === 1));
  await sendTogether(redis, entries.filter(({ key }) => tailed.has(key)).map(commandOf));
}

/** NOMKSTREAM: a stream may end between the two. */
const commandOf = ({ key, source, content }: Entry): [string, string, ...(string | number)[]] => [
  ...(["xadd", key, "NOMKSTREAM", "MAXLEN", "~", MAX_ENTRIES, "*"] as const),
  ...(["source", source, "changes", JSON.stringify(content)] as const),
];

/** The next entries after the id `after`, a few; it does not wait. */
export async function readStream(redis: Redis, key: string, after: string): Promise<StreamEntry[]> {
  const read = await redis.xread("COUNT", ENTRIES_PER_READ, "STREAMS", key, after);
  return (read?.[0]?.[1] ?? []).map(readEntry);
}

/** The first entries after the id `after` up to the id `upTo`; it does not wait. */
export const readStreamUpTo = async (
  redis: Redis,
  key: string,
  { after, upTo, count }: { after: string; upTo: string; count: number },
): Promise<StreamEntry[]> => (await redis.xrange(key, `(${after}`, upTo, "COUNT", count)).map(readEntry);

/** The id of a stream's newest entry; before all entries if it has none. */
export const lastEntryOf = async (redis: Redis, key: string): Promise<string> =>
  (await redis.xrevrange(key, "+", "-", "COUNT", 1))[0]?.[0] ?? "0-0";

const readEntry = ([id, [, source = "", , content = "[]"]]: [id: string, fields: string[]]): StreamEntry => ({
  id,
  source: source as StreamEntry["source"],
  content: JSON.parse(content),
});
