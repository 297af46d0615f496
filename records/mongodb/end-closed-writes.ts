import type { EventEmitter } from "node:events";
import { createRequire } from "node:module";
import { MongoNetworkError } from "mongodb";

/** The part of the driver's connection that is used here. It stores its error before it emits "close". */
interface DriverConnection extends EventEmitter {
  closed: boolean;
  error: Error | null;
  writeCommand(command: unknown, options: unknown): Promise<void>;
}

const { Connection } = createRequire(import.meta.url)("mongodb/lib/cmap/connection.js") as {
  Connection: { prototype: DriverConnection };
};
const { writeCommand } = Connection.prototype;

/**
 * Ends the driver's writes when their connection closes. By itself, the driver waits until the socket has accepted the whole
 * command, even if the connection is closed in the meantime: the command would never end, and neither would the job or the loop
 * that waits for it (docs/decisions/records/closed-connections.md).
 */
export function endClosedWrites(): void {
  Connection.prototype.writeCommand = async function (command, options) {
    const closed = Promise.withResolvers<never>();
    const refuse = () => closed.reject(this.error ?? new MongoNetworkError("the connection is closed"));
    this.once("close", refuse);
    if (this.closed) refuse();
    try {
      await Promise.race([writeCommand.call(this, command, options), closed.promise]);
    } finally {
      this.off("close", refuse);
    }
  };
}
