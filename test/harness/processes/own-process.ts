import { spawn } from "node:child_process";
import { guard } from "../../../scripts/start/guard.ts";
import type { ProcessEnvironment } from "../threads/host.ts";

/** A process of Shelfwire as a platform runs it: a separate process that SIGTERM ends. */
export interface OwnProcess {
  pid: number;
  /** Returns its standard output and standard error so far. */
  output(): string;
  /** The exit code, once the process has ended and all of its output has been read. */
  ended: Promise<number | null>;
  /** Sends SIGTERM; returns the exit code and the milliseconds until the exit. */
  terminate(): Promise<{ code: number | null; milliseconds: number }>;
}

/**
 * Starts the process of an entry, such as `workers/item/process.ts`, or a command with its arguments. The process is also killed
 * if its test fails or is killed.
 */
export function startProcess(
  t: { teardown(end: () => unknown): void },
  entry: string | readonly string[],
  environment: ProcessEnvironment,
  folder = new URL("../../../", import.meta.url).pathname,
): OwnProcess {
  // Code that the threads of test files have compiled is not compiled again.
  const { PATH = "", NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, typeof entry === "string" ? [entry] : [...entry], {
    cwd: folder,
    env: { PATH, NODE_COMPILE_CACHE, NODE_ENV: "production", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  guard(child);
  const parts: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => parts.push(part));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  t.teardown(() => void child.kill("SIGKILL"));
  return {
    pid: child.pid ?? 0,
    ended,
    output: () => Buffer.concat(parts).toString("utf8"),
    async terminate() {
      const began = performance.now();
      child.kill("SIGTERM");
      const code = await ended;
      return { code, milliseconds: performance.now() - began };
    },
  };
}
