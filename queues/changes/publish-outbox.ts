import type { Outbox, OutboxEntry } from "../../records/outbox/outbox.ts";
import type { Records } from "../../records/records.ts";
import { type Change, type Topic, topics } from "../../schemas/topics.ts";
import type { Publisher } from "../publish/publisher.ts";

interface Dependencies {
  outbox: Outbox;
  records: Pick<Records, "readRevs">;
  publisher: Pick<Publisher, "publish">;
  now(): Date;
  /** If an entry is younger than this, the process that wrote it may still publish it. */
  graceMs: number;
}

const CHANGES_PER_PASS = 50_000;
/**
 * A write takes effect at most this long after its entry was added to the outbox, or never. A writer closes its connection after
 * the socket's timeout (at most 20 s, queues/worker/open-worker.ts), and the operating system sends or drops buffered data within
 * about two minutes.
 */
const ABANDONED_MS = 600_000;
/** If a write has not happened this long after its entry was added, it probably never will. */
const UNWRITTEN_AFTER_MS = 5_000;

/**
 * Publishes the changes in the outbox whose writes have happened, and removes them; returns their number. A change is published
 * only when the stored record's rev has reached or passed the announced rev, or when its write can no longer happen; until
 * then, it stays in the outbox. If a change were published earlier, Redis might lose it, or a worker might process it before
 * the write; either would leave the write without a published change
 * (docs/architecture/guarantees.md#every-change-is-published).
 */
export async function publishOutbox(dependencies: Dependencies): Promise<number> {
  const { outbox, now, graceMs } = dependencies;
  const at = now().getTime();
  let published = 0;
  for await (const entries of outbox.scan(new Date(at - graceMs))) {
    for (const entry of entries) published += await publishEntry(dependencies, entry, at - entry.since.getTime());
    if (published >= CHANGES_PER_PASS) return published;
  }
  return published;
}

/**
 * Publishes those changes of an entry that may be published, and keeps the others. If none of the kept changes has been
 * written, the entry is marked as unwritten, and walks no longer wait for it.
 */
async function publishEntry(
  { outbox, records, publisher }: Dependencies,
  { _id, kind, changes, isUnwritten = false }: OutboxEntry,
  ageMs: number,
): Promise<number> {
  const topic = topics.find((candidate) => candidate === kind);
  if (topic === undefined) {
    await outbox.remove(_id);
    return 0;
  }
  const { happened, waiting: unwritten } = await divide(records, topic, changes);
  const isAbandoned = ageMs > ABANDONED_MS;
  // A write that never happened is announced at the stored rev: a handler would wait in vain for any other rev.
  const waiting = isAbandoned ? [] : unwritten.map(({ change }) => change);
  const never = isAbandoned ? unwritten.map(({ change, rev }) => ({ ...change, rev })) : [];
  const done = [...happened, ...never];
  const isPublished = done.length === 0 || (await publisher.publish(topic, done));
  const left = isPublished ? waiting : changes;
  const isLate = ageMs > UNWRITTEN_AFTER_MS && (isPublished || happened.length === 0);
  if (left.length === 0) await outbox.remove(_id);
  else if (left.length < changes.length || isLate !== isUnwritten) await outbox.keep(_id, left, isLate);
  return isPublished ? done.length : 0;
}

/**
 * Separates changes whose writes have happened from changes whose writes have not. The latter are returned with the stored rev.
 * If a write lost its compare-and-set, the winner's rev is larger. An insert that lost to an insert with a smaller rev waits
 * until the entry is abandoned, as does a write to a removed record, because the rev does not show that the write is over.
 */
async function divide(records: Pick<Records, "readRevs">, topic: Topic, changes: readonly Change[]) {
  const keys = changes.map(({ key }) => key);
  const revs = await records.readRevs({ name: topic }, keys);
  const known = changes.map((change) => ({ change, rev: revs.get(change.key) ?? 0 }));
  return {
    happened: known.filter(({ change, rev }) => rev >= change.rev).map(({ change }) => change),
    waiting: known.filter(({ change, rev }) => rev < change.rev),
  };
}
