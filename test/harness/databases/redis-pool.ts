import { Redis } from "ioredis";
import { onFreePort } from "../../../scripts/start/ports.ts";
import { type Server, startRedis } from "../../../scripts/start/servers.ts";

/** A test file's own Redis, until the file returns it. */
export interface TestRedis extends Server {
  /** Empties the Redis and makes it available to another file. */
  release(): Promise<void>;
}

/** Running servers that no file uses. */
const free: Server[] = [];

/** Returns an empty Redis: one that an earlier file has returned, if any, as starting a new one costs more than most tests. */
export async function takeRedis(): Promise<TestRedis> {
  const server = free.pop() ?? (await onFreePort((port) => startRedis(port)));
  let hasEnded = false;
  const end = (how: "kill" | "stop") => () => {
    hasEnded = true;
    return server[how]();
  };
  return {
    ...server,
    kill: end("kill"),
    stop: end("stop"),
    async release() {
      if (hasEnded) return;
      hasEnded = true;
      await empty(server);
      free.push(server);
    },
  };
}

/** Disconnects the clients, which could still write, and then removes all data. */
async function empty({ url }: Server): Promise<void> {
  const redis = new Redis(url);
  for (const type of ["normal", "pubsub"]) await redis.call("CLIENT", "KILL", "TYPE", type, "SKIPME", "yes");
  await redis.flushall();
  redis.disconnect();
}
