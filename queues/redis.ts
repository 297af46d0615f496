import { Cluster, Redis, type RedisOptions } from "ioredis";
import { LRUCache } from "lru-cache";
import { withCauses } from "../runtime/causes.ts";
import { SteadyCluster } from "./steady-cluster.ts";
import { SentinelError, type SentinelSettings, sentinelOptions } from "./steady-sentinels.ts";

/** A message may quote a key: there may be as many keys as callers invent. */
const MAX_LOGGED_MESSAGES = 1_000;

/**
 * How long a node of a cluster may take to say who has which slots. A process that waits for its turn on a busy machine
 * needs more than ioredis's second: else its connections for waiting, one a partition, would try again together forever.
 */
const SLOTS_TIMEOUT_MS = 5_000;

/**
 * Without a byte from the server for so long after a command, a connection is closed and made again: a host that stopped
 * or is unreachable closes none, so after a failover its clients would wait until the operating system does, and a client of
 * a cluster would never ask who has its slots now. A command of callers has two seconds, a wait for jobs ends after ten.
 */
const SILENCE_MS = { callers: 5_000, workers: 12_000 };

const reconnectAfter = (tries: number): number => Math.min(100 * tries, 2000);

/** Where Redis is, and how it is reached; with the URL alone, a single server whose certificate is verified. */
export interface RedisSettings extends SentinelSettings {
  REDIS_URL: string;
  REDIS_TLS?: "verified" | "unverified";
  REDIS_MODE?: "single" | "cluster";
}

/**
 * A connection for commands whose caller can continue without a response: while Redis is unavailable, commands fail
 * immediately instead of piling up, and a command without a response fails after two seconds.
 */
export const openRedis = (settings: RedisSettings, connectionName?: string): Redis =>
  open(settings, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: 2000,
    socketTimeout: SILENCE_MS.callers,
    ...named(connectionName),
  });

/** A connection for a worker: its commands wait for Redis without a limit, over one connection after another. */
export const openWorkerRedis = (settings: RedisSettings, connectionName?: string): Redis =>
  open(settings, { maxRetriesPerRequest: null, socketTimeout: SILENCE_MS.workers, ...named(connectionName) });

/** The option by which `CLIENT LIST` names a connection. */
const named = (connectionName: string | undefined): RedisOptions => (connectionName ? { connectionName } : {});

/** Errors of sockets of Redis: their codes alone do not distinguish them from errors of a MongoDB socket. */
const socketErrors = new WeakSet<Error>();

/** A listener that knows a socket's error as one of Redis (`isRedisAway`): for connections that were not opened here. */
export const ofRedis =
  (listener: (error: Error) => void) =>
  (error: Error): void => {
    if ("syscall" in error) socketErrors.add(error);
    listener(error);
  };

/** The errors of commands while their connection is down. ioredis has no classes for them. */
const AWAY_TEXTS: ReadonlySet<string> = new Set([
  "Connection is closed.",
  "Command timed out",
  "Stream isn't writeable and enableOfflineQueue options is false",
  "Cluster isn't ready and enableOfflineQueue options is false",
]);
const AWAY_IN_CLUSTER = /^(CLUSTERDOWN|Too many Cluster redirections)/;
const AWAY_NAMES: ReadonlySet<string> = new Set(["MaxRetriesPerRequestError", "ClusterAllFailedError"]);

/** Whether an error says that Redis, and not MongoDB, cannot be reached. */
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
    return new Redis(url, {
      ...options,
      ...(secure && { tls: secure }),
      ...sentinelOptions(settings, secure, reconnectAfter),
      retryStrategy: reconnectAfter,
    });
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
    // By name and not by address, since a certificate names hosts.
    dnsLookup: (address, callback) => callback(null, address),
  });
  // It has every command of a single connection, and sends each to the node of its key.
  return cluster as unknown as Redis;
}

const clusterOf = (redis: object): Cluster | undefined => (redis instanceof Cluster ? redis : undefined);

/** The nodes of a cluster, for queries to each of them; the server itself if there is only one. */
export const nodesOf = <Node extends object>(redis: Node): readonly (Node | Redis)[] =>
  clusterOf(redis)?.nodes("master") ?? [redis];

/**
 * Calls `listener` whenever the server, or a node of the cluster, can be reached again: commands sent in the meantime
 * were rejected.
 */
export function onReached(redis: Redis, listener: () => void): void {
  redis.on("ready", listener);
  clusterOf(redis)?.on("+node", listener);
}

/** Waits until the server is reached, however many tries fail before. */
export async function onceReady(redis: Redis): Promise<void> {
  if (redis.status !== "ready") await new Promise<void>((reached) => redis.once("ready", reached));
}

/**
 * Sends commands together, and returns their responses in order. Rejects with the first error, once all are answered. In
 * a cluster, where a pipeline goes to one node, each command is sent to its own node: the order of their effects is
 * then undefined.
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
 * Returns an error handler for each named source, which logs the same message at most once a second. A connection
 * serves all calls, so the line names none of them. `reasonOf` explains an error.
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
