import type { Outbox, OutboxEntry } from "../../records/outbox/outbox.ts";
import type { Records } from "../../records/records.ts";
import { type Change, type Topic, topics } from "../../schemas/topics.ts";
import type { Publisher } from "../publish/publisher.ts";

interface Dependencies {
  outbox: Outbox;
  records: Pick<Records, "readRevs">;
  publisher: Pick<Publisher, "publish">;
  now(): Date;
  /** The process that wrote an entry younger than this is still about to publish it. */
  graceMs: number;
}

const CHANGES_PER_PASS = 50_000;
/**
 * No write takes effect later than this after its entry was added to the outbox. A writer gives up after the timeout of
 * its socket (at most 20 s, queues/worker/open-worker.ts) and closes the connection; the operating system sends or
 * drops what the network still holds within about two minutes.
 */
const ABANDONED_MS = 600_000;

/**
 * Publishes the changes in the outbox whose writes have happened, and removes what was published; returns their number.
 * A change stays in the outbox until it is published after its write: until the rev of the stored record has reached or
 * passed the announced one, or the write can no longer happen. Redis may lose what is published earlier, or accept it
 * and have it processed before the write; either would leave the write without a published change
 * (docs/architecture/guarantees.md#every-change-is-published).
 */
export async function publishOutbox(dependencies: Dependencies): Promise<number> {
  const { outbox, now, graceMs } = dependencies;
  const at = now().getTime();
  let published = 0;
  for await (const entries of outbox.scan(new Date(at - graceMs))) {
    for (const entry of entries)
      published += await publishEntry(dependencies, entry, at - entry.since.getTime() > ABANDONED_MS);
    if (published >= CHANGES_PER_PASS) return published;
  }
  return published;
}

/** Publishes what may be published of an entry, and leaves the rest of it. */
async function publishEntry(
  { outbox, records, publisher }: Dependencies,
  { _id, kind, changes }: OutboxEntry,
  isAbandoned: boolean,
): Promise<number> {
  const topic = topics.find((candidate) => candidate === kind);
  if (topic === undefined) {
    await outbox.remove(_id);
    return 0;
  }
  const { happened, waiting: unwritten } = await divide(records, topic, changes);
  // A write that never happens is announced at the rev that is stored: a handler would wait for any other.
  const waiting = isAbandoned ? [] : unwritten.map(({ change }) => change);
  const never = isAbandoned ? unwritten.map(({ change, rev }) => ({ ...change, rev })) : [];
  const done = [...happened, ...never];
  if (done.length > 0 && !(await publisher.publish(topic, done))) return 0;
  if (waiting.length === 0) await outbox.remove(_id);
  else if (done.length > 0) await outbox.keep(_id, waiting);
  return done.length;
}

/**
 * Separates changes whose writes have happened from those whose have not, with the stored rev. A write that lost its
 * compare-and-set is passed by the rev of the winner. An insert that lost to one with an earlier rev, and a removed
 * record, wait until the entry is abandoned: their rev does not show that the write is over.
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
