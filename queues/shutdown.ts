import type { Logger } from "pino";

const CLOSE_WITHIN_MS = 20_000;

/**
 * Closes a process once, when the platform asks for it (SIGTERM), at Ctrl-C, or when the launcher that
 * started it is gone. Closing is bounded: what is not closed after 20 s, such as a worker while
 * Redis is away, is left to the next process.
 */
export function closeOnSignal(close: () => Promise<void>, log: Logger): void {
  let closing = false;
  const stop = async (reason: string) => {
    if (closing) return;
    closing = true;
    log.info({ reason }, "closing");
    const late = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_WITHIN_MS));
    await Promise.race([close(), late]).catch((error: Error) => log.error({ error: error.message }, "closing failed"));
    process.exit(0);
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  process.on("disconnect", () => stop("the launcher is gone"));
}
