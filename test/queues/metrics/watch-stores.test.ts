import { EventEmitter } from "node:events";
import test from "ava";
import { exposition } from "../../../queues/metrics/exposition.ts";
import { createMetrics } from "../../../queues/metrics/metrics.ts";
import { watchDatabase } from "../../../queues/metrics/watch-stores.ts";
import { seriesOf } from "./series.ts";

test("a command lasts from when its connection is taken until it is given back, each connection by itself", async (t) => {
  let time = 0;
  const client = new EventEmitter();
  const metrics = createMetrics();
  watchDatabase(client as never, metrics, () => time);
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
  t.is(readingOf("shelfwire_mongodb_command_seconds_count"), 3, "one that was never taken does not count");
  t.is(readingOf("shelfwire_mongodb_command_seconds_sum"), 2 + 4 + 4);
  t.is(readingOf("shelfwire_mongodb_connection_failures_total"), 1);
});
