import type { ExecutionContext } from "ava";
import type { Change } from "../../../../schemas/topics.ts";
import { eventually } from "../../../harness/eventually.ts";
import type { ASystem } from "../../../harness/system.ts";
import { startAWorker } from "../../../harness/worker.ts";

export const IMAGES = "renderedimage.v1";
const keysOf = (changes: readonly Change[]): string[] => changes.map(({ key }) => key);
/** Returns this many link keys. */
export const keys = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `t/demo/s/main/links/${String(index).padStart(4, "0")}`);

/** The merger's queue in a system, and its workers. */
export function mergerOf(world: ASystem) {
  const merger = () => world.system.publisher.queue("merger");
  return {
    merger,
    /** Waits for the failed job. */
    failedJob: () =>
      eventually("a job has failed", async () => {
        const [job] = await merger().getFailed();
        return job;
      }),
    untilEmpty: () =>
      eventually("every job is done", async () => {
        const counts = await merger().getJobCounts("active", "waiting", "prioritized", "delayed");
        return Object.values(counts).every((count) => count === 0);
      }),
    /** Starts the merger's worker with a handler that records the keys of each call. */
    startMerger(t: ExecutionContext, handle: (changes: Change[]) => Promise<void> = async () => {}) {
      const calls: string[][] = [];
      startAWorker(t, world, "merger", {
        "ecceslimage.v1": async () => {},
        "pageimage.v1": async (changes: Change[]) => {
          calls.push(keysOf(changes));
        },
        [IMAGES]: async (changes: Change[]) => {
          calls.push(keysOf(changes));
          await handle(changes);
        },
      });
      return calls;
    },
  };
}
