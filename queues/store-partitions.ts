import { hash } from "node:crypto";
import type { Collection, Db } from "mongodb";
import { stores } from "../records/kinds/tenants.ts";
import { createLeaseWatch } from "../records/leases/lease-watch.ts";
import { REPEATABLE } from "../records/mongodb/repeatable.ts";
import { EVERY_KEY } from "../schemas/keys.ts";

/**
 * A range of keys that begins at a store. All keys under a store are in one partition. A tenant's own keys may be in two
 * partitions, since some come before the keys of its stores and some after them.
 */
export interface Partition {
  $gte: string;
  $lt: string;
}

/**
 * Background work for all stores, shared among the processes: the labels of transmitters, the schedules and the activity log of
 * item workers, and the switches that renderers prepare.
 */
export type SharedWork = "labels" | "schedules" | "switches" | "activity";

export interface Partitions {
  /** All partitions, in key order. */
  all(): Promise<Partition[]>;
  /**
   * The partitions whose work this process currently does. Must be called before each step of the work: a process that does not
   * call it for several seconds leaves its partitions to the others.
   */
  own(work: SharedWork): Promise<Partition[]>;
}

interface PartitionsWorld {
  db: Db;
  /** Unique to this process. */
  holder: string;
  now(): Date;
  /** A monotonic clock, in milliseconds. */
  clock(): number;
}

/** A process that takes part in a kind of work, until its lease ends. */
interface Member {
  _id: string;
  holder: string;
  until: Date;
}

const MAX_PARTITIONS = 64;
const LEASE_MS = 6_000;
const RENEW_INTERVAL_MS = 2_000;
/**
 * Maximum age of the cached partitions: a new store belongs to a partition immediately, and changes only the partition's size.
 */
const DIVIDE_INTERVAL_MS = 60_000;

/**
 * Divides all keys into partitions, and each kind of work among the live processes (docs/decisions/queues/store-partitions.md).
 * Two processes may do the work of one partition while one of them joins or ends: partitions save work, but correctness does
 * not depend on them.
 */
export function openPartitions({ db, holder, now, clock }: PartitionsWorld): Partitions {
  const leases = db.collection<Member>("lease");
  const hasEnded = createLeaseWatch(clock);
  /** When this process last did each kind of work: the leases of all these kinds are renewed together. */
  const doneAt = new Map<SharedWork, number>();
  let renewed: { works: ReadonlySet<SharedWork>; members: Promise<Member[]>; at: number } | undefined;
  let divided: { partitions: Promise<Partition[]>; at: number } | undefined;

  async function divide(): Promise<Partition[]> {
    const found = await db
      .collection<{ _id: string }>(stores.name)
      .find({ _id: EVERY_KEY }, { projection: { _id: 1 } })
      .toArray();
    return partitionsOf(found.map(({ _id }) => _id));
  }

  function all(): Promise<Partition[]> {
    if (divided !== undefined && clock() - divided.at < DIVIDE_INTERVAL_MS) return divided.partitions;
    divided = { partitions: divide(), at: clock() };
    divided.partitions.catch(() => {
      divided = undefined;
    });
    return divided.partitions;
  }

  const isAlive = ({ _id, holder: other, until }: Member): boolean =>
    other === holder || (until > now() && !hasEnded(_id, until.getTime(), LEASE_MS));

  function membersWith(work: SharedWork): Promise<Member[]> {
    const at = clock();
    doneAt.set(work, at);
    if (renewed?.works.has(work) && at - renewed.at < RENEW_INTERVAL_MS) return renewed.members;
    const works = new Set([...doneAt].filter(([, doneLast]) => at - doneLast < LEASE_MS).map(([done]) => done));
    const members = renew(leases, works, { holder, until: new Date(now().getTime() + LEASE_MS) }).then((found) =>
      found.filter(isAlive),
    );
    const present = { works, members, at };
    renewed = present;
    members.catch(() => {
      if (renewed === present) renewed = undefined;
    });
    return members;
  }

  async function holdersOf(work: SharedWork): Promise<string[]> {
    const members = await membersWith(work);
    return members.filter(({ _id }) => _id.startsWith(prefixOf(work))).map((member) => member.holder);
  }

  return {
    all,
    async own(work) {
      const [partitions, holders] = await Promise.all([all(), holdersOf(work)]);
      return partitions.filter(({ $gte }) => doerOf($gte, holders) === holder);
    },
  };
}

const prefixOf = (work: SharedWork): string => `partitions of ${work}/`;
/** The keys of all members: `!` is the character after the space. */
const EVERY_MEMBER = { $gte: "partitions of ", $lt: "partitions of!" };

/** Renews the leases of a process, and returns all members of all kinds of work; removes members that ended long ago. */
async function renew(
  leases: Collection<Member>,
  works: ReadonlySet<SharedWork>,
  { holder, until }: Omit<Member, "_id">,
): Promise<Member[]> {
  const renewals = Array.from(works, (work) => ({
    updateOne: { filter: { _id: `${prefixOf(work)}${holder}` }, update: { $set: { holder, until } }, upsert: true },
  }));
  await leases.bulkWrite(renewals, { ordered: false });
  const found = await leases.find({ _id: EVERY_MEMBER }).toArray();
  const ended = found.filter((member) => until.getTime() - member.until.getTime() > 10 * LEASE_MS);
  if (ended.length > 0) await leases.deleteMany({ _id: { $in: ended.map(({ _id }) => _id) } }, REPEATABLE);
  return found;
}

/** Divides all keys at stores chosen by hash, so that a new store moves at most one bound, whichever process sees it first. */
export function partitionsOf(storeKeys: readonly string[]): Partition[] {
  const byHash = storeKeys.map((key) => ({ key, rank: rankOf(key) })).toSorted((a, b) => (a.rank < b.rank ? -1 : 1));
  const bounds = byHash.slice(0, MAX_PARTITIONS - 1).map(({ key }) => `${key}/`);
  const starts = [EVERY_KEY.$gte, ...bounds.toSorted()];
  return starts.map(($gte, index) => ({ $gte, $lt: starts[index + 1] ?? EVERY_KEY.$lt }));
}

/** Joins neighbouring partitions, for work that reads them together. */
export function joined(partitions: readonly Partition[]): Partition[] {
  const found: Partition[] = [];
  for (const { $gte, $lt } of partitions) {
    const before = found.at(-1);
    if (before?.$lt === $gte) before.$lt = $lt;
    else found.push({ $gte, $lt });
  }
  return found;
}

/**
 * Returns the ranges of keys that a pass over stores must still examine after a store ("" when the pass begins), each with the
 * store after which the pass continues in it. Store keys are ordered differently from stores: `1-b/` comes before `1/`.
 */
export const rangesBehind = (store: string, partitions: readonly Partition[]): { among: Partition; after: string }[] =>
  joined(partitions)
    .filter(({ $lt }) => `${store}/` < $lt)
    .map((among) => ({ among, after: `${store}/` >= among.$gte ? store : "" }));

/** Returns the process that does a partition's work. When a process joins or ends, only its own partitions change hands. */
const doerOf = (partition: string, holders: readonly string[]): string | undefined =>
  holders
    .map((holder) => ({ holder, rank: rankOf(`${partition} ${holder}`) }))
    .toSorted((a, b) => (a.rank < b.rank ? 1 : -1))[0]?.holder;

const rankOf = (text: string): string => hash("sha256", text);
