import { monitorEventLoopDelay } from "node:perf_hooks";
import { version } from "./definitions.ts";
import type { Metrics } from "./metrics.ts";

const LOOP_RESOLUTION_MS = 20;
const INTERVAL_MS = 15_000;

/** Tracks the processor time, memory and event loop of this process. Returns a function that stops tracking. */
export function watchProcess({ track }: Pick<Metrics, "track">): () => void {
  const startedAt = Date.now() / 1000 - process.uptime();
  track("process_start_time_seconds", {}, () => startedAt);
  track("process_resident_memory_bytes", {}, () => process.memoryUsage.rss());
  track("process_cpu_seconds_total", {}, () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  track("shelfwire_build_info", { version }, () => 1);
  track("nodejs_version_info", { version: process.version }, () => 1);
  track("nodejs_heap_size_total_bytes", {}, () => process.memoryUsage().heapTotal);
  track("nodejs_heap_size_used_bytes", {}, () => process.memoryUsage().heapUsed);
  track("nodejs_external_memory_bytes", {}, () => process.memoryUsage().external);
  track("nodejs_active_resources", {}, () => process.getActiveResourcesInfo().length);
  const delay = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  delay.enable();
  // Subtracts the timer's interval, which the measured delay includes, and rounds to whole microseconds.
  const seconds = (nanoseconds: number) => Math.max(0, Math.round(nanoseconds / 1e3) - LOOP_RESOLUTION_MS * 1000) / 1e6;
  const read = () => ({
    median: seconds(delay.percentile(50)),
    p99: seconds(delay.percentile(99)),
    max: seconds(delay.max),
  });
  let last: ReturnType<typeof read> | undefined;
  const timer = setInterval(() => {
    last = read();
    delay.reset();
  }, INTERVAL_MS).unref();
  for (const statistic of ["median", "p99", "max"] as const)
    track("shelfwire_event_loop_delay_seconds", { statistic }, () => (last ?? read())[statistic]);
  return () => {
    clearInterval(timer);
    delay.disable();
  };
}
