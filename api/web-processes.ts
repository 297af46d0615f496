import cluster from "node:cluster";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import type { Logger } from "pino";
import { REFUSED_CODE } from "../runtime/end-where-refused.ts";

const RESTART_AFTER_MS = 1_000;

/**
 * Runs this program as several processes that share its port. A process that exits is restarted. If it exits before it
 * has listened, or because it was refused, its settings are wrong or its port is in use, so all processes exit with its
 * exit code. Returns a function that ends them.
 */
export function runWebProcesses(count: number, log: Logger): () => Promise<void> {
  const running = new Set<ReturnType<typeof cluster.fork>>();
  let closing = false;

  async function close(): Promise<void> {
    closing = true;
    await Promise.all(
      [...running].map(async (child) => {
        child.process.kill("SIGTERM");
        await once(child, "exit");
      }),
    );
  }

  async function run(): Promise<void> {
    while (!closing) {
      const child = cluster.fork();
      let hasListened = false;
      child.once("listening", () => {
        hasListened = true;
      });
      running.add(child);
      const [code, signal] = (await once(child, "exit")) as [number | null, string | null];
      running.delete(child);
      if (closing) return;
      if (!hasListened || code === REFUSED_CODE) {
        await close();
        process.exit(code ?? 1);
      }
      log.error({ pid: child.process.pid, code, signal }, "a web process has exited; another is started");
      await setTimeout(RESTART_AFTER_MS);
    }
  }

  for (let index = 0; index < count; index += 1) void run();
  return close;
}
