import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import { within } from "../../records/mongodb/unavailable.ts";
import { ownerOf, tenantOf } from "../../schemas/keys.ts";
import type { Change } from "../../schemas/topics.ts";
import type { Urgency } from "../../schemas/urgency.ts";
import { INTERACTIVE_ROWS } from "../../schemas/urgency.ts";
import { sendTogether } from "../redis.ts";
import type { CountedJob } from "./bulk-jobs.ts";

/** A request whose urgency has been determined. */
export interface Admission {
  urgency: Urgency;
  /** Stops counting the request: its jobs are counted instead, or it was rejected. */
  release(): void;
}

/**
 * Counts, for each tenant and store, the rows whose interactive jobs are in Redis. These rows are the work that the workers
 * have yet to do, no matter how fast the workers are. Each tenant has a share of interactive rows; its requests beyond that
 * share are bulk (docs/architecture/queues.md#turns).
 */
export interface InteractiveRows {
  /** Decides the urgency of a request with this many rows. The rows are counted until `release` is called. */
  admit(store: string, rows: number): Promise<Admission>;
  /** Counts interactive jobs. */
  enter(jobs: readonly CountedJob[]): Promise<void>;
  /** Stops counting jobs. */
  leave(jobs: readonly CountedJob[]): Promise<void>;
}

/** About a second of drawing on two cores, which is how long another tenant's price may have to wait. */
export const MAX_ROWS_OF_TENANT = 400;
export const MAX_ROWS_OF_STORE = 200;
/** A job added longer ago than this does not count: its process was killed. */
const COUNTED_MS = 60_000;
const TIMEOUT_MS = 100;

interface Dependencies {
  redis: Redis;
  now(): Date;
  onError(error: Error): void;
  /** How long a caller may wait for a response from Redis. */
  timeoutMs?: number;
}

export function openInteractiveRows({ redis, now, onError, timeoutMs = TIMEOUT_MS }: Dependencies): InteractiveRows {
  /** The rows that this process has admitted since Redis became unreachable. */
  const unseen = new Map<string, number>();
  redis.on("ready", () => unseen.clear());

  /** Counts the interactive rows of a tenant and of one of its stores, including `member`, which the same command adds. */
  async function count(store: string, member: string): Promise<{ ofTenant: number; ofStore: number }> {
    const key = keyOf(tenantOf(store));
    const at = now().getTime();
    const [, , , members] = await within(
      timeoutMs,
      sendTogether(redis, [
        ["zremrangebyscore", key, "-inf", at - COUNTED_MS],
        ["zadd", key, at, member],
        ["pexpire", key, COUNTED_MS],
        ["zrange", key, 0, -1],
      ]),
    );
    const counted = (members as string[]).map(countedOf);
    const sum = (of: readonly { rows: number }[]) => of.reduce((total, { rows }) => total + rows, 0);
    return { ofTenant: sum(counted), ofStore: sum(counted.filter((one) => one.store === store)) };
  }

  /** Without Redis, no work is in progress, so only the rows that this process admitted count. */
  function admitUnseen(store: string, rows: number): Admission {
    const tenant = tenantOf(store);
    const before = unseen.get(tenant) ?? 0;
    if (before + rows > MAX_ROWS_OF_TENANT) return bulk;
    unseen.set(tenant, before + rows);
    return { urgency: "interactive", release: () => {} };
  }

  return {
    async admit(store, rows) {
      if (rows > INTERACTIVE_ROWS) return bulk;
      if (redis.status !== "ready") return admitUnseen(store, rows);
      const key = keyOf(tenantOf(store));
      const member = memberOf(`request ${randomUUID()}`, store, rows);
      const release = () => void redis.zrem(key, member).catch(onError);
      try {
        const { ofTenant, ofStore } = await count(store, member);
        if (ofTenant <= MAX_ROWS_OF_TENANT && ofStore <= MAX_ROWS_OF_STORE) return { urgency: "interactive", release };
        release();
        return bulk;
      } catch (error) {
        onError(error as Error);
        return admitUnseen(store, rows);
      }
    },

    async enter(jobs) {
      const at = now().getTime();
      const commands = [...membersByKey(jobs.filter(({ urgency }) => urgency === "interactive"))].flatMap(
        ([key, members]): [string, string, ...(string | number)[]][] => [
          ["zadd", key, ...members.flatMap((member) => [at, member])],
          ["pexpire", key, COUNTED_MS],
        ],
      );
      await sendTogether(redis, commands);
    },

    async leave(jobs) {
      await sendTogether(
        redis,
        [...membersByKey(jobs)].map(([key, members]): [string, string, ...string[]] => ["zrem", key, ...members]),
      );
    },
  };
}

const bulk: Admission = { urgency: "bulk", release: () => {} };

/** Pattern of all keys that are written here. */
export const INTERACTIVE_KEYS = "interactive:*";
const keyOf = (tenant: string): string => `interactive:${tenant}`;

const memberOf = (name: string, store: string, rows: number): string => `${name} ${store} ${rows}`;
/** Parses a member; a store's key contains no space. */
function countedOf(member: string): { store: string; rows: number } {
  const [store = "", rows] = member.split(" ").slice(-2);
  return { store, rows: Number(rows) };
}

/** Returns the members that stand for jobs: one per store for a job with changes, and one for a chunk. */
function membersByKey(jobs: readonly CountedJob[]): Map<string, string[]> {
  const members = jobs.flatMap(({ queue, id, data }): [key: string, member: string][] => {
    if (id === undefined) return [];
    const { changes, store, index, size = 0 } = data as Carried;
    const rows = changes ? countByOwner(changes) : store !== undefined && index !== undefined ? [[store, size]] : [];
    return (rows as [string, number][]).map(([of, count]) => [
      keyOf(tenantOf(of)),
      memberOf(`${queue} ${id}`, of, count),
    ]);
  });
  return new Map(
    [...Map.groupBy(members, ([key]) => key)].map(([key, group]) => [key, group.map(([, member]) => member)]),
  );
}

/** The part of a job's data that determines what is counted. */
interface Carried {
  changes?: readonly Change[];
  store?: string;
  index?: number;
  size?: number;
}

const countByOwner = (changes: readonly Change[]): [string, number][] =>
  [...Map.groupBy(changes, ({ key }) => ownerOf(key))].map(([owner, own]) => [owner, own.length]);
