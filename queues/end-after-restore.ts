import type { Logger } from "pino";
import type { Epoch } from "../records/epoch.ts";

const POLL_INTERVAL_MS = 5_000;

/**
 * Ends the process once MongoDB's epoch differs from the epoch when the process started, so that the platform starts a new
 * process. MongoDB was then restored, so what this process remembers may never have happened.
 */
export function endInNewEpoch({ epoch, log }: { epoch: Pick<Epoch, "current" | "read">; log: Logger }): void {
  const check = async () => {
    const [began, present] = [await epoch.current(), await epoch.read()];
    if (began === present) return;
    log.fatal({ began, present }, "MongoDB was restored: the process exits so that the platform starts a new one");
    process.exit(1);
  };
  const poll = () =>
    void check().catch((error: Error) => log.debug({ error: error.message }, "the epoch could not be read"));
  poll();
  setInterval(poll, POLL_INTERVAL_MS).unref();
}
