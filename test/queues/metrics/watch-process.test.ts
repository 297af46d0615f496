import test from "ava";
import { exposition } from "../../../queues/metrics/exposition.ts";
import { createMetrics } from "../../../queues/metrics/metrics.ts";
import { watchProcess } from "../../../queues/metrics/watch-process.ts";
import { seriesOf } from "./series.ts";

const labels = { process: "item", process_id: "1" } as const;

test("a process tells when it began, in seconds of the epoch, and what it uses", async (t) => {
  const metrics = createMetrics();
  t.teardown(watchProcess(metrics));
  const series = seriesOf(await exposition([{ labels, snapshot: await metrics.takeSnapshot() }]));
  const readingOf = (name: string) => series.find((one) => one.name === name)?.value ?? Number.NaN;
  const beganAt = Date.now() / 1000 - process.uptime();
  t.true(Math.abs(readingOf("process_start_time_seconds") - beganAt) < process.uptime());
  t.true(readingOf("process_resident_memory_bytes") > 10_000_000);
  const cpu = readingOf("process_cpu_seconds_total");
  t.true(cpu > 0 && cpu < 100_000, `${cpu} s`);
  const delays = series.filter(({ name }) => name === "shelfwire_event_loop_delay_seconds");
  t.deepEqual(delays.map(({ labels: { statistic } }) => statistic).toSorted(), ["max", "median", "p99"]);
});
