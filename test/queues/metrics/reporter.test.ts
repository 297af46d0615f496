import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import test from "ava";
import { createMetrics } from "../../../queues/metrics/metrics.ts";
import { type Reporter, startReporter } from "../../../queues/metrics/reporter.ts";
import { MAX_TENANTS } from "../../../queues/metrics/tenant-places.ts";
import { tenantKey } from "../../../schemas/keys.ts";
import { eventually } from "../../harness/eventually.ts";
import { ownSystem } from "../../harness/own.ts";
import { later } from "../../harness/system.ts";

const own = ownSystem();
const MINUTE_MS = 60_000;

/** A process that reports when the test requests it. */
function openProcess(name: "item" | "link" | "web", at = later(0)) {
  const metrics = createMetrics();
  const { redis } = own.system;
  const labels = { process: name, process_id: name } as const;
  const onError = (error: Error) => {
    throw error;
  };
  const reporter = startReporter({ metrics, redis, labels, now: at, onError, intervalMs: 86_400_000 });
  return { ...reporter, metrics };
}
const namesOf = async (reader: Reporter) => (await reader.readAll()).map(({ labels }) => labels.process).sort();

test.serial("every process can read all other reports, and omits reports that are over a minute old", async (t) => {
  const [item, link] = [openProcess("item"), openProcess("link")];
  await Promise.all([item.report(), link.report()]);
  t.deepEqual(await namesOf(item), ["item", "link"]);
  const future = openProcess("web", later(MINUTE_MS + 1));
  await future.report();
  t.deepEqual(await namesOf(future), ["web"]);
  await Promise.all([item, link, future].map((one) => one.stop()));
  t.is(await own.system.redis.zcard("{metrics}:processes"), 0);
});

test.serial("a process whose report has expired is omitted, even before its slot expires", async (t) => {
  const [item, link] = [openProcess("item"), openProcess("link")];
  await Promise.all([item.report(), link.report()]);
  await own.system.redis.del("{metrics}:process:link.link");
  t.deepEqual(await namesOf(item), ["item"]);
  await Promise.all([item.stop(), link.stop()]);
});

test.serial("a report expires in Redis by itself", async (t) => {
  const item = openProcess("item");
  await item.report();
  const [key = ""] = await own.system.redis.keys("{metrics}:process:*");
  const left = await own.system.redis.pttl(key);
  t.true(left > 0 && left <= MINUTE_MS);
  await item.stop();
});

test.serial("a process shows its own last report, as it does for every other process", async (t) => {
  const web = openProcess("web");
  web.metrics.count("shelfwire_jobs_completed_total", { queue: "item" });
  await web.report();
  web.metrics.count("shelfwire_jobs_completed_total", { queue: "item" });
  const [read] = await web.readAll();
  t.is(read?.snapshot[0]?.values[0]?.value, 1);
  const present = await web.readOwn();
  t.is(present.snapshot[0]?.values[0]?.value, 2);
  await web.stop();
});

test.serial("the busiest tenants are counted across all processes, and are the same in each process", async (t) => {
  const TEN_MINUTES_MS = 600_000;
  let now = Date.now();
  const at = () => new Date(now);
  const [item, link] = [openProcess("item", at), openProcess("link", at)];
  const count = (process: typeof item, tenant: string, amount: number) =>
    process.metrics.count("shelfwire_rows_applied_total", { tenant: tenantKey(tenant) }, amount);
  for (let tenant = 0; tenant < MAX_TENANTS; tenant += 1) count(item, `calm-${tenant}`, 10 + tenant);
  count(link, "busy", 5);
  count(item, "busy", 6);
  await item.report();
  await link.report();
  now += TEN_MINUTES_MS;
  await item.report();
  await link.report();
  for (const process of [item, link]) for (const tenant of ["busy", "calm-0"]) count(process, tenant, 1);
  const tenantsOf = async (process: typeof item) =>
    (await process.readOwn()).snapshot[0]?.values.map(({ labels }) => labels.tenant) ?? [];
  for (const process of [item, link]) {
    const tenants = await tenantsOf(process);
    t.true(tenants.includes("busy"));
    t.false(tenants.includes("calm-0"));
  }
  await Promise.all([item.stop(), link.stop()]);
});

test.serial("a process with many tenants reports the hundred busiest, and an idle process reports none", async (t) => {
  const { redis } = own.system;
  const [idle, item] = [openProcess("link"), openProcess("item")];
  const keys = () => redis.keys("{metrics}:tenants:*");
  for (const key of await keys()) await redis.del(key);
  await idle.report();
  t.deepEqual(await keys(), []);
  for (let tenant = 0; tenant <= 100; tenant += 1)
    item.metrics.count("shelfwire_rows_applied_total", { tenant: tenantKey(`t${tenant}`) }, 1 + tenant);
  await item.report();
  const [key = ""] = await keys();
  t.is(await redis.zcard(key), 100);
  const [least, most] = [
    await redis.zrange(key, "0", "0", "WITHSCORES"),
    await redis.zrange(key, "-1", "-1", "WITHSCORES"),
  ];
  t.deepEqual([least[1], most[1]], ["2", "101"]);
  await Promise.all([idle.stop(), item.stop()]);
});

test.serial("a command that Redis rejects is reported, and an accepted one is not", async (t) => {
  const { redis } = own.system;
  const told: string[] = [];
  const reporter = startReporter({
    ...{ metrics: createMetrics(), redis, labels: { process: "item", process_id: "refused" }, now: later(0) },
    ...{ onError: (error: Error) => void told.push(error.message), intervalMs: 86_400_000 },
  });
  await reporter.report();
  t.deepEqual(told, []);
  await redis.del("{metrics}:processes");
  await redis.set("{metrics}:processes", "a text");
  await reporter.report();
  t.regex(told[0] ?? "", /WRONGTYPE/);
  const read = await reporter.readAll();
  t.deepEqual(
    read.map(({ labels }) => labels.process_id),
    ["refused"],
    "a process shows itself even if other reports cannot be read",
  );
  t.is(told.length, 2);
  await redis.del("{metrics}:processes");
  await reporter.stop();
});

test.serial("a process reports at its start, at its intervals and when Redis reconnects, until it stops", async (t) => {
  const redis = own.system.redis.duplicate();
  t.teardown(() => redis.disconnect());
  const metrics = createMetrics();
  let snapshots = 0;
  const counting = {
    ...metrics,
    takeSnapshot: () => {
      snapshots += 1;
      return metrics.takeSnapshot();
    },
  };
  const labels = { process: "item", process_id: "reports" } as const;
  const faults: string[] = [];
  const onError = (error: Error) => void faults.push(error.message);
  const reporter = startReporter({ metrics: counting, redis, labels, now: later(0), onError, intervalMs: 3_600_000 });
  t.is(snapshots, 1, "the slot is taken, even if Redis is not reached yet");
  const members = () => own.system.redis.zrange("{metrics}:processes", "0", "-1");
  await eventually("it is stored", async () => (await members()).includes("item.reports"));
  t.is(snapshots, 2);
  await reporter.stop();
  t.deepEqual(await members(), []);
  const often = startReporter({ metrics: counting, redis, labels, now: later(0), onError, intervalMs: 5 });
  await eventually("the report is stored again and again", async () => snapshots >= 6);
  await often.stop();
  const before = snapshots;
  await setTimeout(30);
  t.is(snapshots, before);
  const ended = once(redis, "end");
  redis.disconnect();
  await ended;
  await often.stop();
  await often.report();
  t.deepEqual(faults, [], "nothing is sent to an unreachable Redis");
});
