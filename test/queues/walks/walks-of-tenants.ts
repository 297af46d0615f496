import { pino } from "pino";
import { startAuditor } from "../../../queues/changes/audit.ts";
import type { Stage } from "../../../queues/changes/stage.ts";
import { createWalker } from "../../../queues/walks/walk.ts";
import { type Walk, walks } from "../../../records/kinds/work.ts";
import { tenantOf, walkKey } from "../../../schemas/keys.ts";
import type { Stored } from "../../../schemas/record.ts";
import { counters } from "../../harness/databases/database.ts";
import { eventually } from "../../harness/eventually.ts";
import type { ASystem } from "../../harness/system.ts";
import { changesJob } from "../../harness/worker.ts";

/** Walks over two tenants' records, in three batches each, without a worker, so that a test sees whose turn each batch is. */
export const TENANTS = ["t/one", "t/two"];
export const RECORDS = 2_500;
export const BATCH = 1_000;
export const queue = "renderer";
const log = pino({ level: "silent" });

/** A stage of one kind, and the keys that it checked, batch by batch. */
export function recorder(findStale: (keys: readonly string[]) => string[] = () => []) {
  const batches: string[][] = [];
  const stage: Stage = {
    name: "counters",
    over: counters,
    topic: "designerlink.v1",
    async findStale(keys) {
      batches.push([...keys]);
      return findStale(keys);
    },
  };
  return { batches, stages: [stage], tenants: () => batches.map(([key = ""]) => tenantOf(key)) };
}

type Settings = Partial<Parameters<typeof startAuditor>[0]>;

/** Walkers and auditors of one system, which share its walks. */
export function walksOf(world: ASystem) {
  const walkerOf = (stages: readonly Stage[], holder = "this process", now = world.system.now) =>
    createWalker({ ...world.system, queue, stages, holder, now, log });
  const find = async (key: string) => (await world.system.records.read(walks, [key])).get(key);
  return {
    /** Stores the records of both tenants. */
    async fill(): Promise<void> {
      for (const tenant of TENANTS) {
        const keys = Array.from({ length: RECORDS }, (_, index) => `${tenant}/s/main/counters/${10_000 + index}`);
        await world.system.commit.change(counters, keys, () => ({ count: 1 }), "bulk");
      }
    },
    /** Deletes every walk and job. */
    async clear(): Promise<void> {
      await world.system.db.collection(walks.name).deleteMany({});
      await world.system.db.collection("outbox").deleteMany({});
      await world.system.redis.flushall();
    },
    walkerOf,
    async readWalk(key: string): Promise<Stored<Walk>> {
      const walk = await find(key);
      if (walk === undefined) throw new Error(`there is no walk ${key}`);
      return walk;
    },
    finished: (key: string) =>
      eventually(`the walk ${key} has ended`, async () => {
        const walk = await find(key);
        return walk?.finishedAt !== undefined && walk;
      }),
    /** Begins the walk that follows a tenant's change. */
    follow: (walker: ReturnType<typeof walkerOf>, tenant: string, reason = "a change") =>
      walker.begin(walkKey(tenant, queue), `${tenant}/`, { reason }),
    startAnAuditor(t: { teardown(end: () => Promise<void>): void }, stages: readonly Stage[], settings: Settings = {}) {
      const auditor = startAuditor({
        ...world.system,
        queue,
        stages,
        walker: walkerOf(stages),
        intervalMs: 3_600_000,
        pollIntervalMs: 20,
        onDataLoss: () => {},
        log,
        ...settings,
      });
      t.teardown(auditor.stop);
      return auditor;
    },
    addJob: () =>
      world.system.publisher.enqueue(queue, [changesJob("designerlink.v1", ["t/one/s/main/links/waiting"])]),
  };
}
