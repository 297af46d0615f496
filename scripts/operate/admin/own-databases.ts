import type { Redis } from "ioredis";
import { redisMisfits, unreachableDatabases } from "../../../queues/reach-databases.ts";
import { openSystem, type System, systemSettings } from "../../../queues/system.ts";
import { openLog } from "../../../runtime/log.ts";
import { readSettings } from "../../../runtime/read-settings.ts";
import { withDefaults } from "../../../runtime/secret-files.ts";
import { runningDatabases } from "../../start/running.ts";
import { Refusal } from "./command.ts";

const DATABASE_TIMEOUT_MS = 60_000;
/** How long a command waits for Redis if it does not need it, in milliseconds. */
const OPTIONAL_REACH_MS = 2_000;

/**
 * Opens the databases in the environment, otherwise the databases of the instance that runs in DATA_DIR. Runs no sweeps,
 * since workers run them.
 */
export function openOwnDatabases(): System {
  const system = openSystem(readDatabaseSettings(), openLog("admin", "error", process.stderr), DATABASE_TIMEOUT_MS);
  system.sweeper.stop();
  return system;
}

/** Waits until the databases respond. Throws a Refusal if a required one does not. Returns what is wrong with them. */
export async function reachDatabases(redis: Redis, needsRedis: boolean): Promise<string[]> {
  const settings = readDatabaseSettings();
  const redisReachMs = needsRedis ? undefined : OPTIONAL_REACH_MS;
  const faults = await unreachableDatabases(redis, settings, undefined, redisReachMs);
  const hindering = faults.filter((fault) => needsRedis || !fault.startsWith("REDIS_"));
  if (hindering.length > 0) throw new Refusal(hindering.join("\n"));
  return redis.status === "ready" ? Object.values(await redisMisfits(redis, settings)) : faults;
}

function readDatabaseSettings() {
  const { DATA_DIR } = readSettings(["DATA_DIR"]);
  return readSettings(systemSettings, [], withDefaults(process.env, runningDatabases(DATA_DIR)));
}
