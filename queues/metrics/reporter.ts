import type { ChainableCommander, Redis } from "ioredis";
import type { ProcessLabels } from "./definitions.ts";
import type { Metrics, Snapshot } from "./metrics.ts";
import { MAX_TENANTS } from "./tenant-places.ts";

/** The series of one process at one moment. */
export interface ProcessSnapshot {
  labels: ProcessLabels;
  snapshot: Snapshot;
}

export interface Reporter {
  /** Stores the process's series in Redis, and finds out which tenants are the busiest. Called at each interval. */
  report(): Promise<void>;
  /** The current series of this process. */
  readOwn(): Promise<ProcessSnapshot>;
  /** The series of every process that has reported within a minute. */
  readAll(): Promise<ProcessSnapshot[]>;
  /** Removes the process immediately. */
  stop(): Promise<void>;
}

const REPORT_INTERVAL_MS = 15_000;
const TTL_MS = 60_000;
/** The hash tag keeps all keys in one Redis Cluster slot. */
const PREFIX = "{metrics}";
const PROCESSES = `${PREFIX}:processes`;
/** Length of a block of time. All processes use the busiest tenants of the last whole block, then those of the current one. */
const BLOCK_MS = 600_000;
const TENANTS_PER_REPORT = 100;
const TENANTS_PER_BLOCK = 500;

interface Dependencies {
  metrics: Pick<Metrics, "takeSnapshot" | "tenants">;
  redis: Redis;
  labels: ProcessLabels;
  now(): Date;
  onError(error: Error): void;
  intervalMs?: number;
}

/** Reads the kinds of the processes that have reported within a minute, one entry per process. */
export async function readLivingProcesses(redis: Redis, now: Date): Promise<ProcessLabels["process"][]> {
  const members = await redis.zrangebyscore(PROCESSES, now.getTime(), "+inf");
  return members.map((member) => member.split(".", 1)[0] as ProcessLabels["process"]);
}

/**
 * Reports a process's series every 15 seconds, so that the web process can also show processes that do not serve HTTP. If a
 * report cannot be stored, the next report includes its figures: nothing waits for Redis.
 */
export function startReporter(dependencies: Dependencies): Reporter {
  const { metrics, redis, labels, now, onError, intervalMs = REPORT_INTERVAL_MS } = dependencies;
  const member = `${labels.process}.${labels.process_id}`;
  let own: Promise<Snapshot> | undefined;

  async function report(): Promise<void> {
    own = metrics.takeSnapshot();
    const present: ProcessSnapshot = { labels, snapshot: await own };
    if (redis.status !== "ready") return;
    const at = now().getTime();
    const block = Math.floor(at / BLOCK_MS);
    const pipeline = redis
      .pipeline()
      .set(keyOf(member), JSON.stringify(present), "PX", TTL_MS)
      .zadd(PROCESSES, at + TTL_MS, member)
      .zremrangebyscore(PROCESSES, 0, at);
    noteActivity(pipeline, tenantsOf(block), metrics.tenants.takeActivity());
    pipeline.zrevrange(tenantsOf(block - 1), 0, MAX_TENANTS - 1).zrevrange(tenantsOf(block), 0, MAX_TENANTS - 1);
    const answers = (await pipeline.exec()) ?? [];
    const [before, since] = answers.slice(-2).map(([, tenants]) => tenants as string[] | undefined);
    if (before && since) metrics.tenants.giveTo([...new Set([...before, ...since])]);
    const failed = answers.find(([error]) => error !== null);
    if (failed?.[0]) onError(failed[0]);
  }

  async function readStored(): Promise<ProcessSnapshot[]> {
    const members = await redis.zrangebyscore(PROCESSES, now().getTime(), "+inf");
    const texts = members.length === 0 ? [] : await redis.mget(members.map(keyOf));
    return texts.flatMap((text) => (text === null ? [] : [JSON.parse(text) as ProcessSnapshot]));
  }

  const tick = () => void report().catch(onError);
  const timer = setInterval(tick, intervalMs).unref();
  tick();
  redis.once("ready", tick);

  return {
    report,
    readOwn: async () => ({ labels, snapshot: await metrics.takeSnapshot() }),

    async readAll() {
      const stored = await readStored().catch((error: Error) => {
        onError(error);
        return [];
      });
      if (stored.some((one) => one.labels.process_id === labels.process_id)) return stored;
      return [...stored, { labels, snapshot: await (own ?? metrics.takeSnapshot()) }];
    },

    async stop() {
      clearInterval(timer);
      if (redis.status !== "ready") return;
      await redis.pipeline().zrem(PROCESSES, member).del(keyOf(member)).exec().catch(onError);
    },
  };
}

const keyOf = (member: string): string => `${PREFIX}:process:${member}`;
const tenantsOf = (block: number): string => `${PREFIX}:tenants:${block}`;

/** Adds the activity of this process's busiest tenants to their totals for all processes. */
function noteActivity(pipeline: ChainableCommander, key: string, activity: ReadonlyMap<string, number>): void {
  const busiest = [...activity].sort(([, one], [, other]) => other - one).slice(0, TENANTS_PER_REPORT);
  if (busiest.length === 0) return;
  for (const [tenant, amount] of busiest) pipeline.zincrby(key, amount, tenant);
  pipeline.zremrangebyrank(key, 0, -TENANTS_PER_BLOCK - 1).pexpire(key, 2 * BLOCK_MS);
}
