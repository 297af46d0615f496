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
  /** Of the whole process: whatever else it allocates counts too. */
  residentMb: number;
  /** A process without orders is ended after this time. */
  idleMs: number;
}

/** What a child answers to an order. One that has `ended` takes no other. */
export type ChildAnswer<Answer> = ({ answer: Answer } | { failed: string }) & { hasEnded: boolean };

/** To begin a process, beyond the time limit of an order, which the child keeps itself. */
const GRACE_MS = 20_000;
const PAGES_PER_MB = 16;
const program = new URL("./child-program.ts", import.meta.url);

/**
 * Runs orders one after the other in a process of its own, whose thread runs `thread`: what exceeds a limit of time or memory, or
 * crashes, ends that process alone, and rejects with ThreadError. The process has no environment, so no address and no secret.
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
    opened.once("exit", () => {
      if (child === opened) child = undefined;
    });
    return opened;
  }

  function end(): void {
    child?.kill("SIGKILL");
    child = undefined;
  }

  /** A child without orders does not keep this process alive. */
  function rest(): void {
    child?.unref();
    child?.channel?.unref();
    idle = setTimeout(end, bounds.idleMs).unref();
  }

  return (order) =>
    oneAtOnce(async () => {
      clearTimeout(idle);
      child ??= open();
      child.ref();
      child.channel?.ref();
      const reply = await replyOf<Answer>(child, order, bounds.timeoutMs + GRACE_MS);
      if (reply.hasEnded) end();
      rest();
      if ("failed" in reply) throw new ThreadError(reply.failed);
      return reply.answer;
    });
}

function replyOf<Answer>(child: ChildProcess, order: unknown, timeoutMs: number): Promise<ChildAnswer<Answer>> {
  const { promise, resolve } = Promise.withResolvers<ChildAnswer<Answer>>();
  const fail = (failed: string) => resolve({ failed, hasEnded: true });
  const onExit = () => fail("its process ended");
  const onError = ({ message }: Error) => fail(message);
  const timeout = setTimeout(() => fail(`it takes longer than ${timeoutMs / 1000} seconds`), timeoutMs);
  child.once("message", resolve).once("exit", onExit).once("error", onError);
  child.send(order as object, (error) => error && fail(error.message));
  return promise.finally(() => {
    clearTimeout(timeout);
    child.off("message", resolve).off("exit", onExit).off("error", onError);
  });
}
