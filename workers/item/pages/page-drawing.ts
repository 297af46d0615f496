import { createThread } from "../../../queues/worker/thread.ts";
import type { DrawnPages, PageDrawingOrder } from "./draw-pages.ts";

/** A photograph of 4096 x 4096 pixels takes some seconds; nothing that is taken needs this long. */
const WITHIN_MS = 60_000;
const IDLE_MS = 5_000;

type Answer = { drawn: DrawnPages } | { failed: string };

/** Draws in a thread beside this one: decoding holds a thread for seconds and takes hundreds of megabytes. */
export function createPageDrawing(withinMs = WITHIN_MS): (order: PageDrawingOrder) => Promise<DrawnPages> {
  const ask = createThread<PageDrawingOrder, Answer>(new URL("./page-thread.ts", import.meta.url), {
    withinMs,
    processorMs: withinMs,
    idleMs: IDLE_MS,
  });
  return async (order) => {
    const answer = await ask(order);
    if ("failed" in answer) throw new Error(answer.failed);
    return answer.drawn;
  };
}
