import { type RedisOptions, SentinelConnector } from "ioredis";
import { settings as table } from "../../schemas/settings.ts";
import { CONNECTION_CLOSED } from "./connection-closed.ts";

const SENTINEL_PORT = 26_379;
/** A Sentinel that does not respond within this time is skipped: its machine may have failed. */
const ANSWER_TIMEOUT_MS = 2_000;

export interface SentinelSettings {
  /** If set, the server is found through these Sentinels, and the URL's host is not used. */
  REDIS_SENTINELS?: string | undefined;
  REDIS_SENTINEL_MASTER?: string;
  REDIS_SENTINEL_PASSWORD?: string | undefined;
}

/**
 * Returns ioredis's options for a server that is found through Sentinels; none if the settings name no Sentinels. With `tls`,
 * both the server and the Sentinels use TLS.
 */
export function sentinelOptions(
  { REDIS_SENTINELS, REDIS_SENTINEL_MASTER, REDIS_SENTINEL_PASSWORD }: SentinelSettings,
  tls: RedisOptions["tls"],
  retryAfter: (tries: number) => number,
): RedisOptions {
  if (REDIS_SENTINELS === undefined) return {};
  return {
    sentinels: addressesOf(REDIS_SENTINELS),
    name: REDIS_SENTINEL_MASTER ?? table.REDIS_SENTINEL_MASTER.initial,
    ...(REDIS_SENTINEL_PASSWORD && { sentinelPassword: REDIS_SENTINEL_PASSWORD }),
    ...(tls && { sentinelTLS: tls, enableTLSForSentinelMode: true }),
    sentinelRetryStrategy: retryAfter,
    sentinelCommandTimeout: ANSWER_TIMEOUT_MS,
    // A master whose machine has failed closes no connection: Sentinels announce its successor.
    failoverDetector: true,
    Connector: SteadySentinels as unknown as NonNullable<RedisOptions["Connector"]>,
  };
}

const addressesOf = (list: string) =>
  list.split(",").map((entry) => {
    const { hostname, port } = new URL(`redis://${entry.trim()}`);
    return { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port) || SENTINEL_PORT };
  });

/** Thrown if no Sentinel names the master; the message is the reason that one of them gave. */
export class SentinelError extends Error {
  override readonly name = "SentinelError";
}

/** Whether a Sentinel responded that it monitors no master of that name. */
export const isUnknownMaster = (reason: string): boolean => reason.includes("No such master");

const NO_REASON = "no response";

type Emit = (type: string, error: Error) => void;

interface Sentinel {
  on(event: "error", listener: (error: Error) => void): void;
}

/** The connector with ioredis's private members, so that its faults can be fixed here. */
interface OpenConnector {
  connecting: boolean;
  failoverDetector: { cleanup(): void } | null;
  connect(emit: Emit): Promise<unknown>;
  resolve(address: object): Promise<unknown>;
  connectToSentinel(...given: unknown[]): Sentinel;
  initFailoverDetector(): Promise<void>;
}
const Base = SentinelConnector as unknown as new (options: RedisOptions) => OpenConnector;

/** Finds the master through Sentinels, and fixes three faults of ioredis 6.0.0, each of which is described at its method. */
class SteadySentinels extends Base {
  #reason = NO_REASON;

  /** An announced failover would end the current connection attempt, and ioredis would not make another. */
  override connect(emit: Emit): Promise<unknown> {
    this.failoverDetector?.cleanup();
    return super.connect((type, error) => emit(type, type === "error" ? this.#takeError() : error));
  }

  /** A connection that is closed before it is established would keep its subscriptions to the Sentinels. */
  override async initFailoverDetector(): Promise<void> {
    if (this.connecting) await super.initFailoverDetector();
  }

  /** ioredis would report only that a Sentinel's connection is closed, not why. */
  override connectToSentinel(...given: unknown[]): Sentinel {
    const sentinel = super.connectToSentinel(...given);
    sentinel.on("error", (error) => this.#note(error));
    return sentinel;
  }

  override async resolve(address: object): Promise<unknown> {
    try {
      return await super.resolve(address);
    } catch (error) {
      this.#note(error as Error);
      throw error;
    }
  }

  /** Keeps a Sentinel's response as the reason, since a response says more than the silence of the next Sentinel. */
  #note({ message, code }: Error & { code?: string }): void {
    if (message !== CONNECTION_CLOSED && !isUnknownMaster(this.#reason)) this.#reason = message || code || this.#reason;
  }

  #takeError(): SentinelError {
    const error = new SentinelError(this.#reason);
    this.#reason = NO_REASON;
    return error;
  }
}
