import { type ChildProcess, fork } from "node:child_process";
import pLimit from "p-limit";
import { ThreadError } from "./thread.ts";

export interface ChildBounds {
  /** Of an order, as in a thread: wall-clock time, processor time, and heap. */
  timeoutMs: number;
  processorMs: number;
  memoryMb: number;
  /** Of each WebAssembly memory, which the heap does not count. */
  wasmMb: number;
  /** Of the whole process: its other allocations count too. */
  residentMb: number;
  /** A process without orders is ended after this time. */
  idleMs: number;
}

/** A child's response to an order that it has begun. A child that has `ended` takes no further order. */
export type ChildAnswer<Answer> = ({ answer: Answer } | { failed: string }) & { hasEnded: boolean };

/**
 * What a child sends: first that it has begun an order, then its response, or that it needs too much memory, of which
 * earlier orders may have left a part: a new process decides.
 */
export type ChildMessage<Answer> = { hasBegun: true } | { isSpent: true } | ChildAnswer<Answer>;

/** To begin a process, beyond the time limit of an order, which the child keeps itself. */
const GRACE_MS = 20_000;
const PAGES_PER_MB = 16;
const program = new URL("./child-program.ts", import.meta.url);

/**
 * Runs orders one after another in its own process, whose thread runs `thread`: what exceeds a limit of time or memory, or
 * crashes, ends only that process, and rejects with ThreadError. A process that ends before it has begun an order, since it was
 * killed while it was idle or starting, says nothing about the order: another process gets it. So does one that needs too
 * much memory after other orders. The process has no environment,
 * so no address and no secret.
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
    // A process that cannot be started has an error and no exit.
    opened.once("exit", forget).on("error", forget);
    return opened;
  }

  /** This process does not wait for the end of a child that it has killed. */
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

  /** The response of the child, or of a new one; none if its end says nothing about the order. */
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
      if (reply === undefined) throw new Error("two processes ended, each before it had begun the order");
      if ("failed" in reply) throw new ThreadError(reply.failed);
      return reply.answer;
    });
}

/** Settles by a response, or by the end of the child or of the time, whichever comes first. */
async function replyOf<Answer>(
  child: ChildProcess,
  order: unknown,
  timeoutMs: number,
): Promise<ChildAnswer<Answer> | undefined> {
  const { promise, resolve } = Promise.withResolvers<ChildAnswer<Answer> | undefined>();
  let hasBegun = false;
  const fail = (failed: string) => resolve(hasBegun ? { failed, hasEnded: true } : undefined);
  const onMessage = (message: ChildMessage<Answer>) => {
    if ("hasBegun" in message) hasBegun = true;
    else resolve("isSpent" in message ? undefined : message);
  };
  const onExit = () => fail("its process ended");
  const onError = ({ message }: Error) => fail(message);
  const timeout = setTimeout(() => fail(`it takes longer than ${timeoutMs / 1000} seconds`), timeoutMs);
  child.on("message", onMessage).once("exit", onExit).once("error", onError);
  try {
    child.send(order as object, (error) => error && fail(error.message));
    return await promise;
  } finally {
    clearTimeout(timeout);
    child.off("message", onMessage).off("exit", onExit).off("error", onError);
  }
}
