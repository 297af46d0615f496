import type { Db } from "mongodb";
import pLimit from "p-limit";
import { type AppliedRequest, describeRequest } from "../../domain/activity/describe-request.ts";
import type { ActivityEnd, ActivityLog } from "../../records/activity/activity-log.ts";
import type { CallNotes } from "../../records/activity/call-notes.ts";
import { type ChunkHead, isVoid, journalCollection } from "../../records/requests/journal.ts";
import { counterCollection, type Numbers } from "../../records/requests/numbers.ts";
import { readPartsOf } from "../../records/requests/outcome-parts.ts";
import type { ActivityContent, ActivityEntry } from "../../schemas/activity.ts";
import type { HoldState } from "../../schemas/held-request.ts";
import { chunkKey, isStoreKey, keysUnder } from "../../schemas/keys.ts";
import { joined, type Partition, type Partitions } from "../store-partitions.ts";
import { noteEntered, readDecided, storesWithDecided } from "./decided-holds.ts";

interface Dependencies {
  db: Db;
  partitions: Pick<Partitions, "own">;
  numbers: Pick<Numbers, "settledThrough">;
  activityLog: ActivityLog;
  callNotes: CallNotes;
  now(): Date;
}

const CONCURRENT_OWNERS = 4;
const NUMBERS_PER_READ = 100;
/** Maximum number of request parts in memory; the rows of each take at most 8 MiB. */
const CHUNKS_PER_READ = 4;
const SMALL_CHUNKS_PER_READ = 50;
const SMALL_ROWS = 100;
const NOTES_PER_PASS = 1_000;
/** If a call has not ended after this time, its process must have been killed. */
const LOST_AFTER_MS = 120_000;

/**
 * Adds to the activity log what has been applied since the last pass: each store's requests in number order, and the calls that
 * left a note. Each process does this for its partitions. Even if two processes do this for the same store, each place in the log
 * is taken only once (docs/architecture/activity.md).
 */
export function createKeepActivity(dependencies: Dependencies): () => Promise<void> {
  const { db, partitions, activityLog, callNotes, now } = dependencies;

  /** Finds the stores whose counters are ahead of their logs. */
  async function storesBehind(isOwn: (owner: string) => boolean): Promise<string[]> {
    const counters = await counterCollection(db)
      .find({ _id: { $gte: "t/", $lt: "t0" } }, { projection: { number: 1 } })
      .toArray();
    const own = counters.filter(({ _id }) => isStoreKey(_id) && isOwn(_id));
    const ends = await activityLog.readEnds(own.map(({ _id }) => _id));
    return own.filter(({ _id, number }) => number > (ends.get(_id)?.number ?? 0)).map(({ _id }) => _id);
  }

  return async () => {
    const owned = joined(await partitions.own("activity"));
    if (owned.length === 0) return;
    const isOwn = (owner: string): boolean => owned.some((partition) => isIn(partition, `${owner}/`));
    const notes = await callNotes.read(new Date(now().getTime() - LOST_AFTER_MS), NOTES_PER_PASS);
    const decided = await storesWithDecided(db, owned);
    const owners = new Set([...(await storesBehind(isOwn)), ...decided, ...[...notes.keys()].filter(isOwn)]);
    await pLimit(CONCURRENT_OWNERS).map([...owners], (owner) => keepOwner(dependencies, owner, notes.get(owner) ?? []));
  };
}

const isIn = ({ $gte, $lt }: Partition, key: string): boolean => $gte <= key && key < $lt;

/** Continues the log of one store or tenant. */
async function keepOwner(
  { db, numbers, activityLog, callNotes }: Dependencies,
  owner: string,
  notes: readonly ActivityContent[],
): Promise<void> {
  let end = (await activityLog.readEnds([owner])).get(owner) as ActivityEnd;
  const entered = new Set<string>();

  /** Moves the log's end past entries that are already stored. Removes their notes first, so that no call is logged twice. */
  async function moveBehind(entries: readonly ActivityEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const keys = entries.flatMap(({ note }) => note ?? []);
    for (const key of keys) entered.add(key);
    await callNotes.drop(keys);
    await noteEntered(db, entries);
    for (const entry of entries) end = endBehind(end, entry);
    await activityLog.moveEnd(end);
  }

  /** Appends entries; false if another process is appending to this log. */
  async function append(contents: readonly ActivityContent[]): Promise<boolean> {
    const added = await activityLog.append(end, contents);
    await moveBehind(added);
    return added.length === contents.length;
  }

  await moveBehind(await activityLog.readAhead(end));
  if (!(await append(notes.filter(({ note = "" }) => !entered.has(note)))) || !isStoreKey(owner)) return;
  const through = await numbers.settledThrough(owner);
  for (let from = end.number + 1; from <= through; from = end.number + 1) {
    let to = Math.min(from + NUMBERS_PER_READ - 1, through);
    const heads = await readHeads(db, owner, from, to);
    if (heads.length === 0) to = Math.min(await lastBeforeNext(db, owner, to), through);
    const { number: before, parts } = end;
    const open = heads.filter(({ number, index }) => number > before + 1 || index >= parts);
    const held = new Map(heads.flatMap(({ number, hold }) => (hold ? [[number, "WAITING"] as const] : [])));
    for (const batch of batchesOf(open)) if (!(await append(await describe(db, batch, held)))) return;
    end = { ...end, number: to, parts: 0 };
    await activityLog.moveEnd(end);
  }
  const { parts, states } = await readDecided(db, owner, end.number);
  for (const batch of batchesOf(parts)) if (!(await append(await describe(db, batch, states)))) return;
}

/** Returns the log's end after an entry. `number` advances to the entry's request only with the request's last part. */
function endBehind(
  end: ActivityEnd,
  { place, hash, request, part = 0, parts = 1, decision }: ActivityEntry,
): ActivityEnd {
  // If the request was held, its number is already before the end.
  if (request === undefined || decision !== undefined) return { ...end, place, hash };
  const isLast = part + 1 >= parts;
  return { ...end, place, hash, number: isLast ? request : request - 1, parts: isLast ? 0 : part + 1 };
}

/** Reads the parts, in order, of the requests with these numbers, except void requests. */
async function readHeads(db: Db, store: string, from: number, to: number): Promise<ChunkHead[]> {
  const journal = journalCollection(db);
  const read = async (keys: readonly string[]): Promise<ChunkHead[]> =>
    keys.length === 0
      ? []
      : journal.find({ _id: { $in: [...keys] } }, { projection: { rows: 0, outcomes: 0, "hold.rows": 0 } }).toArray();
  const first = await read(Array.from({ length: to - from + 1 }, (_, index) => chunkKey(store, from + index, 0)));
  const further = first.flatMap(({ number, chunks }) =>
    Array.from({ length: chunks - 1 }, (_, index) => chunkKey(store, number, index + 1)),
  );
  const requests = Map.groupBy([...first, ...(await read(further))], ({ number }) => number);
  return [...requests.values()]
    .filter((chunks) => !chunks.some(isVoid))
    .flat()
    .sort((a, b) => a.number - b.number || a.index - b.index);
}

/**
 * Returns the last number of a gap in the journal. Millions of numbers may have expired before a store's log begins, or have
 * been skipped after a restore.
 */
async function lastBeforeNext(db: Db, store: string, after: number): Promise<number> {
  const found = journalCollection(db).find(
    { _id: keysUnder(`${store}/requests/`) },
    { projection: { _id: 0, number: 1 } },
  );
  let next = Number.POSITIVE_INFINITY;
  for await (const { number } of found) if (number > after) next = Math.min(next, number);
  return next - 1;
}

/** Groups parts into batches of many small parts or a few large ones. */
function* batchesOf(heads: readonly ChunkHead[]): Generator<readonly ChunkHead[]> {
  const isSmall = ({ size, weight = size }: ChunkHead): boolean => weight <= SMALL_ROWS;
  let run: ChunkHead[] = [];
  for (const head of heads) {
    const most = [...run, head].every(isSmall) ? SMALL_CHUNKS_PER_READ : CHUNKS_PER_READ;
    if (run.length >= most) {
      yield run;
      run = [];
    }
    run.push(head);
  }
  if (run.length > 0) yield run;
}

/** Returns the log entries for request parts; `held` maps numbers to the states of requests that are or were held. */
async function describe(
  db: Db,
  heads: readonly ChunkHead[],
  held: ReadonlyMap<number, HoldState>,
): Promise<ActivityContent[]> {
  const keys = heads.map(({ _id }) => _id);
  const found = await journalCollection(db)
    .find({ _id: { $in: keys } })
    .sort({ number: 1, index: 1 })
    .toArray();
  const contents: ActivityContent[] = [];
  for (const chunk of found) {
    const { outcomes = "[]", outcomeParts = [] } = chunk;
    const applied: AppliedRequest = {
      ...chunk,
      held: held.get(chunk.number),
      rows: JSON.parse(chunk.rows),
      outcomes: outcomeParts.length > 0 ? await readPartsOf(db, outcomeParts) : JSON.parse(outcomes),
    };
    contents.push(describeRequest(applied));
  }
  return contents;
}
