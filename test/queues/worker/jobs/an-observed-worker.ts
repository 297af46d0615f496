import type { ExecutionContext } from "ava";
import type { JobToAdd } from "../../../../queues/publish/publisher.ts";
import type { JobHandler, QueueName } from "../../../../queues/topology.ts";
import type { Attributes } from "../../../../queues/tracing/tracing.ts";
import type { startWorker } from "../../../../queues/worker/worker.ts";
import { openLog } from "../../../../runtime/log.ts";
import type { Cause } from "../../../../schemas/cause.ts";
import type { RequestChunk } from "../../../../schemas/jobs.ts";
import type { Change } from "../../../../schemas/topics.ts";
import { eventually } from "../../../harness/eventually.ts";
import type { ASystem } from "../../../harness/system.ts";
import { itemHandlers, startAWorker } from "../../../harness/worker.ts";

export const IMAGES = "renderedimage.v1";
export const PATCH = "patch-items";
/** The driver's error while MongoDB is unreachable. */
export const unreachable = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });

/** A job of the item queue with one chunk of one row. */
export const chunkJob = (number: number, urgency: "bulk" | "interactive" = "bulk", tenant = "demo"): JobToAdd => ({
  name: PATCH,
  data: {
    key: `t/${tenant}/s/main/requests/${number}/0`,
    store: `t/${tenant}/s/main`,
    number,
    index: 0,
    ordered: true,
    size: 1,
  },
  urgency,
});

export type Given = Partial<Parameters<typeof startWorker>[2]>;

/** Workers of one system for the item queue and the merger, with the test's own handlers. */
export function workersOf(world: ASystem) {
  const queue = (name: QueueName) => world.system.publisher.queue(name);
  return {
    queue,
    startItem: (t: ExecutionContext, handler: JobHandler<RequestChunk>, given: Given) =>
      startAWorker(t, world, "item", itemHandlers(handler), given),
    startMerger: (t: ExecutionContext, handler: (changes: Change[]) => Promise<void>, given: Given) =>
      startAWorker(
        t,
        world,
        "merger",
        { "ecceslimage.v1": async () => {}, "pageimage.v1": async () => {}, [IMAGES]: handler },
        given,
      ),
    completed: (name: QueueName, jobs: number) =>
      eventually(`${jobs} are done`, async () => (await queue(name).getCompletedCount()) === jobs),
  };
}

/** A worker's counts, logs, traces and notifications. */
export function observed() {
  const counts: [string, unknown, number][] = [];
  const lines: Record<string, unknown>[] = [];
  const steps: [string, readonly Cause[], Attributes][] = [];
  const left: Record<string, unknown>[][] = [];
  const leftRows: Record<string, unknown>[][] = [];
  const admitChunks: string[] = [];
  const errors: string[] = [];
  const given: Given = {
    metrics: { count: (name, labels, by = 1) => void counts.push([name, labels, by]) },
    log: openLog("item", "trace", { write: (line) => void lines.push(JSON.parse(line)) }),
    step: async (name, causes, attributes, work) => {
      steps.push([name, causes, attributes]);
      return await work();
    },
    bulkJobs: {
      async leave(jobs) {
        left.push(jobs.map((job) => ({ ...job })));
        return ["demo"];
      },
    },
    interactiveRows: { leave: async (jobs) => void leftRows.push(jobs.map((job) => ({ ...job }))) },
    admitChunks: async (tenant) => void admitChunks.push(tenant),
    onRedisError: ({ message }) => void errors.push(message),
  };
  return { counts, lines, steps, left, leftRows, admitChunks, errors, given };
}
