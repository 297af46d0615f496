import type { Redis } from "ioredis";
import type { ConnectionCheckedInEvent, ConnectionCheckedOutEvent, MongoClient } from "mongodb";
import type { Metrics } from "./metrics.ts";

/** One in this many Redis commands is measured: an additional promise for each command would cost as much as the command. */
const SAMPLED = 16;

/**
 * Measures commands to MongoDB from the events of the driver's connection pool. With command events, the driver would decode each
 * cursor response twice (docs/decisions/metrics/latencies.md).
 */
export function watchDatabase(
  client: Pick<MongoClient, "on">,
  { count, observe }: Pick<Metrics, "count" | "observe">,
  clock: () => number,
): void {
  const begun = new Map<string, number>();
  const idOf = ({ address, connectionId }: ConnectionCheckedOutEvent | ConnectionCheckedInEvent) =>
    `${address} ${connectionId}`;
  client.on("connectionCheckedOut", (event) => void begun.set(idOf(event), clock()));
  client.on("connectionCheckedIn", (event) => {
    const id = idOf(event);
    const beganAt = begun.get(id);
    if (beganAt === undefined) return;
    begun.delete(id);
    observe("shelfwire_mongodb_command_seconds", {}, (clock() - beganAt) / 1000);
  });
  client.on("connectionCheckOutFailed", () => count("shelfwire_mongodb_connection_failures_total", {}));
}

/** Measures commands that a connection to Redis sends, including calls of scripts, and commands in pipelines. */
export function watchRedis(
  redis: Redis,
  { count, observe }: Pick<Metrics, "count" | "observe">,
  clock: () => number,
): void {
  const send = redis.sendCommand;
  let commands = 0;
  // When a cluster repeats a command, it also passes the node.
  redis.sendCommand = (...given) => {
    const [command] = given;
    const answer = send.apply(redis, given);
    commands += 1;
    if (commands % SAMPLED === 0) {
      const beganAt = clock();
      command.promise.then(
        () => observe("shelfwire_redis_command_seconds", {}, (clock() - beganAt) / 1000),
        () => count("shelfwire_redis_failures_total", {}),
      );
    }
    return answer;
  };
}
