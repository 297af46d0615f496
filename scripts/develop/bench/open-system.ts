import { pino } from "pino";
import { openSystem, type System } from "../../../queues/system.ts";
import type { DemoStack } from "../../demo/with-stack.ts";

const DATABASE_TIMEOUT_MS = 60_000;

/** Settings with which a bench reaches the databases of a running stack, past its interface. */
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

/** Opens the databases of a running stack; the caller closes it. */
export const openBenchSystem = (demo: DemoStack, database: string): System =>
  openSystem(settingsOf(demo, database), pino({ level: "silent" }), DATABASE_TIMEOUT_MS);
