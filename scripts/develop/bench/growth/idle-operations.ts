import { setTimeout } from "node:timers/promises";
import { Redis } from "ioredis";
import { createMongoWatcher } from "../../../../test/harness/cost/mongodb-watcher.ts";
import type { DemoStack } from "../../../demo/with-stack.ts";
import { onFreePort } from "../../../start/ports.ts";
import { startMongo } from "../../../start/servers.ts";
import { openProxy } from "../../proxy/database-proxy.ts";

/** Time until all processes have started and begun their first audits. */
const START_MS = 30_000;
const IDLE_MS = 60_000;
const MINUTES_PER_HOUR = 60;

/** Prints how many commands MongoDB and Redis receive in an hour without any activity, with one process of each worker. */
export async function benchIdleOperations(
  folder: string,
  withStack: (mongoUrl: string, work: (demo: DemoStack) => Promise<void>) => Promise<void>,
): Promise<void> {
  const mongo = await onFreePort((port) => startMongo(port, folder));
  const { watcher, take } = createMongoWatcher();
  const proxy = await openProxy(mongo.url, watcher);
  await withStack(proxy.url, async ({ stack }) => {
    const redis = new Redis(stack.redis.url);
    const processed = async () => Number(/^total_commands_processed:(\d+)/m.exec(await redis.info("stats"))?.[1]);
    await setTimeout(START_MS);
    take();
    const before = await processed();
    await setTimeout(IDLE_MS);
    const commands = take();
    const ofRedis = ((await processed()) - before) * MINUTES_PER_HOUR;
    redis.disconnect();
    const [reads, writes] = (["read", "write"] as const).map(
      (kind) => commands.filter((command) => command.kind === kind).length * MINUTES_PER_HOUR,
    );
    process.stdout.write(
      `an idle hour: ${reads} reads and ${writes} writes of MongoDB, ${ofRedis} commands of Redis\n`,
    );
  });
  await proxy.close();
  await mongo.stop();
}
