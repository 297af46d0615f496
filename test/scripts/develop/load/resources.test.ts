import test from "ava";
import { parseMetrics, resourcesOf } from "../../../../scripts/develop/load/resources.ts";

const page = (...lines: string[]) => parseMetrics(["# HELP something", ...lines, ""].join("\n"));
const memory = (process: string, id: string, bytes: number) =>
  `process_resident_memory_bytes{process="${process}",process_id="${id}"} ${bytes}`;
const cpu = (process: string, id: string, seconds: number) =>
  `process_cpu_seconds_total{process="${process}",process_id="${id}"} ${seconds}`;

test("samples have names, labels and values", (t) => {
  t.deepEqual(page('shelfwire_queue_jobs{queue="item",state="waiting"} 3', "shelfwire_mongodb_up 1"), [
    { name: "shelfwire_queue_jobs", labels: { queue: "item", state: "waiting" }, value: 3 },
    { name: "shelfwire_mongodb_up", labels: {}, value: 1 },
  ]);
});

test("the memory of processes with the same name is added up, and every other metric in bytes is reported", (t) => {
  const pages = [
    page(memory("web", "a", 10), memory("web", "b", 20), "shelfwire_redis_memory_used_bytes 5"),
    page(memory("web", "a", 40), memory("web", "b", 30), "shelfwire_redis_memory_used_bytes 3"),
    page(memory("web", "a", 15), "shelfwire_redis_memory_max_bytes 9"),
  ];
  const { bytes, residentBytes } = resourcesOf(pages);
  t.deepEqual(bytes, {
    web: { first: 30, max: 70, last: 15 },
    shelfwire_redis_memory_used_bytes: { first: 5, max: 5, last: 3 },
  });
  t.deepEqual(residentBytes, [30, 70, 15]);
});

test("processor time covers only the run, including processes that restarted during it", (t) => {
  const pages = [
    page(cpu("web", "a", 100), cpu("item", "b", 7)),
    page(cpu("web", "a", 103), cpu("item", "c", 2)),
    page(cpu("web", "a", 104), cpu("item", "c", 5)),
  ];
  t.deepEqual(resourcesOf(pages).cpuSeconds, { web: 4, item: 5 });
});
