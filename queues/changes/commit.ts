import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { RecordKind } from "../../records/kind.ts";
import type { Outbox } from "../../records/outbox/outbox.ts";
import { nextRev, type Proposal, type Records, type Write } from "../../records/records.ts";
import { causeOfWrite } from "../../runtime/causes.ts";
import { inBatches } from "../../schemas/batches.ts";
import type { Cause } from "../../schemas/cause.ts";
import type { Input, Stored } from "../../schemas/record.ts";
import type { Change, Operation, Topic } from "../../schemas/topics.ts";
import type { Urgency } from "../../schemas/urgency.ts";
import type { Publisher } from "../publish/publisher.ts";

/** A decided write of one record. */
export interface Decision<Body> {
  key: string;
  /** As it was read. */
  current: Stored<Body> | undefined;
  body: Body;
  inputs?: Input[];
  /** Written without publishing: no topic announces this change. */
  quiet?: boolean;
  /**
   * The cause of a derived record is that of its newest input; the cause of any other record is the work in progress.
   */
  cause?: Cause | undefined;
}

type Decide<Body> = (key: string, current: Stored<Body> | undefined) => Body | undefined;

/** The only way to change records. */
export interface Commit {
  /**
   * Writes decisions by compare-and-set and publishes the changes. Returns the written records, and the keys that
   * another writer changed first: the caller decides these again. A decision that changes nothing is not written.
   */
  write<Body>(
    kind: RecordKind<Body>,
    decisions: readonly Decision<Body>[],
    urgency: Urgency,
  ): Promise<{ written: Stored<Body>[]; lost: string[] }>;
  /**
   * Reads, decides and writes until each key is written or left unchanged. `decide` receives the current record and
   * returns its new body, or undefined to leave it; it is called again if another writer was first, so it must be pure.
   * `present` are records that the caller has just read. Returns the records that changed.
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
  /** Topics of the records that may be changed; all of them if absent. */
  publishes?: readonly Topic[];
}

/**
 * Records that are written under one entry of the outbox. A change has at most some 2 KiB, so an entry has at most 4 MiB,
 * however many records a caller decides together.
 */
export const RECORDS_PER_ENTRY = 2_000;
/** Length of a batch's random id: a record stores the ids of its last four writes. */
const ID_BYTES = 12;

/**
 * A transactional outbox: adds the changes to the outbox, writes by compare-and-set, publishes, removes the outbox
 * entry. If the process is killed in between, nothing is lost: the sweep publishes what the entry lists, at least once
 * (docs/architecture/guarantees.md#every-change-is-published).
 */
export function createCommit({ records, outbox, publisher, now, publishes }: Dependencies): Commit {
  const write: Commit["write"] = async <Body>(
    kind: RecordKind<Body>,
    decisions: readonly Decision<Body>[],
    urgency: Urgency,
  ) => {
    if (kind.topic !== undefined && !(publishes?.includes(kind.topic) ?? true))
      throw new Error(`this process may not change ${kind.name}: queues/topology.ts does not name it`);
    const changing = decisions
      .map((decision) => ({ decision, changed: changedFields(decision) }))
      .filter(isChanging)
      .map(({ decision, changed }) => ({ decision: withCause(kind, decision), changed }));
    const result: Awaited<ReturnType<typeof writeTogether<Body>>> = { written: [], lost: [] };
    for (const part of inBatches(changing, RECORDS_PER_ENTRY)) {
      const { written, lost } = await writeTogether(kind, part, urgency);
      for (const record of written) result.written.push(record);
      for (const key of lost) result.lost.push(key);
    }
    return result;
  };

  /** Writes and publishes what one entry of the outbox lists. */
  async function writeTogether<Body>(
    kind: RecordKind<Body>,
    changing: readonly { decision: Decision<Body>; changed: string[] }[],
    urgency: Urgency,
  ): ReturnType<typeof records.compareAndSet<Body>> {
    const batch: Write = { writeId: randomBytes(ID_BYTES).toString("base64url"), at: now() };
    const changes = changing
      .filter(({ decision }) => !decision.quiet)
      .map(({ decision, changed }) => changeOf(kind, decision, changed, urgency, batch.at));
    const isPublished = kind.topic !== undefined && changes.length > 0;
    if (isPublished) await outbox.add({ _id: batch.writeId, kind: kind.name, since: batch.at, changes });
    const result = await records.compareAndSet(
      kind,
      changing.map(({ decision }) => proposalOf(decision)),
      batch,
    );
    const lost = new Set(result.lost);
    const won = changes.filter(({ key }) => !lost.has(key));
    const told = won.filter(({ changed }) => changed.some((field) => kind.streamedFields.includes(field)));
    publisher.streamLabels?.(told.map(({ key }) => key));
    if (isPublished && kind.topic !== undefined) {
      if (won.length === 0 || (await publisher.publish(kind.topic, won))) await outbox.remove(batch.writeId);
    }
    return result;
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

/** A record without a topic has no cause: it alone causes no derivation or transmission. */
function withCause<Body>({ topic }: RecordKind<Body>, decision: Decision<Body>): Decision<Body> {
  if (topic === undefined || decision.inputs) return decision;
  return { ...decision, cause: causeOfWrite(decision.body as object) };
}

const isChanging = ({ decision, changed }: { decision: { current: unknown }; changed: string[] }): boolean =>
  decision.current === undefined || changed.length > 0;

const proposalOf = <Body>({ key, current, body, inputs, cause }: Decision<Body>): Proposal<Body> => ({
  key,
  current,
  body,
  ...(inputs && { inputs }),
  cause,
});

function changeOf<Body>(
  kind: RecordKind<Body>,
  { key, current, body, cause }: Decision<Body>,
  changed: string[],
  urgency: Urgency,
  at: Date,
): Change {
  return {
    key,
    rev: nextRev(current, at),
    operation: operationOf(kind, current, body),
    changed,
    ...(current !== undefined && !kind.isAlive(current) && kind.isAlive(body) && { wasDeleted: true as const }),
    ...keysOfChange(kind, current, body),
    urgency,
    at: at.getTime(),
    ...(cause && { cause }),
  };
}

/** A change names at most this many keys: few rows change more, and a change has a bound. */
const MAX_KEYS = 20;

/** Names which values of a record changed, if it existed before and its kind knows. */
function keysOfChange<Body>(
  kind: RecordKind<Body>,
  current: Stored<Body> | undefined,
  body: Body,
): Pick<Change, "itemKeys" | "formerRev"> {
  if (kind.changedKeys === undefined || current === undefined) return {};
  if (!kind.isAlive(current) || !kind.isAlive(body)) return {};
  const keys = kind.changedKeys(current, body);
  return keys.length > MAX_KEYS ? {} : { itemKeys: keys, formerRev: current.rev };
}

function operationOf<Body>(kind: RecordKind<Body>, current: Body | undefined, body: Body): Operation {
  if (!kind.isAlive(body)) return "DELETED";
  return current === undefined || !kind.isAlive(current) ? "CREATED" : "UPDATED";
}

const envelope = new Set(["_id", "store", "rev", "writeId", "changedAt", "cause"]);

/** Names of the fields that differ; a field that is undefined is absent. */
function changedFields<Body>({ current, body, inputs }: Decision<Body>): string[] {
  const before: Record<string, unknown> = { ...current };
  const after: Record<string, unknown> = { ...body, ...(inputs && { inputs }) };
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !envelope.has(name) && !isDeepStrictEqual(before[name], after[name]));
}
