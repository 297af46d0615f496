import { Worker } from "node:worker_threads";

/** Thrown where a thread gave no answer: its time was over, or it ended. */
export class ThreadError extends Error {
  override readonly name = "ThreadError";
}

interface Bounds {
  /** For an order, as a clock has it. */
  withinMs: number;
  /** For an order, of processor time: on a busy machine an order may wait long and have done little. */
  processorMs: number;
  /** How long a thread without orders is kept for the next. */
  idleMs: number;
  /** What a thread may hold; as much as the process where absent. */
  memoryMb?: number;
}

interface Waiting<Order, Answer> {
  order: Order;
  resolve(answer: Answer): void;
  reject(error: ThreadError): void;
}

/** Orders at the thread: one that it works on, and the next, so that it need not wait for it. */
const ORDERS_PER_THREAD = 2;

/**
 * Work in a thread beside this one: what holds it for long, or breaks it, costs nobody else anything. It answers each
 * message by one message, in their order. An order that is not answered in time ends the thread and rejects with
 * ThreadError; the orders behind it have a new thread. A waiting thread keeps no process alive.
 */
export function createThread<Order, Answer>(
  program: URL,
  { withinMs, processorMs, idleMs, memoryMb }: Bounds,
): (order: Order) => Promise<Answer> {
  const limits = memoryMb === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: memoryMb } };
  /** In their order; the first `sent` of them are at the thread, and it works on the first. */
  const waiting: Waiting<Order, Answer>[] = [];
  let sent = 0;
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let stopWatching: (() => void) | undefined;

  function open(): Worker {
    const opened = new Worker(program, limits);
    const isCurrent = () => opened === thread;
    opened.on("message", (answer: Answer) => isCurrent() && settle((first) => first.resolve(answer)));
    opened.on("error", (error: Error) => isCurrent() && fail(error.message));
    opened.on("exit", () => isCurrent() && fail("its thread ended"));
    return opened;
  }

  function end(): void {
    void thread?.terminate();
    thread = undefined;
    sent = 0;
  }

  /** The first order is over. */
  function settle(finish: (first: Waiting<Order, Answer>) => void): void {
    stopWatching?.();
    stopWatching = undefined;
    const first = waiting.shift();
    sent = Math.max(0, sent - 1);
    if (first) finish(first);
    work();
  }

  function fail(why: string): void {
    end();
    settle((first) => first.reject(new ThreadError(why)));
  }

  function work(): void {
    clearTimeout(idle);
    if (waiting.length === 0) {
      idle = setTimeout(end, idleMs).unref();
      thread?.unref();
      return;
    }
    thread ??= open();
    thread.ref();
    for (const { order } of waiting.slice(sent, ORDERS_PER_THREAD)) {
      thread.postMessage(order);
      sent += 1;
    }
    stopWatching ??= watch(thread, { withinMs, processorMs }, fail);
  }

  return (order) => {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    waiting.push({ order, resolve, reject });
    work();
    return promise;
  };
}

/** How often it is looked at what an order has cost. */
const POLL_INTERVAL_MS = 250;

/** Tells when a thread's order has had its time; gives back how to stop that. */
function watch(
  thread: Worker,
  { withinMs, processorMs }: Pick<Bounds, "withinMs" | "processorMs">,
  fail: (why: string) => void,
): () => void {
  // A thread that is not running yet has used nothing.
  const before = thread.cpuUsage().catch(() => undefined);
  let isOver = false;
  const look = async () => {
    const { user, system } = await thread.cpuUsage(await before);
    if (!isOver && user + system > processorMs * 1000)
      fail(`it takes more than ${processorMs / 1000} seconds of processor time`);
  };
  const late = setTimeout(() => fail(`it takes longer than ${withinMs / 1000} seconds`), withinMs);
  // A thread that does not run yet, or no more, tells nothing of its time; that it has ended is told by itself.
  const looking = setInterval(() => void look().catch(() => {}), POLL_INTERVAL_MS);
  return () => {
    isOver = true;
    clearTimeout(late);
    clearInterval(looking);
  };
}
