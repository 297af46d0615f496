import { Worker } from "node:worker_threads";
import type { DrawnPages, PageOrder } from "./draw-pages.ts";

/** A photograph of 4096 x 4096 pixels takes some seconds; nothing that is taken needs this long. */
const WITHIN_MS = 60_000;
/** So long a thread without orders is kept for the next. */
const IDLE_MS = 5_000;

type Answer = { drawn: DrawnPages } | { failed: string };

/**
 * Draws in a thread beside this one: decoding holds a thread for seconds and takes hundreds of megabytes. One order at a
 * time; one that takes too long ends its thread, and costs nobody else anything.
 */
export function createPageDrawing(withinMs = WITHIN_MS): (order: PageOrder) => Promise<DrawnPages> {
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function end(): void {
    void thread?.terminate();
    thread = undefined;
  }

  async function draw(order: PageOrder): Promise<DrawnPages> {
    clearTimeout(idle);
    thread ??= new Worker(new URL("./page-thread.ts", import.meta.url));
    const answer = await answerOf(thread, order, withinMs).catch((error: Error) => {
      end();
      throw error;
    });
    idle = setTimeout(end, IDLE_MS).unref();
    thread.unref();
    if ("failed" in answer) throw new Error(answer.failed);
    return answer.drawn;
  }

  return (order) => {
    const drawn = last.then(() => draw(order));
    last = drawn.catch(() => {});
    return drawn;
  };
}

/** What the thread answers; an error where it takes too long, or ends. */
async function answerOf(thread: Worker, order: PageOrder, withinMs: number): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const late = setTimeout(() => reject(new Error(`it takes longer than ${withinMs / 1000} seconds`)), withinMs);
  const ended = () => reject(new Error("its thread ended"));
  thread.ref();
  thread.on("message", resolve).on("error", reject).on("exit", ended);
  thread.postMessage(order);
  try {
    return await promise;
  } finally {
    clearTimeout(late);
    thread.off("message", resolve).off("error", reject).off("exit", ended);
  }
}
