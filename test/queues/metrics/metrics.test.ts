import test from "ava";
import { definitionOf, metricNames, TENANTS } from "../../../queues/metrics/definitions.ts";
import { exposition } from "../../../queues/metrics/exposition.ts";
import { createMetrics, type Metrics } from "../../../queues/metrics/metrics.ts";
import { createTenantPlaces, MAX_TENANTS } from "../../../queues/metrics/tenant-places.ts";
import { tenantKey } from "../../../schemas/keys.ts";
import { seriesOf } from "./series.ts";

const labels = { process: "item", process_id: "1" } as const;
const pageOf = async (metrics: Metrics) => exposition([{ labels, snapshot: await metrics.takeSnapshot() }]);

/** The maximum size of a page with every series that a process can have. */
const MAX_PAGE_BYTES = 128 * 1024;

test("names follow Prometheus: a prefix, a base unit, and _total only for counters", (t) => {
  for (const name of metricNames) {
    const { type } = definitionOf(name);
    t.regex(name, /^(shelfwire|process|nodejs)_[a-z_]+$/, name);
    t.is(name.endsWith("_total"), type === "counter", name);
    if (type === "histogram") t.regex(name, /_seconds$/, name);
    t.notRegex(name, /(milliseconds|_ms|kilobytes|percent)/, name);
  }
});

test("no label has unbounded values: its values are listed, or are tenants", (t) => {
  for (const name of metricNames)
    for (const [label, values] of Object.entries(definitionOf(name).labels)) {
      t.true(values === TENANTS ? label === "tenant" : values.length <= 32, `${name} ${label}`);
      t.notRegex(label, /store|label|barcode|item/, name);
    }
});

test("of a thousand tenants, fifty have a series and one series counts all others, without losing a count", async (t) => {
  const metrics = createMetrics();
  for (let tenant = 0; tenant < 1000; tenant += 1)
    metrics.count("shelfwire_rows_applied_total", { tenant: tenantKey(`tenant-${tenant}`) }, 3);
  const series = seriesOf(await pageOf(metrics)).filter(({ name }) => name === "shelfwire_rows_applied_total");
  t.is(series.length, MAX_TENANTS + 1);
  t.is(
    series.reduce((sum, { value }) => sum + value, 0),
    3000,
  );
});

test("a page with every possible series of a process with a thousand tenants is smaller than 128 KiB", async (t) => {
  const metrics = createMetrics();
  const tenants = Array.from({ length: 1000 }, (_, index) => tenantKey(`a-tenant-with-a-usual-name-${index}`));
  // The checks cover every name, although the compiler sees only one at a time.
  const { count, set, observe } = metrics as unknown as Record<
    "count" | "set" | "observe",
    (name: string, labels: object, value: number) => void
  >;
  for (const name of metricNames) {
    const { type, labels: own } = definitionOf(name);
    const given = Object.entries(own).reduce<Record<string, string>[]>(
      (all, [label, values]) =>
        all.flatMap((one) => (values === TENANTS ? tenants : values).map((value) => ({ ...one, [label]: value }))),
      [{}],
    );
    for (const one of given) {
      if (type === "counter") count(name, one, 123_456);
      else if (type === "gauge") set(name, one, 123_456);
      else observe(name, one, 0.123456);
    }
  }
  const page = await pageOf(metrics);
  t.log(`${Buffer.byteLength(page)} bytes, ${seriesOf(page).length} series`);
  t.true(Buffer.byteLength(page) < MAX_PAGE_BYTES);
});

test("the busiest tenants replace others, and no continuing series ever decreases", async (t) => {
  const metrics = createMetrics();
  const count = (tenant: string) => metrics.count("shelfwire_rows_applied_total", { tenant: tenantKey(tenant) });
  const read = async () =>
    new Map(seriesOf(await pageOf(metrics)).map(({ labels: { tenant = "" }, value }) => [tenant, value]));
  count("calm");
  metrics.tenants.giveTo(["busy"]);
  count("calm");
  count("busy");
  t.deepEqual(await read(), new Map(Object.entries({ other: 1, busy: 1 })));
  metrics.tenants.giveTo(["calm"]);
  count("busy");
  count("calm");
  t.deepEqual(await read(), new Map(Object.entries({ other: 2, calm: 1 })));
});

test("a tenant named like the series for all others is counted there", (t) => {
  const places = createTenantPlaces();
  t.is(places.labelOf("other", 1), "other");
  t.deepEqual(places.giveTo(["other", "demo"]), []);
  t.deepEqual([...places.takeActivity()], [["other", 1]]);
});

test("a tracked total that restarts at 0 continues in its counter", async (t) => {
  const metrics = createMetrics();
  let hits = 5;
  metrics.track("shelfwire_cache_lookups_total", { cache: "pictures", result: "hit" }, () => hits);
  const read = async () => seriesOf(await pageOf(metrics))[0]?.value;
  t.is(await read(), 5);
  hits = 7;
  t.is(await read(), 7);
  hits = 1;
  t.is(await read(), 8);
});

test("a process has no metrics for work that it has not done", async (t) => {
  const metrics = createMetrics();
  t.deepEqual(seriesOf(await pageOf(metrics)), []);
  metrics.count("shelfwire_jobs_completed_total", { queue: "item" });
  const [series] = seriesOf(await pageOf(metrics));
  t.deepEqual(series, {
    name: "shelfwire_jobs_completed_total",
    labels: { process: "item", process_id: "1", queue: "item" },
    value: 1,
  });
});

test("a tracked gauge rises and falls, and a histogram has the buckets that its definition lists", async (t) => {
  const metrics = createMetrics();
  let memory = 5_000;
  metrics.track("process_resident_memory_bytes", {}, () => memory);
  metrics.observe("shelfwire_mongodb_command_seconds", {}, 0.004);
  const read = async (name: string) => seriesOf(await pageOf(metrics)).filter((one) => one.name === name);
  t.is((await read("process_resident_memory_bytes"))[0]?.value, 5_000);
  memory = 3_000;
  t.is((await read("process_resident_memory_bytes"))[0]?.value, 3_000);
  const { buckets = [] } = definitionOf("shelfwire_mongodb_command_seconds") as { buckets?: readonly number[] };
  const bounds = (await read("shelfwire_mongodb_command_seconds_bucket")).map((one) => one.labels.le);
  t.deepEqual(bounds, [...buckets.map(String), "+Inf"]);
});
