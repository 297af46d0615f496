import { createThread } from "../../queues/worker/thread.ts";
import type { DrawnPages, PageDrawingOrder } from "./draw-pages.ts";

/** Limit of a drawing in processor time. The largest upload that is accepted, 4096 x 4096 pixels, takes some seconds. */
const PROCESSOR_MS = 20_000;
/** Limit in time, well below the minute after which a process that finishes nothing ends itself. */
const TIMEOUT_MS = 30_000;
const IDLE_MS = 5_000;

type Answer = { drawn: DrawnPages } | { failed: string };

/**
 * Draws page images in a thread of its own, because decoding blocks a thread for seconds and takes hundreds of
 * megabytes.
 */
export function createPageDrawing(timeoutMs = TIMEOUT_MS): (order: PageDrawingOrder) => Promise<DrawnPages> {
  const run = createThread<PageDrawingOrder, Answer>(new URL("./page-thread.ts", import.meta.url), {
    timeoutMs,
    processorMs: Math.min(timeoutMs, PROCESSOR_MS),
    idleMs: IDLE_MS,
  });
  return async (order) => {
    const answer = await run(order);
    if ("failed" in answer) throw new Error(answer.failed);
    return answer.drawn;
  };
}
