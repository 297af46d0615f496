import { EventEmitter } from "node:events";
import test from "ava";
import type { Redis } from "ioredis";
import { exposition } from "../../../queues/metrics/exposition.ts";
import { createMetrics } from "../../../queues/metrics/metrics.ts";
import { watchDatabase, watchRedis } from "../../../queues/metrics/watch-databases.ts";
import { partOf, unchecked } from "../../harness/part-of.ts";
import { seriesOf } from "./series.ts";

test("a command lasts as long as its connection is checked out, measured separately for each connection", async (t) => {
  let time = 0;
  const client = new EventEmitter();
  const metrics = createMetrics();
  watchDatabase(unchecked(client), metrics, () => time);
  const at = (milliseconds: number, name: string, connectionId: number, address = "one:27017") => {
    time = milliseconds;
    client.emit(name, { address, connectionId });
  };
  at(0, "connectionCheckedOut", 1);
  at(1_000, "connectionCheckedOut", 2);
  at(1_500, "connectionCheckedOut", 1, "other:27017");
  at(3_000, "connectionCheckedIn", 2);
  at(4_000, "connectionCheckedIn", 1);
  at(5_500, "connectionCheckedIn", 1, "other:27017");
  at(9_000, "connectionCheckedIn", 1);
  client.emit("connectionCheckOutFailed");
  const labels = { process: "item", process_id: "1" } as const;
  const series = seriesOf(await exposition([{ labels, snapshot: await metrics.takeSnapshot() }]));
  const readingOf = (name: string) => series.find((one) => one.name === name)?.value;
  t.is(
    readingOf("shelfwire_mongodb_command_seconds_count"),
    3,
    "a connection that was never checked out does not count",
  );
  t.is(readingOf("shelfwire_mongodb_command_seconds_sum"), 2 + 4 + 4);
  t.is(readingOf("shelfwire_mongodb_connection_failures_total"), 1);
});

test("one in sixteen Redis commands is measured from sending to response, and a failed command counts as well", async (t) => {
  let now = 1_000;
  const commands: PromiseWithResolvers<unknown>[] = [];
  const redis = { sendCommand: ({ promise }: { promise: Promise<unknown> }) => promise } as unknown as Redis;
  const [observed, counted]: [unknown[], unknown[]] = [[], []];
  const metrics = {
    observe: (...one: unknown[]) => void observed.push(one),
    count: (name: string) => counted.push(name),
  };
  watchRedis(redis, metrics, () => now);
  const send = () => {
    const command = Promise.withResolvers<unknown>();
    commands.push(command);
    return redis.sendCommand(partOf({ promise: command.promise }));
  };
  for (let sent = 0; sent < 32; sent += 1) void Promise.resolve(send()).catch(() => {});
  now = 1_250;
  for (const [index, { resolve, reject }] of commands.entries())
    if (index === 31) reject(new Error("refused"));
    else resolve(index);
  t.is(await commands[15]?.promise, 15, "the caller gets its response");
  await new Promise(setImmediate);
  t.deepEqual(observed, [["shelfwire_redis_command_seconds", {}, 0.25]]);
  t.deepEqual(counted, ["shelfwire_redis_failures_total"]);
});
