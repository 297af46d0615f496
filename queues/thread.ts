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

/**
 * Work in a thread beside this one: what holds it for long, or breaks it, costs nobody else anything. It answers each
 * message by one message, one order at a time. An order that is not answered in time ends the thread and rejects with
 * ThreadError; the next order has a new thread. A waiting thread keeps no process alive.
 */
export function createThread<Order, Answer>(
  program: URL,
  { withinMs, processorMs, idleMs, memoryMb }: Bounds,
): (order: Order) => Promise<Answer> {
  const limits = memoryMb === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: memoryMb } };
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function end(): void {
    void thread?.terminate();
    thread = undefined;
  }

  async function ask(order: Order): Promise<Answer> {
    clearTimeout(idle);
    thread ??= new Worker(program, limits);
    thread.ref();
    try {
      return await answerOf<Answer>(thread, order, withinMs, processorMs);
    } catch (error) {
      end();
      throw error;
    } finally {
      idle = setTimeout(end, idleMs).unref();
      thread?.unref();
    }
  }

  return (order) => {
    const answer = last.then(() => ask(order));
    last = answer.catch(() => {});
    return answer;
  };
}

/** How often it is looked at what an order has cost. */
const LOOK_EVERY_MS = 250;

async function answerOf<Answer>(
  thread: Worker,
  order: unknown,
  withinMs: number,
  processorMs: number,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const refuse = (why: string) => reject(new ThreadError(why));
  const late = setTimeout(() => refuse(`it takes longer than ${withinMs / 1000} seconds`), withinMs);
  const broken = (error: Error) => refuse(error.message);
  const ended = () => refuse("its thread ended");
  // A thread that is not running yet has used nothing.
  const before = thread.cpuUsage().catch(() => undefined);
  const look = async () => {
    const { user, system } = await thread.cpuUsage(await before);
    if (user + system > processorMs * 1000)
      refuse(`it takes more than ${processorMs / 1000} seconds of processor time`);
  };
  // A thread that does not run yet, or no more, tells nothing of its time; that it has ended is told by itself.
  const looking = setInterval(() => void look().catch(() => {}), LOOK_EVERY_MS);
  thread.on("message", resolve).on("error", broken).on("exit", ended);
  try {
    thread.postMessage(order);
    return await promise;
  } finally {
    clearTimeout(late);
    clearInterval(looking);
    thread.off("message", resolve).off("error", broken).off("exit", ended);
  }
}
