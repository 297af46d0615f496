import type { Logger } from "pino";
import type { Commit } from "../../queues/changes/commit.ts";
import { subscriptions as kind } from "../../records/kinds/tenants.ts";
import type { Deliveries } from "../../records/outbox/deliveries.ts";
import type { Records } from "../../records/records.ts";
import { callNotice } from "../../schemas/call-notice.ts";
import { tenantOf } from "../../schemas/keys.ts";
import { createStopSubscription } from "./stop-subscription.ts";

interface Dependencies {
  records: Records;
  commit: Commit;
  deliveries: Pick<Deliveries, "count" | "countOfTenant" | "drop">;
  /** Maximum number of waiting events, across all of a tenant's subscriptions. */
  limit: number;
  log: Logger;
}

/** Stops, for each tenant with more than `limit` waiting events, the subscription with the most. */
export function createBoundDeliveries({ records, commit, deliveries, limit, log }: Dependencies) {
  const stop = createStopSubscription({ commit, deliveries, log });
  return async (): Promise<void> => {
    for (const [tenant, keys] of await runningByTenant(records)) {
      if ((await deliveries.countOfTenant(tenant, limit + 1)) <= limit) continue;
      const counted = await Promise.all(keys.map(async (key) => ({ key, ...(await deliveries.count(key, limit)) })));
      const [most] = counted.sort((a, b) => b.waiting + b.dead - (a.waiting + a.dead));
      if (most === undefined) continue;
      const { key, waiting, dead } = most;
      await stop(key, callNotice("RECEIVER_BEHIND", { limit, count: waiting + dead }));
    }
  };
}

/** Reads the keys of the subscriptions that are not stopped, by tenant. */
async function runningByTenant(records: Records): Promise<Map<string, string[]>> {
  const keys: string[] = [];
  for await (const batch of records.scanFields(kind, "t/", ["stopped"]))
    for (const { _id, stopped } of batch) if (stopped === undefined) keys.push(_id);
  return Map.groupBy(keys, tenantOf);
}
