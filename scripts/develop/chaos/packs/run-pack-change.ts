import { randomUUID } from "node:crypto";
import { pino } from "pino";
import { openSystem, systemSettings } from "../../../../queues/system.ts";
import { allKinds } from "../../../../records/all-kinds.ts";
import { makeIndexes } from "../../../../records/indexes.ts";
import { readSettings } from "../../../../runtime/read-settings.ts";
import { seedTenant } from "../../../demo/seed.ts";
import { onFreePort } from "../../../start/ports.ts";
import { startRedis } from "../../../start/servers.ts";
import { changePackUnderKills, type PackChangeFindings } from "./pack-change.ts";

const DATABASE_TIMEOUT_MS = 60_000;

/** Changes a pack that applies to many links, while only the servers and an evaluator run. */
export async function runPackChange(options: {
  links: number;
  mongoUrl: string;
  log(what: string): void;
}): Promise<PackChangeFindings> {
  const redis = await onFreePort((port) => startRedis(port));
  const environment = {
    REDIS_URL: redis.url,
    MONGODB_URL: options.mongoUrl,
    MONGODB_DATABASE: `pack-change-${randomUUID()}`,
    LOG_LEVEL: "fatal",
  };
  const settings = readSettings(systemSettings, [], environment);
  const system = openSystem(settings, pino({ level: "silent" }), DATABASE_TIMEOUT_MS);
  try {
    await makeIndexes(system.db, await allKinds());
    await seedTenant(settings);
    return await changePackUnderKills({ ...options, system, environment });
  } finally {
    await system.db.dropDatabase();
    await system.close();
    await redis.stop();
  }
}
