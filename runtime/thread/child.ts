import { type ChildProcess, fork } from "node:child_process";
import pLimit from "p-limit";
import { ThreadError } from "./thread.ts";

export interface ChildBounds {
  /** Limits of an order, as in a thread: wall-clock time, processor time, and heap. */
  timeoutMs: number;
  processorMs: number;
  memoryMb: number;
  /** Maximum size of each WebAssembly memory, which is not part of the heap. */
  wasmMb: number;
  /** Maximum resident memory of the process, including all other allocations. */
  residentMb: number;
  /** A process without orders is ended after this time. */
  idleMs: number;
}

/** A child's response to an order that it has started. A child that `hasEnded` takes no more orders. `isLate` as in ThreadError. */
export type ChildAnswer<Answer> = ({ answer: Answer } | { failed: string; isLate?: boolean }) & { hasEnded: boolean };

/**
 * A message from a child: first that it has started an order; then its response, or that it ran out of memory. Garbage from
 * earlier orders may be the cause, so a new process then tries the order.
 */
export type ChildMessage<Answer> = { hasBegun: true } | { isSpent: true } | ChildAnswer<Answer>;

/** Time to start a process, in addition to an order's time limit, which the child itself enforces. */
const GRACE_MS = 20_000;
const PAGES_PER_MB = 16;
const program = new URL("./child-program.ts", import.meta.url);

/**
 * Runs orders one after another in a child process, whose thread runs `thread`. An order that crashes or exceeds a limit on
 * time or memory ends only that process, and rejects with ThreadError. The order is not at fault if the process ends before it
 * has started the order, because it was killed while idle or starting, or if it runs out of memory after other orders: a new
 * process then gets the order. The child process has no environment variables, and so no addresses or secrets.
 */
export function createChild<Order, Answer>(thread: URL, bounds: ChildBounds): (order: Order) => Promise<Answer> {
  const oneAtOnce = pLimit(1);
  let child: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;

  function open(): ChildProcess {
    const opened = fork(program, [thread.href, JSON.stringify(bounds)], {
      serialization: "advanced",
      execArgv: [`--wasm-max-mem-pages=${bounds.wasmMb * PAGES_PER_MB}`],
      env: {},
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    const forget = () => {
      if (child === opened) child = undefined;
    };
    // A process that cannot be started emits "error" but never "exit".
    opened.once("exit", forget).on("error", forget);
    return opened;
  }

  /** Kills the child without waiting for its end. */
  function end(): void {
    child?.kill("SIGKILL");
    release();
    child = undefined;
  }

  /** A child without orders does not keep this process alive. */
  function release(): void {
    child?.unref();
    child?.channel?.unref();
  }

  /**
   * Sends the order to the child, or to a new one. Returns the response; undefined if the child ended for an unrelated reason.
   */
  async function ask(order: Order): Promise<ChildAnswer<Answer> | undefined> {
    clearTimeout(idle);
    child ??= open();
    child.ref();
    child.channel?.ref();
    try {
      const reply = await replyOf<Answer>(child, order, bounds.timeoutMs + GRACE_MS);
      if (reply?.hasEnded ?? true) end();
      return reply;
    } finally {
      release();
      idle = setTimeout(end, bounds.idleMs).unref();
    }
  }

  return (order) =>
    oneAtOnce(async () => {
      const reply = (await ask(order)) ?? (await ask(order));
      if (reply === undefined) throw new Error("two processes ended before they started the order");
      if ("failed" in reply) throw new ThreadError(reply.failed, reply.isLate);
      return reply.answer;
    });
}

/** Settles with the response, or when the child ends or the time is up, whichever comes first. */
async function replyOf<Answer>(
  child: ChildProcess,
  order: unknown,
  timeoutMs: number,
): Promise<ChildAnswer<Answer> | undefined> {
  const { promise, resolve } = Promise.withResolvers<ChildAnswer<Answer> | undefined>();
  let hasBegun = false;
  const fail = (failed: string, isLate = false) => resolve(hasBegun ? { failed, isLate, hasEnded: true } : undefined);
  const onMessage = (message: ChildMessage<Answer>) => {
    if ("hasBegun" in message) hasBegun = true;
    else resolve("isSpent" in message ? undefined : message);
  };
  const onExit = () => fail("its process ended");
  const onError = ({ message }: Error) => fail(message);
  const timeout = setTimeout(() => fail(`it takes longer than ${timeoutMs / 1000} seconds`, true), timeoutMs);
  child.on("message", onMessage).once("exit", onExit).once("error", onError);
  try {
    child.send(order as object, (error) => error && fail(error.message));
    return await promise;
  } finally {
    clearTimeout(timeout);
    child.off("message", onMessage).off("exit", onExit).off("error", onError);
  }
}
