import { Redis } from "ioredis";
import { onFreePort } from "../../../scripts/start/ports.ts";
import { type Server, startRedis } from "../../../scripts/start/servers.ts";

/** A Redis of a test file's own, until it is returned. */
export interface TestRedis extends Server {
  /** Lets another file have it, empty. */
  giveBack(): Promise<void>;
}

/** The servers that run and are not used by a file. */
const free: Server[] = [];

/** An empty Redis that an earlier file has returned, or a new one: starting one costs more than most tests. */
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
    async giveBack() {
      if (hasEnded) return;
      hasEnded = true;
      await empty(server);
      free.push(server);
    },
  };
}

/** Removes what is stored, after the clients that could still add to it. */
async function empty({ url }: Server): Promise<void> {
  const redis = new Redis(url);
  for (const type of ["normal", "pubsub"]) await redis.call("CLIENT", "KILL", "TYPE", type, "SKIPME", "yes");
  await redis.flushall();
  redis.disconnect();
}
