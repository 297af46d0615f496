import { Worker } from "node:worker_threads";

/** Thrown if a thread did not respond: the order exceeded a limit, or the thread ended. */
export class ThreadError extends Error {
  override readonly name = "ThreadError";
  /** Whether the order exceeded its wall-clock time, which may be the fault of a busy machine rather than of the order. */
  readonly isLate: boolean;
  constructor(message: string, isLate = false) {
    super(message);
    this.isLate = isLate;
  }
}

/** Whether an order failed by its own fault. An order that exceeded only its wall-clock time may succeed later. */
export const isOwnFault = (error: unknown): error is ThreadError => error instanceof ThreadError && !error.isLate;

interface Bounds {
  /** Maximum wall-clock time of an order. */
  timeoutMs: number;
  /**
   * Maximum processor time of an order, in addition to the timeout: on a busy machine, an order may take long but do little.
   */
  processorMs: number;
  /** A thread without orders is ended after this time. */
  idleMs: number;
  /** Maximum heap of a thread; defaults to the process's limit. */
  memoryMb?: number;
}

interface Waiting<Order, Answer> {
  order: Order;
  resolve(answer: Answer): void;
  reject(error: ThreadError): void;
}

/** Number of orders that are posted to the thread: the current one and the next, so that the thread never waits between two. */
const ORDERS_PER_THREAD = 2;
/** Maximum size of the young generation of a thread's heap: a larger one saves little time. */
const MAX_YOUNG_MB = 16;

/** A thread that runs orders one after another. */
export interface Thread<Order, Answer> {
  run(order: Order): Promise<Answer>;
  /** Ends the thread once it has no orders; a later order starts a new one. */
  close(): void;
}

/**
 * Runs orders in their own thread, so that an order that loops or crashes does not block this thread. The program must respond to
 * each message with one message, in the same order. An order that exceeds a limit ends the thread and rejects with ThreadError;
 * the orders after it get a new thread. An idle thread does not keep the process alive.
 */
export function createThread<Order, Answer>(program: URL, bounds: Bounds): Thread<Order, Answer> {
  const { memoryMb } = bounds;
  const heap = { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: MAX_YOUNG_MB };
  const limits = memoryMb === undefined ? {} : { resourceLimits: heap };
  /** Orders by arrival. The first `sent` orders have been posted to the thread, which is handling the very first. */
  const waiting: Waiting<Order, Answer>[] = [];
  let sent = 0;
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let stopWatching: (() => void) | undefined;
  let isClosed = false;

  function open(): Worker {
    const opened = new Worker(program, limits);
    const isCurrent = () => opened === thread;
    opened.on("message", (answer: Answer) => isCurrent() && endFirst((first) => first.resolve(answer)));
    opened.on("error", (error: Error) => isCurrent() && fail(error.message));
    opened.on("exit", () => isCurrent() && fail("its thread ended"));
    return opened;
  }

  function end(): void {
    void thread?.terminate();
    thread = undefined;
    sent = 0;
  }

  /** Ends the first order with `finish` and continues with the next. */
  function endFirst(finish: (first: Waiting<Order, Answer>) => void): void {
    stopWatching?.();
    stopWatching = undefined;
    const first = waiting.shift();
    sent = Math.max(0, sent - 1);
    if (first) finish(first);
    work();
  }

  function fail(reason: string, isLate?: boolean): void {
    end();
    endFirst((first) => first.reject(new ThreadError(reason, isLate)));
  }

  function work(): void {
    clearTimeout(idle);
    if (waiting.length === 0) {
      if (isClosed) end();
      else idle = setTimeout(end, bounds.idleMs).unref();
      thread?.unref();
      return;
    }
    thread ??= open();
    thread.ref();
    for (const { order } of waiting.slice(sent, ORDERS_PER_THREAD)) {
      thread.postMessage(order);
      sent += 1;
    }
    stopWatching ??= watch(thread, bounds, fail);
  }

  return {
    run(order) {
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      waiting.push({ order, resolve, reject });
      isClosed = false;
      work();
      return promise;
    },
    close() {
      isClosed = true;
      if (waiting.length === 0) work();
    },
  };
}

/** How often the processor time of an order is read. */
const POLL_INTERVAL_MS = 250;

/** Calls `fail` once the thread's current order exceeds a limit; returns a function that stops watching. */
function watch(
  thread: Worker,
  { timeoutMs, processorMs }: Pick<Bounds, "timeoutMs" | "processorMs">,
  fail: (reason: string, isLate?: boolean) => void,
): () => void {
  // If the thread is not running yet, the call rejects: the thread has used no processor time.
  const before = thread.cpuUsage().catch(() => undefined);
  let isOver = false;
  const checkProcessorTime = async () => {
    const { user, system } = await thread.cpuUsage(await before);
    if (!isOver && user + system > processorMs * 1000)
      fail(`it takes more than ${processorMs / 1000} seconds of processor time`);
  };
  const timeout = setTimeout(() => fail(`it takes longer than ${timeoutMs / 1000} seconds`, true), timeoutMs);
  // If the thread has not started or has ended, the call rejects; the event "exit" reports the end.
  const polling = setInterval(() => void checkProcessorTime().catch(() => {}), POLL_INTERVAL_MS);
  return () => {
    isOver = true;
    clearTimeout(timeout);
    clearInterval(polling);
  };
}
