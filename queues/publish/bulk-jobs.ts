import type { Redis } from "ioredis";
import { tenantOf } from "../../schemas/keys.ts";
import type { Urgency } from "../../schemas/urgency.ts";
import type { ProcessCounts } from "../process-counts.ts";
import { sendTogether } from "../redis.ts";
import { type ChangeJob, isWindowFull } from "../tenant-windows.ts";
import type { QueueName } from "../topology.ts";

/** The fields of a job that determine how it is counted. */
export interface CountedJob {
  queue: QueueName;
  id?: string | undefined;
  urgency: Urgency;
  data: object;
}

/** A chunk whose job is in Redis. */
export interface ChunkInRedis {
  queue: QueueName;
  jobId: string;
  key: string;
}

/** One tenant's bulk work in Redis. */
export interface TenantsBulk {
  chunks: readonly ChunkInRedis[];
  /** Whether the workers have so many of the tenant's changes to process that its other bulk work can wait in MongoDB. */
  isBusy: boolean;
  /** The store whose chunk was enqueued last; undefined if no chunk waits in the journal, or if the store is unknown. */
  turn: string | undefined;
  /** Requests that were recently confirmed to their callers, as `{store}/{number}`. */
  confirmed: ReadonlySet<string>;
}

/**
 * Counts each tenant's bulk jobs in Redis. Jobs are counted from before they are added until they are done. Miscounts caused by
 * a killed process or a wiped Redis correct themselves, since a job counts for at most `COUNTED_MS`.
 */
export interface BulkJobs {
  /** Counts jobs. Except in a cluster, later commands in the same tick on the same connection take effect after the count. */
  enter(jobs: readonly CountedJob[]): Promise<void>;
  /** Stops counting jobs; returns those of the jobs' tenants that have chunks waiting in the journal. */
  leave(jobs: readonly CountedJob[]): Promise<string[]>;
  read(tenant: string): Promise<TenantsBulk>;
  /** Whether the workers have so many of a tenant's changes to process that the tenant's other bulk work stays in MongoDB. */
  isBusy(tenant: string): Promise<boolean>;
  /** Records which store had the last turn, and that the tenant has more chunks waiting. */
  noteTurn(tenant: string, store: string): Promise<void>;
  /** Records requests whose callers have received their responses, so that their chunks need no grace period. */
  noteConfirmed(requests: readonly { store: string; number: number }[]): Promise<void>;
}

/** Pattern of all keys that are written here. */
export const BULK_KEYS = "bulk:*";
/** Number of a tenant's change jobs that are read to estimate the number of keys in all of them. */
const SAMPLED_JOBS = 1_000;
/** Assumed number of keys of a job that was counted by an earlier release, which did not record the number. */
const KEYS_OF_FORMER_JOB = 1_000;
/** A job added longer ago than this does not count: its process was killed, or its workers are not running. */
const COUNTED_MS = 300_000;
const TURN_TTL_S = 600;
/** Longer than the grace period after which a request counts as confirmed. */
const CONFIRMED_MS = 30_000;

/** `countProcesses` returns how many processes share a tenant's work; the tenant's window grows with that number. */
export function openBulkJobs(redis: Redis, now: () => Date, countProcesses: () => Promise<ProcessCounts>): BulkJobs {
  const since = (ms: number): string => `(${now().getTime() - ms}`;

  const sampleOf = (tenant: string): [string, string, ...(string | number)[]][] => {
    const range = [keyOf(tenant, "changes"), since(COUNTED_MS), "+inf"] as const;
    return [
      ["zrangebyscore", ...range, "limit", 0, SAMPLED_JOBS],
      ["zcount", ...range],
    ];
  };

  const isFull = async (members: readonly string[], total: number): Promise<boolean> =>
    isWindowFull(members.map(changeJobOf), total, await countProcesses());

  return {
    async enter(jobs) {
      const at = now().getTime();
      await sendTogether(
        redis,
        [...membersByKey(jobs)].flatMap(([key, ids]) => [
          ["zremrangebyscore", key, "-inf", at - COUNTED_MS],
          ["zadd", key, ...ids.flatMap((id) => [at, id])],
          ["pexpire", key, COUNTED_MS],
        ]),
      );
    },

    async leave(jobs) {
      // A bulk chunk that interactive work waits for has an interactive job.
      const members = membersByKey(jobs.map((job) => ("index" in job.data ? { ...job, urgency: "bulk" } : job)));
      if (members.size === 0) return [];
      const tenants = [...new Set(jobs.flatMap((job) => placeOf(job)?.tenant ?? []))];
      const answers = await sendTogether(redis, [
        ...[...members].map(([key, ids]): [string, string, ...string[]] => ["zrem", key, ...ids]),
        ...tenants.map((tenant): [string, string] => ["exists", keyOf(tenant, "turn")]),
      ]);
      return tenants.filter((_, index) => answers[members.size + index] === 1);
    },

    async read(tenant) {
      const answers = await sendTogether(redis, [
        ["zrangebyscore", keyOf(tenant, "chunks"), since(COUNTED_MS), "+inf"],
        ...sampleOf(tenant),
        ["get", keyOf(tenant, "turn")],
        ["zrangebyscore", keyOf(tenant, "confirmed"), since(CONFIRMED_MS), "+inf"],
      ]);
      const [chunks, changes, total, turn, confirmed] = answers as [
        string[],
        string[],
        number,
        string | null,
        string[],
      ];
      const isBusy = await isFull(changes, total);
      return { chunks: chunks.map(chunkOf), isBusy, turn: turn ?? undefined, confirmed: new Set(confirmed) };
    },

    async isBusy(tenant) {
      const [members, total] = (await sendTogether(redis, sampleOf(tenant))) as [string[], number];
      return isFull(members, total);
    },

    async noteTurn(tenant, store) {
      await redis.set(keyOf(tenant, "turn"), store, "EX", TURN_TTL_S);
    },

    async noteConfirmed(requests) {
      const at = now().getTime();
      const commands = requests.flatMap(({ store, number }): [string, string, ...(string | number)[]][] => {
        const key = keyOf(tenantOf(store), "confirmed");
        return [
          ["zremrangebyscore", key, "-inf", at - CONFIRMED_MS],
          ["zadd", key, at, `${store}/${number}`],
          ["pexpire", key, CONFIRMED_MS],
        ];
      });
      await sendTogether(redis, commands);
    },
  };
}

const keyOf = (tenant: string, what: "chunks" | "changes" | "turn" | "confirmed"): string => `bulk:${tenant}:${what}`;

/**
 * Describes a counted job; undefined if the job is not counted, because it is interactive or contains neither a chunk nor
 * changes.
 */
function placeOf({
  queue,
  id,
  urgency,
  data,
}: CountedJob): { tenant: string; key: string; member: string } | undefined {
  if (urgency !== "bulk" || id === undefined) return undefined;
  const { key, index, changes } = data as { key?: string; index?: number; changes?: { key: string }[] };
  const ofChunk = index === undefined ? undefined : key;
  const first = ofChunk ?? changes?.[0]?.key;
  if (first === undefined) return undefined;
  const tenant = tenantOf(first);
  return ofChunk
    ? { tenant, key: keyOf(tenant, "chunks"), member: `${queue} ${id}` }
    : { tenant, key: keyOf(tenant, "changes"), member: `${queue} ${id} ${changes?.length}` };
}

function changeJobOf(member: string): ChangeJob {
  const [queue = "", , keys = KEYS_OF_FORMER_JOB] = member.split(" ");
  return { queue: queue as QueueName, keys: Number(keys) };
}

function membersByKey(jobs: readonly CountedJob[]): Map<string, string[]> {
  const places = jobs.flatMap((job) => placeOf(job) ?? []);
  return new Map(
    [...Map.groupBy(places, ({ key }) => key)].map(([key, group]) => [key, group.map(({ member }) => member)]),
  );
}

function chunkOf(member: string): ChunkInRedis {
  const [queue = ""] = member.split(" ", 1);
  const jobId = member.slice(queue.length + 1);
  return { queue: queue as QueueName, jobId, key: jobId.slice(0, jobId.lastIndexOf("~")) };
}
