import type { Redis } from "ioredis";
import { inBatches } from "../../schemas/batches.ts";
import { isBatched, type ObservedTopic, observedBy, sourcesOf } from "../../schemas/events.ts";
import { tenantOf } from "../../schemas/keys.ts";
import { type Change, type Topic, topics } from "../../schemas/topics.ts";
import { prefixOf, sendTogether } from "../redis.ts";

/** An entry of a stream: what was written together. */
export interface StreamEntry {
  /** The entry's id in Redis. */
  id: string;
  /** The topic on which changes were published; of a stream of labels LABELS. */
  source: Topic | typeof LABELS;
  /** Changes; of a stream of labels their keys. */
  content: unknown;
}

/** What the stream of a tenant's labels is called, beside those of topics. */
export const LABELS = "labels";

/** Approximate length of a stream: it serves tails that are open now, not history. */
const MAX_ENTRIES = 200;
const CHANGES_PER_ENTRY = 100;
/** A stream without a new entry expires after this time. */
const IDLE_TTL_SECONDS = 3_600;

/** Redis key of a tenant's stream of an observed topic. A topic of the old shape has the stream of its first source. */
export const streamKey = (tenant: string, topic: ObservedTopic): string =>
  `${prefixOf(sourcesOf(topic)[0] ?? topic)}:changes:${tenant}`;

/** Redis key of the stream of a tenant's labels: of those whose record or state changed. */
export const labelStreamKey = (tenant: string): string => `${prefixOf(LABELS)}:changes:${tenant}`;

/** Writes changes to the streams that callers tail. Best effort: a failed write loses entries of tails only. */
export async function writeStreams(redis: Redis, topic: Topic, changes: readonly Change[]): Promise<void> {
  const commands: Command[] = [];
  for (const [tenant, group] of Map.groupBy(changes, ({ key }) => tenantOf(key))) {
    for (const observed of observedBy(topic).filter((candidate) => topics.some((own) => own === candidate))) {
      // Changes that are published as one event stay in one entry.
      const entrySize = isBatched(observed, topic) ? group.length : CHANGES_PER_ENTRY;
      for (const batch of inBatches(group, entrySize)) {
        commands.push(...entryOf(streamKey(tenant, observed), topic, batch));
      }
    }
  }
  await sendTogether(redis, commands);
}

/** Writes the keys of labels that changed to the streams of their tenants, as `writeStreams` does. */
export async function writeLabelStreams(redis: Redis, keys: readonly string[]): Promise<void> {
  const commands = [...Map.groupBy(keys, tenantOf)].flatMap(([tenant, group]) =>
    inBatches(group, CHANGES_PER_ENTRY).flatMap((batch) => entryOf(labelStreamKey(tenant), LABELS, batch)),
  );
  await sendTogether(redis, commands);
}

type Command = [string, string, ...(string | number)[]];
const entryOf = (key: string, source: StreamEntry["source"], content: unknown): Command[] => [
  ["xadd", key, "MAXLEN", "~", MAX_ENTRIES, "*", "source", source, "changes", JSON.stringify(content)],
  ["expire", key, IDLE_TTL_SECONDS],
];

/** The next entries after the id `after`; it does not wait. */
export async function readStream(redis: Redis, key: string, after: string): Promise<StreamEntry[]> {
  const read = await redis.xread("COUNT", 100, "STREAMS", key, after);
  return (read?.[0]?.[1] ?? []).map(readEntry);
}

/** The entries after the id `after` up to the id `upTo`; it does not wait. */
export const readStreamUpTo = async (redis: Redis, key: string, after: string, upTo: string): Promise<StreamEntry[]> =>
  (await redis.xrange(key, `(${after}`, upTo)).map(readEntry);

/** The id of a stream's newest entry; before all entries where it has none. */
export const lastEntryOf = async (redis: Redis, key: string): Promise<string> =>
  (await redis.xrevrange(key, "+", "-", "COUNT", 1))[0]?.[0] ?? "0-0";

const readEntry = ([id, [, source = "", , content = "[]"]]: [id: string, fields: string[]]): StreamEntry => ({
  id,
  source: source as StreamEntry["source"],
  content: JSON.parse(content),
});
