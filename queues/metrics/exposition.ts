import { AggregatorRegistry } from "prom-client";
import type { Snapshot } from "./metrics.ts";
import type { ProcessSnapshot } from "./reporter.ts";

/** Media type of Prometheus's text format. */
export const EXPOSITION_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** Returns a page in Prometheus's text format: the series of each process, with its labels, and the installation's series. */
export function exposition(processes: readonly ProcessSnapshot[], installation: Snapshot = []): Promise<string> {
  const labelled = processes.map(({ labels, snapshot }) =>
    snapshot.map((metric) => ({
      ...metric,
      values: metric.values.map((value) => ({ ...value, labels: { ...labels, ...value.labels } })),
    })),
  );
  // The labels differ between processes, so nothing is summed: the library only aggregates the list of metrics.
  return AggregatorRegistry.aggregate([installation, ...labelled]).metrics();
}
