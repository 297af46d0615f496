import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { tenantIdOf } from "../../schemas/keys.ts";
import {
  type CounterName,
  definitionOf,
  type GaugeName,
  type HistogramName,
  type LabelsOf,
  type MetricName,
} from "./definitions.ts";
import { createTenantPlaces, type TenantPlaces } from "./tenant-places.ts";

/** The series of a process, or of the whole installation, at one moment: plain JSON. */
export type Snapshot = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>;

/** Metrics that stages report. They are kept in memory: a call costs less than a microsecond. Tenants are passed by key. */
export interface Metrics {
  count<N extends CounterName>(name: N, labels: LabelsOf<N>, amount?: number): void;
  set<N extends GaugeName>(name: N, labels: LabelsOf<N>, value: number): void;
  /** Removes every series of a metric. */
  clear(name: GaugeName): void;
  observe<N extends HistogramName>(name: N, labels: LabelsOf<N>, value: number): void;
  /**
   * Calls `read` at each snapshot. For a counter, `read` returns the total; if it restarts at 0, the metric continues from its
   * last value.
   */
  track<N extends CounterName | GaugeName>(name: N, labels: LabelsOf<N>, read: () => number): void;
  /** The metrics reported so far. */
  takeSnapshot(): Promise<Snapshot>;
  /** Which tenants have their own series. */
  tenants: Pick<TenantPlaces, "takeActivity"> & { giveTo(tenants: readonly string[]): void };
}

type Labels = Record<string, string>;

/** Metrics of one process. Each process has its own registry, since several processes share a thread in tests. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const places = createTenantPlaces();
  const told = new Map<MetricName, Counter | Gauge | Histogram>();
  const readers: (() => void)[] = [];

  function metric(name: MetricName): Counter | Gauge | Histogram {
    const known = told.get(name);
    if (known) return known;
    const made = make(name, registry);
    told.set(name, made);
    return made;
  }
  const counter = (name: MetricName) => metric(name) as Counter;
  const gauge = (name: MetricName) => metric(name) as Gauge;
  const placed = (labels: Labels, amount: number): Labels =>
    labels.tenant === undefined ? labels : { ...labels, tenant: places.labelOf(tenantIdOf(labels.tenant), amount) };

  return {
    count: (name, labels, amount = 1) => void counter(name).inc(placed(labels as Labels, amount), amount),
    set: (name, labels, value) => gauge(name).set(labels as Labels, value),
    clear: (name) => gauge(name).reset(),
    observe: (name, labels, value) => (metric(name) as Histogram).observe(labels as Labels, value),

    track(name, labels, read) {
      let last = 0;
      readers.push(() => {
        const value = read();
        if (definitionOf(name).type === "gauge") return gauge(name).set(labels as Labels, value);
        counter(name).inc(labels as Labels, value >= last ? value - last : value);
        last = value;
      });
    },

    async takeSnapshot() {
      for (const read of readers) read();
      // A copy: the registry's own values keep changing.
      return structuredClone(await registry.getMetricsAsJSON());
    },

    tenants: {
      takeActivity: places.takeActivity,
      giveTo(tenants) {
        for (const tenant of places.giveTo(tenants))
          for (const name of told.keys()) if (definitionOf(name).labels.tenant) counter(name).remove({ tenant });
      },
    },
  };
}

function make(name: MetricName, registry: Registry): Counter | Gauge | Histogram {
  const { type, help, labels, buckets = [] } = definitionOf(name);
  const shared = { name, help, labelNames: Object.keys(labels), registers: [registry] };
  if (type === "counter") return new Counter(shared);
  return type === "gauge" ? new Gauge(shared) : new Histogram({ ...shared, buckets: [...buckets] });
}
