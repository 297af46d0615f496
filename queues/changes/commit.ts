import { randomBytes } from "node:crypto";
import type { RecordKind } from "../../records/kind.ts";
import type { Outbox, OutboxEntry } from "../../records/outbox/outbox.ts";
import { nextRev, type Proposal, type Records, type Write } from "../../records/records.ts";
import { inBatches } from "../../schemas/in-batches.ts";
import type { Stored } from "../../schemas/record.ts";
import type { Change, Topic } from "../../schemas/topics.ts";
import type { Urgency } from "../../schemas/urgency.ts";
import type { Publisher, Settled } from "../publish/publisher.ts";
import type { QueueName } from "../topology.ts";
import { type Changing, changeOf, changingOf, type Decision } from "./decision.ts";

/** The stage whose records are written together with the records that they depend on. */
export interface NextStage<Next> {
  kind: RecordKind<Next>;
  /** The queue that otherwise derives these records. */
  queue: QueueName;
  /** Returns keys of written records whose next record may lack something written meanwhile: the queue derives that record. */
  findOvertaken(keys: readonly string[]): Promise<ReadonlySet<string>>;
}

type Decide<Body> = (key: string, current: Stored<Body> | undefined) => Body | undefined;

/** The only way to change records. */
export interface Commit {
  /**
   * Writes decisions by compare-and-set and publishes the changes. Returns the written records, and the keys that another writer
   * changed first: the caller must decide these keys again. A decision that changes nothing is not written. Decisions of the next
   * stage are written after the decisions that they depend on. If a next-stage decision loses its compare-and-set or is
   * overtaken, that stage's queue derives the record.
   */
  write<Body, Next = never>(
    kind: RecordKind<Body>,
    decisions: readonly Decision<Body, Next>[],
    urgency: Urgency,
    next?: NextStage<Next>,
  ): Promise<{ written: Stored<Body>[]; lost: string[] }>;
  /**
   * Reads, decides and writes until each key is written or left unchanged. `decide` receives the current record and returns its
   * new body, or undefined to leave it; it is called again if another writer was first, so it must be pure. `present` holds
   * records that the caller has just read. Returns the records that changed.
   */
  change<Body>(
    kind: RecordKind<Body>,
    keys: readonly string[],
    decide: Decide<Body>,
    urgency: Urgency,
    present?: ReadonlyMap<string, Stored<Body>>,
  ): Promise<Map<string, Stored<Body>>>;
}

interface Dependencies {
  records: Records;
  outbox: Outbox;
  publisher: Pick<Publisher, "publish"> & Partial<Pick<Publisher, "streamLabels">>;
  now(): Date;
  /** Topics of the records that may be changed; if absent, all records may be changed. */
  publishes?: readonly Topic[];
}

/**
 * Maximum number of records written under one outbox entry. A change is at most about 2 KiB, so an entry is at most 4 MiB, no
 * matter how many records a caller decides together.
 */
export const RECORDS_PER_ENTRY = 2_000;
/** Length of a batch's random id. It is short, since a record stores the ids of its last four writes. */
const ID_BYTES = 12;

/**
 * A transactional outbox: adds the changes to the outbox, writes by compare-and-set, publishes, and removes the outbox entry. If
 * the process is killed in between, nothing is lost: the sweep publishes what the entry lists, at least once
 * (docs/architecture/guarantees.md#every-change-is-published).
 */
export function createCommit({ records, outbox, publisher, now, publishes }: Dependencies): Commit {
  const write: Commit["write"] = async <Body, Next>(
    kind: RecordKind<Body>,
    decisions: readonly Decision<Body, Next>[],
    urgency: Urgency,
    next?: NextStage<Next>,
  ) => {
    for (const { name, topic } of [kind, ...(next ? [next.kind] : [])])
      if (topic !== undefined && !(publishes?.includes(topic) ?? true))
        throw new Error(`this process may not change ${name}: queues/topology.ts does not name it`);
    const changing = changingOf(kind, decisions);
    const result: { written: Stored<Body>[]; lost: string[] } = { written: [], lost: [] };
    for (const part of inBatches(changing, RECORDS_PER_ENTRY)) {
      const { written, lost } = await writeTogether(kind, part, urgency, next);
      for (const record of written) result.written.push(record);
      for (const key of lost) result.lost.push(key);
    }
    return result;
  };

  /** Writes and publishes a batch of records, with the records of the next stage that depend only on them. */
  async function writeTogether<Body, Next>(
    kind: RecordKind<Body>,
    changing: readonly Changing<Body, Next>[],
    urgency: Urgency,
    next: NextStage<Next> | undefined,
  ) {
    const at = now();
    const batch = batchOf(kind, changing, urgency, at);
    const following = changing.flatMap(({ decision: { key, current, next: follow } }) =>
      follow ? [{ of: key, decision: follow(nextRev(current, at)) }] : [],
    );
    const decided = following.map(({ decision }) => decision);
    const nextBatch = next && batchOf(next.kind, changingOf(next.kind, decided), urgency, at);
    await outbox.add(...[batch, nextBatch].flatMap((one) => (one ? entriesOf(one) : [])));
    const first = await store(batch);
    if (next === undefined || nextBatch === undefined) {
      await outbox.remove(...(await publish(batch, first.won)));
      return first;
    }
    const lost = new Set(first.lost);
    const abandoned = new Set(following.flatMap(({ of, decision }) => (lost.has(of) ? decision.key : [])));
    const second = await store(nextBatch, abandoned);
    const isWritten = new Set(second.written.map(({ _id }) => _id));
    const both = following.flatMap(({ of, decision }) => (isWritten.has(decision.key) ? of : []));
    const overtaken = await next.findOvertaken(both);
    const keys = new Set(both.filter((key) => !overtaken.has(key)));
    const published = [publish(batch, first.won, { queue: next.queue, keys }), publish(nextBatch, second.won)];
    await outbox.remove(...(await Promise.all(published)).flat());
    return first;
  }

  /** Writes a batch without these keys; also returns the written changes. */
  async function store<Body>({ kind, proposals, changes, write: batch }: Batch<Body>, without = new Set<string>()) {
    const proposed = proposals.filter(({ key }) => !without.has(key));
    const { written, lost } = await records.compareAndSet(kind, proposed, batch);
    const isLost = new Set(lost);
    const won = changes.filter(({ key }) => !without.has(key) && !isLost.has(key));
    const streamed = won.filter(({ changed }) => changed.some((field) => kind.streamedFields.includes(field)));
    publisher.streamLabels?.(streamed.map(({ key }) => key));
    return { written, lost, won };
  }

  /** Publishes a batch's changes; returns the ids of outbox entries that are no longer needed. */
  async function publish(batch: Announced, won: readonly Change[], settled?: Settled): Promise<string[]> {
    const ids = entriesOf(batch).map(({ _id }) => _id);
    const { topic } = batch.kind;
    if (topic === undefined || ids.length === 0) return [];
    return won.length === 0 || (await publisher.publish(topic, won, settled)) ? ids : [];
  }

  return {
    write,

    async change<Body>(
      kind: RecordKind<Body>,
      keys: readonly string[],
      decide: Decide<Body>,
      urgency: Urgency,
      known?: ReadonlyMap<string, Stored<Body>>,
    ) {
      const changed = new Map<string, Stored<Body>>();
      for (const batch of inBatches([...new Set(keys)], RECORDS_PER_ENTRY)) {
        let open = batch;
        let present = known;
        while (open.length > 0) {
          const read = present ?? (await records.read(kind, open));
          const decisions = open.flatMap((key) => {
            const current = read.get(key);
            const body = decide(key, current);
            return body === undefined ? [] : [{ key, current, body }];
          });
          const { written, lost } = await write(kind, decisions, urgency);
          for (const record of written) changed.set(record._id, record);
          open = lost;
          present = undefined;
        }
      }
      return changed;
    },
  };
}

/** The writes under one outbox entry. */
interface Batch<Body> extends Announced {
  kind: RecordKind<Body>;
  proposals: readonly Proposal<Body>[];
}

interface Announced {
  kind: Pick<RecordKind<unknown>, "name" | "topic">;
  write: Write;
  /** The changes to publish. */
  changes: readonly Change[];
}

function batchOf<Body, Next>(
  kind: RecordKind<Body>,
  changing: readonly Changing<Body, Next>[],
  urgency: Urgency,
  at: Date,
): Batch<Body> {
  return {
    kind,
    proposals: changing.map(({ decision }) => proposalOf(decision)),
    write: { writeId: randomBytes(ID_BYTES).toString("base64url"), at },
    changes: changing
      .filter(({ decision }) => !decision.quiet)
      .map(({ decision, changed }) => changeOf(kind, decision, changed, urgency, at)),
  };
}

/** Returns the outbox entry of a batch, if it has something to publish. */
const entriesOf = ({ kind, write: { writeId, at }, changes }: Announced): OutboxEntry[] =>
  kind.topic === undefined || changes.length === 0 ? [] : [{ _id: writeId, kind: kind.name, since: at, changes }];

const proposalOf = <Body, Next>({ key, current, body, inputs, cause }: Decision<Body, Next>): Proposal<Body> => ({
  key,
  current,
  body,
  ...(inputs && { inputs }),
  cause,
});
