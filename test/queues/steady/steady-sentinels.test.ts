import { once } from "node:events";
import type { Socket } from "node:net";
import test, { type ExecutionContext } from "ava";
import { databaseFault } from "../../../queues/reach-databases.ts";
import { openRedis, openWorkerRedis, type RedisSettings } from "../../../queues/redis.ts";
import { type MonitoredRedis, openMonitoredRedis } from "../../harness/databases/redis-servers.ts";
import { eventually } from "../../harness/eventually.ts";

let servers: MonitoredRedis;
test.serial.before(async () => {
  servers = await openMonitoredRedis();
});
test.after.always(() => servers.kill());

const addressed = (): RedisSettings => ({ REDIS_URL: servers.url, ...servers.settings });

function openFor(t: ExecutionContext, settings: RedisSettings, open = openRedis) {
  const redis = open(settings);
  t.teardown(() => redis.disconnect());
  return redis;
}

/** The private members of ioredis that receive the Sentinels' announcements. */
interface Announced {
  connector: {
    initFailoverDetector(): Promise<void>;
    failoverDetector?: {
      sentinels: { client: { status: string; emit(event: "message", channel: string): void } }[];
    } | null;
  };
  stream: Socket;
}

/** A connection that listens to its Sentinels, and how a Sentinel's announcement of a failover affects it. */
async function openListening(t: ExecutionContext) {
  const redis = openFor(t, addressed(), openWorkerRedis);
  await once(redis, "ready");
  const { connector, stream } = redis as unknown as Announced;
  const sentinels = await eventually("it listens to every Sentinel", async () => {
    const heard = connector.failoverDetector?.sentinels ?? [];
    return heard.length === 3 && heard.every(({ client }) => client.status === "ready") && heard;
  });
  return { redis, stream, announce: () => sentinels[0]?.client.emit("message", "+switch-master") };
}

test.serial("a failover announced while a connection is being made does not end it", async (t) => {
  const { redis, stream, announce } = await openListening(t);
  redis.once("connecting", announce);
  stream.destroy();
  await once(redis, "connecting");
  t.is(await redis.set("steady", "1"), "OK");
});

test.serial("an announced failover closes a connection that its server keeps open", async (t) => {
  const { redis, announce } = await openListening(t);
  const closed = once(redis, "close");
  announce();
  await closed;
  t.is(await redis.set("steady", "2"), "OK");
});

test.serial("a connection that is closed while it opens does not listen to any Sentinel", async (t) => {
  const redis = openFor(t, addressed());
  const { connector } = redis as unknown as Announced;
  redis.disconnect();
  // ioredis calls this when the socket connects, which can happen after the connection was closed.
  await connector.initFailoverDetector();
  t.falsy(connector.failoverDetector);
});

for (const [what, given, fault] of [
  [
    "a master that no Sentinel knows",
    { REDIS_SENTINEL_MASTER: "other" },
    /^REDIS_SENTINEL_MASTER: Redis Sentinel at 127\S+, 127\S+, 127\S+ monitors no master "other"\. Correct REDIS_SENTINEL_MASTER/,
  ],
  [
    "a wrong password for the Sentinels",
    { REDIS_SENTINEL_PASSWORD: "wrong" },
    /^REDIS_SENTINELS: Redis Sentinel at 127.* cannot be reached: WRONGPASS /,
  ],
  [
    "Sentinels that are down",
    { REDIS_SENTINELS: "127.0.0.1:1,[::1]:2" },
    /^REDIS_SENTINELS: Redis Sentinel at 127\.0\.0\.1:1,\[::1\]:2 cannot be reached: connect E\w+ \S+\. Start it, or correct REDIS_SENTINELS$/,
  ],
] as const)
  test.serial(`${what}: the log names the setting, the host and the reason`, async (t) => {
    const settings = { ...addressed(), ...given };
    const redis = openFor(t, settings);
    const faults: string[] = [];
    redis.on("error", (error) => {
      faults.push(databaseFault(error, { ...settings, MONGODB_URL: "mongodb://m" }) ?? "");
    });
    // On a slow machine, the first attempts may fail because no Sentinel has responded in time.
    t.regex(await eventually("the fault is named", async () => faults.find((one) => fault.test(one))), fault);
  });
