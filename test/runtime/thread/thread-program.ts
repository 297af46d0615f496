import { setTimeout } from "node:timers/promises";
import { threadId } from "node:worker_threads";
import { answerOrders } from "../../../runtime/thread/answer-orders.ts";

/** Memory outside the heap that orders do not free. */
const held: Buffer[] = [];

/** The thread's reaction to each order, by the order's name. */
const actions: Readonly<Record<string, (say?: number) => unknown>> = {
  say: () => {},
  /** Holds this many megabytes. Only the first such order ends by itself: a busy machine may check the limit late. */
  hold: (megabytes = 0) => {
    held.push(Buffer.alloc(megabytes * 2 ** 20, 1));
    return held.length === 1 ? setTimeout(1_000, megabytes) : new Promise(() => {});
  },
  name: () => threadId,
  "say late": () => setTimeout(20),
  wait: () => new Promise(() => {}),
  loop: () => {
    for (;;);
  },
  throw: () => {
    throw new Error("of no sense");
  },
  exit: () => process.exit(),
  fill: () => {
    const filled: Buffer[] = [];
    for (;;) filled.push(Buffer.alloc(2 ** 22, 1));
  },
  grow: () => {
    // TypeScript declares WebAssembly only for browsers.
    const { WebAssembly } = globalThis as unknown as {
      WebAssembly: { Memory: new (size: { initial: number }) => { grow(pages: number): number } };
    };
    new WebAssembly.Memory({ initial: 1 }).grow(16 * 64);
  },
  die: () => void process.kill(process.pid, "SIGKILL"),
  "read secrets": () => {
    if (Object.keys(process.env).length > 0) throw new Error(`it reads ${Object.keys(process.env).join(", ")}`);
  },
  eat: () => {
    const eaten: number[][] = [];
    for (;;) eaten.push(Array.from({ length: 100_000 }, Math.random));
  },
};

answerOrders(async (order: { do: string; say?: number }) => {
  return (await actions[order.do]?.(order.say)) ?? order.say;
});
