import { Cluster, type Redis, type RedisOptions } from "ioredis";
import { LRUCache } from "lru-cache";
import { withCauses } from "../runtime/causes.ts";
import { CONNECTION_CLOSED } from "./steady/connection-closed.ts";
import { SteadyCluster } from "./steady/steady-cluster.ts";
import { SteadyRedis } from "./steady/steady-redis.ts";
import { SentinelError, type SentinelSettings, sentinelOptions } from "./steady/steady-sentinels.ts";

/** Maximum number of remembered messages. A message may quote a key, and callers can invent any number of keys. */
const MAX_LOGGED_MESSAGES = 1_000;

/**
 * How long a cluster node may take to report the assignment of slots. On a busy machine, ioredis's one second is too short: a
 * process's blocking connections, one per partition, would retry at the same time forever.
 */
const SLOTS_TIMEOUT_MS = 5_000;

/**
 * If the server sends nothing for this long after a command, the connection is replaced. A host that has stopped or is
 * unreachable closes no connections: after a failover, its clients would wait until the operating system closes them, and a
 * cluster client would never request the new assignment of slots. A caller's command times out after two seconds, and a wait for
 * jobs ends after at most ten.
 */
const SILENCE_MS = { callers: 5_000, workers: 12_000 };

const reconnectAfter = (tries: number): number => Math.min(100 * tries, 2000);

/** Where Redis is, and how to reach it. With only a URL, it is a single server whose certificate is verified. */
export interface RedisSettings extends SentinelSettings {
  REDIS_URL: string;
  REDIS_TLS?: "verified" | "unverified";
  REDIS_MODE?: "single" | "cluster";
}

/**
 * A connection for commands whose caller can continue without a response: while Redis is unavailable, commands fail
 * immediately instead of piling up, and a command without a response fails after two seconds, or after `patienceMs`.
 */
export const openRedis = (settings: RedisSettings, connectionName?: string, patienceMs?: number): Redis =>
  open(settings, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: patienceMs ?? 2000,
    socketTimeout: patienceMs ?? SILENCE_MS.callers,
    ...named(connectionName),
  });

/** A connection for a worker: its commands wait for Redis without a time limit and across reconnections. */
export const openWorkerRedis = (settings: RedisSettings, connectionName?: string): Redis =>
  open(settings, { maxRetriesPerRequest: null, socketTimeout: SILENCE_MS.workers, ...named(connectionName) });

/** Returns the option that sets a connection's name in `CLIENT LIST`. */
const named = (connectionName: string | undefined): RedisOptions => (connectionName ? { connectionName } : {});

/** Errors from Redis sockets: their codes do not distinguish them from errors of a MongoDB socket. */
const socketErrors = new WeakSet<Error>();

/** Wraps the error listener of a connection that was not opened here, so that `isRedisAway` recognises the error. */
export const ofRedis =
  (listener: (error: Error) => void) =>
  (error: Error): void => {
    if ("syscall" in error) socketErrors.add(error);
    listener(error);
  };

/** Error messages of commands whose connection is down. ioredis has no classes for these errors. */
const AWAY_TEXTS: ReadonlySet<string> = new Set([
  CONNECTION_CLOSED,
  "Command timed out",
  "Stream isn't writeable and enableOfflineQueue options is false",
  "Cluster isn't ready and enableOfflineQueue options is false",
]);
const AWAY_IN_CLUSTER = /^(CLUSTERDOWN|Too many Cluster redirections)/;
const AWAY_NAMES: ReadonlySet<string> = new Set(["MaxRetriesPerRequestError", "ClusterAllFailedError"]);

/** Whether an error means that Redis, rather than MongoDB, is unreachable. */
export const isRedisAway = (error: Error): boolean =>
  error instanceof SentinelError ||
  socketErrors.has(error) ||
  AWAY_NAMES.has(error.name) ||
  AWAY_TEXTS.has(error.message) ||
  AWAY_IN_CLUSTER.test(error.message);

function open(settings: RedisSettings, options: RedisOptions): Redis {
  const redis = connect(settings, options);
  redis.on(
    "error",
    ofRedis(() => {}),
  );
  return redis;
}

function connect(settings: RedisSettings, options: RedisOptions): Redis {
  const { REDIS_URL: url, REDIS_TLS: tls, REDIS_MODE: mode } = settings;
  const { username, password, protocol } = new URL(url);
  const secure = tls === "unverified" ? { rejectUnauthorized: false } : protocol === "rediss:" ? {} : undefined;
  if (mode !== "cluster")
    return new SteadyRedis(url, {
      ...options,
      ...(secure && { tls: secure }),
      ...sentinelOptions(settings, secure, reconnectAfter),
      retryStrategy: reconnectAfter,
    }) as unknown as Redis;
  const cluster = new SteadyCluster([url], {
    redisOptions: {
      ...(secure && { tls: secure }),
      ...(username && { username: decodeURIComponent(username) }),
      ...(password && { password: decodeURIComponent(password) }),
      ...options,
    },
    enableOfflineQueue: options.enableOfflineQueue ?? true,
    clusterRetryStrategy: reconnectAfter,
    slotsRefreshTimeout: SLOTS_TIMEOUT_MS,
    // Connects by host name instead of address, since a certificate names hosts.
    dnsLookup: (address, callback) => callback(null, address),
  });
  // A cluster supports every command of a single connection, and sends each to the node of its key.
  return cluster as unknown as Redis;
}

const clusterOf = (redis: object): Cluster | undefined => (redis instanceof Cluster ? redis : undefined);

/** Returns a cluster's nodes, for queries to each of them; the connection itself if there is only one server. */
export const nodesOf = <Node extends object>(redis: Node): readonly (Node | Redis)[] =>
  clusterOf(redis)?.nodes("master") ?? [redis];

/**
 * Calls `listener` whenever the server, or a node of the cluster, can be reached again, since commands sent in the meantime
 * were rejected.
 */
export function onReached(redis: Redis, listener: () => void): void {
  redis.on("ready", listener);
  clusterOf(redis)?.on("+node", listener);
}

/** Waits until the server is reached, no matter how many attempts fail first. */
export async function onceReady(redis: Redis): Promise<void> {
  if (redis.status !== "ready") await new Promise<void>((reached) => redis.once("ready", reached));
}

/**
 * Sends commands together and returns their responses in order. Rejects with the first error once all commands have been
 * answered. In a cluster, where a pipeline goes to one node, each command is sent separately to its node, so the order of
 * their effects is undefined.
 */
export async function sendTogether(
  redis: Pick<Redis, "pipeline" | "call">,
  commands: readonly (readonly [name: string, key: string, ...rest: (string | number)[]])[],
): Promise<unknown[]> {
  if (commands.length === 0) return [];
  if (clusterOf(redis)) return Promise.all(commands.map(([name, ...rest]) => redis.call(name, ...rest)));
  const answers = (await redis.pipeline(commands.map((command) => [...command])).exec()) ?? [];
  return answers.map(([error, answer]) => {
    if (error) throw error;
    return answer;
  });
}

/** Whether commands to different keys take effect in the order in which they are sent. */
export const keepsOrder = (redis: Redis): boolean => clusterOf(redis) === undefined;

/**
 * Returns an error handler for each named source, which logs the same message at most once a second. A connection serves all
 * calls, so the log line names no call. `reasonOf` explains an error.
 */
export function logCalmly(
  log: { warn(fields: object, message: string): void },
  clock: () => number,
  reasonOf: (error: Error) => string = ({ message }) => message,
) {
  const loggedAt = new LRUCache<string, number>({ max: MAX_LOGGED_MESSAGES });
  return (source: string) => (error: Error) => {
    const reason = reasonOf(error);
    const message = `${source}: ${reason}`;
    if (clock() - (loggedAt.get(message) ?? Number.NEGATIVE_INFINITY) < 1000) return;
    loggedAt.set(message, clock());
    withCauses([], () => log.warn({ source, error: reason }, "a connection failed"));
  };
}

/** The prefix of a queue's keys. The braces are a hash tag: Redis Cluster stores all keys of a queue in one slot. */
export const prefixOf = (queue: string): string => `{${queue}}`;
