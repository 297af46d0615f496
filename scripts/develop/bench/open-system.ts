import { pino } from "pino";
import { forgetRequests } from "../../../queues/clean-up/requests.ts";
import { openSystem, type System } from "../../../queues/system.ts";
import type { DemoStack } from "../../demo/with-stack.ts";

const DATABASE_TIMEOUT_MS = 60_000;

/** Returns the settings with which a bench reaches the databases of a running stack, bypassing its interface. */
export const settingsOf = ({ stack }: DemoStack, database: string) =>
  ({
    REDIS_URL: stack.redis.url,
    MONGODB_URL: stack.mongo.url,
    MONGODB_DATABASE: database,
    QUEUE_PARTITIONS: 1,
    RESULT_TTL: 3_600,
    SWEEP_EVERY: 3_600,
    LOG_LEVEL: "silent",
  }) as const;

/** Opens the databases of a running stack. The caller closes it. */
export const openBenchSystem = (demo: DemoStack, database: string): System =>
  openSystem(settingsOf(demo, database), pino({ level: "silent" }), DATABASE_TIMEOUT_MS);

/**
 * Deletes all applied requests, as clean-up does once an hour. A server without indexes reads the whole journal to find the
 * open chunks, so each measurement would cost more than the previous one.
 */
export async function forgetApplied(system: System): Promise<void> {
  const untilEnd = { renew: async () => true, goOn: async () => true };
  // Ignores the activity logs, because they would lag behind.
  const activityLog = { readEnds: async () => new Map() };
  await forgetRequests({ ...system, activityLog }, new Date(), untilEnd);
}
