import { type RedisOptions, SentinelConnector } from "ioredis";
import { settings as table } from "../schemas/settings.ts";

const SENTINEL_PORT = 26_379;
/** A Sentinel without a response is left out: its machine may be the one that has failed. */
const ANSWER_TIMEOUT_MS = 2_000;

export interface SentinelSettings {
  /** They name the server, instead of the host of the URL. */
  REDIS_SENTINELS?: string | undefined;
  REDIS_SENTINEL_MASTER?: string;
  REDIS_SENTINEL_PASSWORD?: string | undefined;
}

/**
 * ioredis's options for a server that is found through Sentinels; none if the settings name no Sentinels. With `tls`,
 * both are connected by TLS.
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

/** No Sentinel names the master: the message is the reason that one of them has. */
export class SentinelError extends Error {
  override readonly name = "SentinelError";
}

/** Whether a Sentinel answered that it monitors no master of the name. */
export const isUnknownMaster = (reason: string): boolean => reason.includes("No such master");

const NO_REASON = "no response";
/** The error of commands whose connection could not be made, whatever prevented it. */
const CLOSED = "Connection is closed.";

type Emit = (type: string, error: Error) => void;

interface Sentinel {
  on(event: "error", listener: (error: Error) => void): void;
}

/** The connector with the private members of ioredis, so that it can be fixed here. */
interface OpenConnector {
  connecting: boolean;
  failoverDetector: { cleanup(): void } | null;
  connect(emit: Emit): Promise<unknown>;
  resolve(address: object): Promise<unknown>;
  connectToSentinel(...given: unknown[]): Sentinel;
  initFailoverDetector(): Promise<void>;
}
const Base = SentinelConnector as unknown as new (options: RedisOptions) => OpenConnector;

/** Finds the master through Sentinels, without three faults of ioredis 6.0.0: each method names the one that it fixes. */
class SteadySentinels extends Base {
  #reason = NO_REASON;

  /** An announced failover would end the attempt to connect that is under way, and ioredis makes no other. */
  override connect(emit: Emit): Promise<unknown> {
    this.failoverDetector?.cleanup();
    return super.connect((type, error) => emit(type, type === "error" ? this.#takeError() : error));
  }

  /** A connection that is closed before it is made would keep its subscriptions to the Sentinels. */
  override async initFailoverDetector(): Promise<void> {
    if (this.connecting) await super.initFailoverDetector();
  }

  /** ioredis would report that a Sentinel's connection is closed, and not why. */
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

  /** A response says more than the silence of the next Sentinel. */
  #note({ message, code }: Error & { code?: string }): void {
    if (message !== CLOSED && !isUnknownMaster(this.#reason)) this.#reason = message || code || this.#reason;
  }

  #takeError(): SentinelError {
    const error = new SentinelError(this.#reason);
    this.#reason = NO_REASON;
    return error;
  }
}
