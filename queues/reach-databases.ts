import { setTimeout } from "node:timers/promises";
import type { Redis } from "ioredis";
import { assertReachable } from "../records/client.ts";
import { refusalOf } from "../records/mongodb/refusals.ts";
import { isOfDatabase, isUnavailable } from "../records/mongodb/unavailable.ts";
import { saysFull } from "./outage.ts";
import { isRedisAway, nodesOf, type RedisSettings } from "./redis.ts";
import { FULL_RATIO, fillOf, type RedisMemory, readFullestMemory } from "./redis-memory.ts";
import { isUnknownMaster, SentinelError } from "./steady/steady-sentinels.ts";

/**
 * How long databases may take to respond, in milliseconds. If the limit were longer, an operator would assume that the program
 * is hanging.
 */
export const reachBounds = { ms: 6_000 };
const POLL_INTERVAL_MS = 50;
const MEBIBYTE = 1_048_576;

type RedisAddress = Pick<RedisSettings, "REDIS_URL" | "REDIS_SENTINELS" | "REDIS_SENTINEL_MASTER">;

interface Addresses extends RedisAddress {
  MONGODB_URL: string;
}

/**
 * Waits until both databases respond. Returns a line for each database that does not respond within `reachMs` (`redisReachMs`
 * for Redis), with its setting, its host and the reason.
 */
export async function unreachableDatabases(
  redis: Redis,
  settings: Addresses,
  reachMs = reachBounds.ms,
  redisReachMs = reachMs,
): Promise<string[]> {
  const faults = await Promise.all([unreachableMongo(settings, reachMs), redisFault(redis, settings, redisReachMs)]);
  return faults.filter((fault) => fault !== undefined);
}

/** Returns the line for MongoDB only, for a command that does not need Redis. */
export const unreachableMongo = ({ MONGODB_URL }: Pick<Addresses, "MONGODB_URL">, reachMs = reachBounds.ms) =>
  assertReachable(MONGODB_URL, reachMs).then(
    () => undefined,
    (error: Error) => mongoFault(error, MONGODB_URL) ?? faultText("MONGODB_URL", "MongoDB", MONGODB_URL, error.message),
  );

async function redisFault(redis: Redis, address: RedisAddress, reachMs: number): Promise<string | undefined> {
  let seen = new Error("no response");
  const note = (error: Error) => {
    seen = error;
  };
  redis.on("error", note);
  const until = performance.now() + reachMs;
  while (redis.status !== "ready" && performance.now() < until) await setTimeout(POLL_INTERVAL_MS);
  redis.off("error", note);
  return redis.status === "ready" ? undefined : redisAwayText(address, seen);
}

/** Errors of MongoDB's driver between two connection attempts. */
const BETWEEN_TRIES: ReadonlySet<string> = new Set(["MongoTopologyClosedError", "MongoNotConnectedError"]);

/**
 * Returns the reason for an error. In a cluster, the reason is the last node's error. An error for several addresses of a host
 * has only a code.
 */
function reasonOf(error: Error & { lastNodeError?: Error; code?: string }): string | undefined {
  if (error.lastNodeError) return reasonOf(error.lastNodeError);
  if (BETWEEN_TRIES.has(error.name)) return undefined;
  return error.message || error.code;
}

const faultText = (setting: string, what: string, address: string, reason: string): string =>
  awayText(setting, `${what} at ${hostsOf(address)}`, reason);

const awayText = (setting: string, what: string, reason: string): string =>
  `${setting}: ${what} cannot be reached: ${reason}. Start it, or correct ${setting}`;

function redisAwayText(address: RedisAddress, error: Error): string {
  const reason = reasonOf(error) ?? "no response";
  const { REDIS_SENTINELS: sentinels, REDIS_SENTINEL_MASTER: master } = address;
  if (!(error instanceof SentinelError)) return awayText(...placeOf(address), reason);
  if (!isUnknownMaster(reason)) return awayText("REDIS_SENTINELS", `Redis Sentinel at ${sentinels}`, reason);
  return (
    `REDIS_SENTINEL_MASTER: Redis Sentinel at ${sentinels} monitors no master "${master}". ` +
    "Correct REDIS_SENTINEL_MASTER, or have every Sentinel monitor it"
  );
}

/** Returns the name of the setting with Redis's address. */
export const redisSettingOf = ({ REDIS_SENTINELS }: RedisAddress): string =>
  REDIS_SENTINELS === undefined ? "REDIS_URL" : "REDIS_SENTINELS";

/** Returns the name of the setting, and the server's name in messages. */
function placeOf(address: RedisAddress): [setting: string, server: string] {
  const { REDIS_URL, REDIS_SENTINELS: sentinels, REDIS_SENTINEL_MASTER: master } = address;
  const server =
    sentinels === undefined
      ? `Redis at ${hostsOf(REDIS_URL)}`
      : `Redis master ${master} of the Sentinels at ${sentinels}`;
  return [redisSettingOf(address), server];
}

/**
 * Returns, worded for an operator, why a database did not execute a command: the setting, host and reason, and the remedy if the
 * database is unavailable, full, or rejects its user. Returns undefined for an error that does not come from a database.
 */
export function databaseFault(error: unknown, addresses: Addresses): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.name === "ReplyError" && saysFull(error))
    return (
      `${placeOf(addresses).join(": ")} is full: ${error.message} ` +
      "Give it more memory: redis-cli CONFIG SET maxmemory, or a larger plan"
    );
  if (isRedisAway(error)) return redisAwayText(addresses, error);
  return mongoFault(error, addresses.MONGODB_URL);
}

/** Like `databaseFault`, but only for MongoDB. */
export function mongoFault(error: Error, address: string): string | undefined {
  const at = `MONGODB_URL: MongoDB at ${hostsOf(address)}`;
  const refusal = refusalOf(error);
  if (refusal === "full") return `${at} is full: ${error.message}. Give it more storage, or use a larger plan`;
  if (refusal === "denied")
    return `${at} rejects its user: ${error.message}. Correct user and password in MONGODB_URL, or grant the user read and write access`;
  if (isUnavailable(error)) return faultText("MONGODB_URL", "MongoDB", address, reasonOf(error) ?? "no response");
  return isOfDatabase(error) ? `${at} rejected the operation: ${error.message}` : undefined;
}

/** Returns the hosts of an address, without its user and password. `URL` cannot parse a list of hosts. */
function hostsOf(address: string): string {
  const [authority = ""] = (address.split("://")[1] ?? "").split(/[/?]/);
  return authority.slice(authority.lastIndexOf("@") + 1);
}

/** Settings that an operator must change in a reachable Redis, each with the command that changes it. */
export interface RedisMisfits {
  /** Set if Redis evicts keys, and thus jobs, once it is full. */
  evicts?: string;
  isFull?: string;
}

/** Checks the configuration of a reachable Redis. Finds nothing if the server forbids INFO, as some hosted servers do. */
export async function redisMisfits(redis: Pick<Redis, "info">, address: RedisAddress): Promise<RedisMisfits> {
  const memory = await readFullestMemory(nodesOf(redis)).catch(() => undefined);
  return memory === undefined ? {} : misfitsOf(memory, address);
}

export function misfitsOf(memory: RedisMemory, address: RedisAddress): RedisMisfits {
  const server = placeOf(address).join(": ");
  const { policy, used, max } = memory;
  const sized = (bytes: number) => `${(bytes / MEBIBYTE).toFixed(1)} MB`;
  return {
    ...(policy !== undefined &&
      policy !== "noeviction" && {
        evicts:
          `${server} has the maxmemory-policy ${policy}, so it evicts jobs when it is full. ` +
          "Set it to noeviction: redis-cli CONFIG SET maxmemory-policy noeviction",
      }),
    ...(fillOf(memory) > FULL_RATIO && {
      isFull:
        `${server} is full: it uses ${sized(used)} of its maxmemory of ${sized(max)}, so jobs wait in ` +
        `MongoDB. Increase it: redis-cli CONFIG SET maxmemory ${Math.ceil((2 * max) / MEBIBYTE)}mb`,
    }),
  };
}
