import type { Logger } from "pino";
import type { Commit } from "../../queues/changes/commit.ts";
import { subscriptions as kind } from "../../records/kinds/tenants.ts";
import type { Deliveries } from "../../records/outbox/deliveries.ts";
import { type CallNotice, callText } from "../../schemas/call-notice.ts";

interface Dependencies {
  commit: Commit;
  deliveries: Pick<Deliveries, "drop">;
  log: Logger;
}

/**
 * Stops a subscription and drops its waiting events. The subscription shows the reason, which is better than losing events
 * silently; PATCH starts it again.
 */
export const createStopSubscription =
  ({ commit, deliveries, log }: Dependencies) =>
  async (key: string, notice: CallNotice): Promise<void> => {
    const stopped = callText(notice);
    await commit.change(kind, [key], (_, current) => current && { ...current, stopped, stoppedNotice: notice }, "bulk");
    await deliveries.drop(key);
    log.error({ subscription: key, stopped }, "a subscription was stopped");
  };
