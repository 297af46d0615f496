import { mock } from "node:test";
import { setTimeout } from "node:timers/promises";
import test from "ava";
import { exposition } from "../../../queues/metrics/exposition.ts";
import { createMetrics } from "../../../queues/metrics/metrics.ts";
import { watchProcess } from "../../../queues/metrics/watch-process.ts";
import { seriesOf } from "./series.ts";

const labels = { process: "item", process_id: "1" } as const;

test("a process reports its start in seconds since the epoch, and its resource use", async (t) => {
  const metrics = createMetrics();
  t.teardown(watchProcess(metrics));
  const series = seriesOf(await exposition([{ labels, snapshot: await metrics.takeSnapshot() }]));
  const readingOf = (name: string) => series.find((one) => one.name === name)?.value ?? Number.NaN;
  const beganAt = Date.now() / 1000 - process.uptime();
  t.true(Math.abs(readingOf("process_start_time_seconds") - beganAt) < process.uptime());
  t.true(readingOf("process_resident_memory_bytes") > 10_000_000);
  const cpu = readingOf("process_cpu_seconds_total");
  t.true(cpu > 0 && cpu < 100_000, `${cpu} s`);
  t.is(readingOf("shelfwire_build_info"), 1);
  t.like(series.find(({ name }) => name === "nodejs_version_info")?.labels, { version: process.version });
  t.true(readingOf("nodejs_heap_size_used_bytes") < readingOf("nodejs_heap_size_total_bytes"));
  const delays = series.filter(({ name }) => name === "shelfwire_event_loop_delay_seconds");
  t.deepEqual(delays.map(({ labels: { statistic } }) => statistic).toSorted(), ["max", "median", "p99"]);
});

test("the event loop's delay is measured over the last whole interval, without the requested wait", async (t) => {
  mock.timers.enable({ apis: ["setInterval"] });
  t.teardown(() => mock.timers.reset());
  const readings = new Map<string, () => number>();
  const track = (name: string, { statistic = "" }: { statistic?: string }, read: () => number) =>
    void readings.set(`${name} ${statistic}`.trim(), read);
  const stop = watchProcess({ track });
  t.teardown(stop);
  const read = (name: string) => readings.get(name)?.() ?? Number.NaN;
  const max = () => read("shelfwire_event_loop_delay_seconds max");
  const block = async (ms: number) => {
    // The monitor's first reading only starts the measurement. The monitor is a timer too, and has fired before the
    // second wait starts.
    await setTimeout(50);
    await setTimeout(50);
    for (const until = performance.now() + ms; performance.now() < until; );
    await setTimeout(50);
  };
  t.is(read("shelfwire_event_loop_delay_seconds median"), 0, "it has not waited yet");
  await block(300);
  const first = max();
  t.true(first > 0.2 && first < 60, `${first} s`);
  t.is(Math.round(first * 1e6) / 1e6, first, "whole microseconds");
  mock.timers.tick(15_000);
  await block(900);
  t.true(max() < 60);
  const { user, system } = process.cpuUsage();
  const last = max();
  await block(0);
  t.is(max(), last, "the delay stays until the interval is over");
  mock.timers.tick(15_000);
  t.true(max() > 0.8, `${max()} s`);
  mock.timers.tick(15_000);
  t.true(max() < 0.8, "only the last interval counts");
  t.true(read("process_cpu_seconds_total") >= (user + system) / 1e6);
  t.true(read("process_cpu_seconds_total") <= (process.cpuUsage().user + process.cpuUsage().system) / 1e6 + 1);
});
