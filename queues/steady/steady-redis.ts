import { Redis, type RedisOptions } from "ioredis";
import { CONNECTION_CLOSED } from "./connection-closed.ts";

interface Waiting {
  command: { reject(error: Error): void };
}

/** A connection with ioredis's private members, so that its fault can be fixed here. */
interface OpenRedis extends Omit<Redis, "disconnect" | "duplicate"> {
  /** Commands that were sent before the connection was lost, to be sent again. */
  prevCommandQueue: { shift(): Waiting | undefined } | null;
  disconnect(reconnect?: boolean): void;
  setStatus(status: string): void;
  flushQueue(error: Error): void;
}
const Base = Redis as unknown as new (url: string | RedisOptions, options?: RedisOptions) => OpenRedis;

/**
 * A connection to one server that ends whenever it is disconnected. It fixes a fault of ioredis 6.0.0: between two attempts to
 * connect, `disconnect` only cancels the next attempt, so the connection never ends, and commands that were sent before the
 * server was lost never settle.
 */
export class SteadyRedis extends Base {
  override disconnect(reconnect = false): void {
    const { status } = this;
    super.disconnect(reconnect);
    if (reconnect || status !== "reconnecting") return;
    this.setStatus("end");
    const closed = new Error(CONNECTION_CLOSED);
    this.flushQueue(closed);
    for (let sent = this.prevCommandQueue?.shift(); sent; sent = this.prevCommandQueue?.shift())
      sent.command.reject(closed);
  }

  /**
   * Replaces ioredis's method, which would create a plain connection. BullMQ calls it for the connection that waits for jobs.
   */
  duplicate(options: RedisOptions = {}): SteadyRedis {
    return new SteadyRedis({ ...this.options, ...options });
  }
}
