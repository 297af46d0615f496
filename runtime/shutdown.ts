import type { Logger } from "pino";

/** A shutdown takes at most 20 s, including the process's exit; platforms kill a process after 30 s. */
const CLOSE_TIMEOUT_MS = 19_000;

/**
 * Closes a process once: at SIGTERM, at Ctrl-C (SIGINT), or when the launcher that started it has ended. After 19 s it exits
 * anyway, since closing a BullMQ worker never ends while Redis is unreachable. Another process then takes over its jobs. The
 * order in which a process closes what it opened is in `api/process.ts` and `queues/worker/open-worker.ts`.
 */
export function closeOnSignal(close: () => Promise<void>, log: Logger): void {
  let closing = false;
  const stop = async (reason: string, level: "info" | "warn" = "info") => {
    if (closing) return;
    closing = true;
    log[level]({ reason }, "closing");
    const timeout = new Promise<"late">((resolve) => setTimeout(resolve, CLOSE_TIMEOUT_MS, "late"));
    const ended = await Promise.race([close(), timeout]).catch((error: Error) =>
      log.error({ error: error.message }, "shutdown failed"),
    );
    if (ended === "late") log.warn({ seconds: CLOSE_TIMEOUT_MS / 1000 }, "shutdown did not complete in time");
    process.exit(0);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => stop(signal));
  // Logged as a warning, since nobody sent a signal: a process that should be running is now missing.
  process.on("disconnect", () => stop("the launcher has exited", "warn"));
}
