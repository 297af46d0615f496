import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MongoClient } from "mongodb";
import { mergeItem } from "../../domain/items/merge-item.ts";
import { readSettings } from "../../runtime/read-settings.ts";
import type { ItemPatch } from "../../schemas/item.ts";
import { hostileSends } from "../../test/api/http/hostile/hostile-sends.ts";
import { hostileUploads } from "../../test/api/images/hostile-uploads.ts";
import { type DemoStack, withDemoStack } from "../demo/with-stack.ts";
import { readItems } from "../operate/import/read-items.ts";
import { benchAir } from "./bench/air/air.ts";
import { benchAirMemory } from "./bench/air/air-memory.ts";
import { benchReports } from "./bench/air/reports.ts";
import { bareInserts, bareStages } from "./bench/bare-stages.ts";
import { benchCapacity } from "./bench/capacity.ts";
import { benchExpressions } from "./bench/expressions.ts";
import { benchFloor } from "./bench/floor/floor.ts";
import { benchFormation } from "./bench/formation.ts";
import { benchGrowth } from "./bench/growth/growth.ts";
import { benchIdleOperations } from "./bench/growth/idle-operations.ts";
import { benchSlope } from "./bench/growth/slope.ts";
import { benchHostile } from "./bench/hostile.ts";
import { benchIntegrity } from "./bench/integrity.ts";
import { benchItemChange } from "./bench/item-change.ts";
import { benchLabels } from "./bench/labels.ts";
import { benchKeystroke } from "./bench/pages/keystroke.ts";
import { benchShelf } from "./bench/pages/shelf.ts";
import { benchPatchOne } from "./bench/patch-one.ts";
import { storeAndShow, storeItems } from "./bench/price-list.ts";
import { benchRenderer, benchRendering, benchRenderMemory } from "./bench/rendering/render.ts";
import { benchScripts } from "./bench/rendering/scripts.ts";
import { median, printRow, printUsage, usageOf } from "./bench/report.ts";
import { benchSwitch } from "./bench/switch/switch.ts";
import { benchFairness } from "./bench/turns/fairness.ts";
import { benchUrgent } from "./bench/turns/urgent.ts";
import { readCommandLine } from "./command-line.ts";

/**
 * Measures speed relative to bare baselines in the same run (docs/architecture/development.md#performance-budget). Most rows
 * need the real price lists. Runs all rows, or the named ones: `npm run bench -- store`.
 */
const { arguments: namedRows, options } = readCommandLine("npm run bench --", {
  arguments: ["ROW..."],
  means: "measure speed relative to bare baselines in the same run: all rows, or the named ones",
  options: {
    labels: {
      takes: "N,N",
      initial: "10000,30000,100000",
      means: "growth: numbers of labels for which the store is measured",
    },
    changes: {
      takes: "N",
      initial: "50",
      means: "growth: price changes of each label so far; a full history has 50",
    },
    transmissions: { takes: "N", initial: "100000", means: "air-memory: number of pictures to send" },
    minutes: { takes: "N", initial: "600", means: "air-memory: maximum duration, even if fewer pictures are sent" },
    out: { takes: "FILE", means: "growth: file for the figures; printed if absent" },
  },
});
const database = "bench";
const withoutList = [
  "air",
  "air-memory",
  "expressions",
  "fairness",
  "growth",
  "hostile",
  "hostile-images",
  "idle",
  "integrity",
  "item-change",
  "keystroke",
  "reports",
  "shelf",
  "slope",
  "switch",
];
const list = `${readSettings(["SHELFWIRE_DATA"]).SHELFWIRE_DATA}/0204.csv`;
const isWithoutList = namedRows.length > 0 && namedRows.every((name) => withoutList.includes(name));

const withStack = (
  workerProcesses: number,
  work: (demo: DemoStack) => Promise<void>,
  more: { isSingle?: true; mongoUrl?: string; environment?: Record<string, string> } = {},
): Promise<void> =>
  withDemoStack(
    {
      dataFolder: folder,
      database,
      isKept: false,
      workerProcesses,
      ...more,
      // No rate limit, because the bench measures the speed of Shelfwire, not the limit of a token.
      environment: { LOG_LEVEL: "error", RATE_LIMIT: "0", TENANT_RATE_LIMIT: "0", ...more.environment },
      log: (text) => process.stderr.write(`${text}\n`),
    },
    work,
  );

/** Returns the same list with different ids, so that the measured list differs from the list that warms up the servers. */
const copyOf = (copy: string): ItemPatch[] =>
  priceList.map((item) => ({
    ...item,
    itemId: `${copy}${item.itemId}`,
    ...(item.sics && { sics: item.sics.map((sic) => `${copy}${sic}`) }),
  }));

/**
 * Measures lists and baselines alternately, so that the servers are equally warm for both. The first measurement of each does
 * not count.
 */
async function benchStoring({ stack, client }: DemoStack): Promise<void> {
  const mongo = new MongoClient(stack.mongo.url);
  const stored: number[] = [];
  const bare: number[] = [];
  let before = usageOf(stack);
  for (const copy of ["warm", "a", "b", "c"]) {
    const seconds = await storeItems(client, copyOf(copy));
    const items = await bareInserts(mongo, database, "storeitemvalues.v1", priceList.length);
    const assignments = await bareInserts(mongo, database, "sic", priceList.length);
    if (copy === "warm") {
      before = usageOf(stack);
      continue;
    }
    stored.push(seconds);
    bare.push(items + assignments);
  }
  printUsage(before, usageOf(stack));
  await mongo.close();
  printRow({
    what: `price list of ${priceList.length} items stored`,
    against: "bare bulkWrite of the same documents (items and SIC assignments)",
    rate: priceList.length / median(stored),
    baseline: priceList.length / median(bare),
    unit: "items",
    minRatio: 0.5,
  });
}

async function benchShowing({ stack, client }: DemoStack): Promise<void> {
  await storeAndShow(client, copyOf("a"), stack.emulator);
  const before = usageOf(stack);
  const seconds = await storeAndShow(client, copyOf("b"), stack.emulator);
  printUsage(before, usageOf(stack));
  const bare = await bareStages(stack.mongo.url, database);
  printRow({
    what: `price list of ${priceList.length} items to acknowledged pictures`,
    against: "the sum of the bare stages",
    rate: priceList.length / seconds,
    baseline: (2 * priceList.length) / bare,
    unit: "items",
    minRatio: 0.5,
  });
}

const benchItems = () => priceList.map((patch) => mergeItem(undefined, patch, 1, true));

const rows = {
  render: () => benchRendering(benchItems(), list).then(benchScripts),
  renderer: () => benchRenderer(benchItems()),
  accept: () => withStack(0, ({ stack, base, token }) => benchPatchOne({ base, token, redisUrl: stack.redis.url })),
  store: () => withStack(1, benchStoring),
  show: () => withStack(1, benchShowing),
  labels: () => withStack(0, (demo) => benchLabels(demo, database)),
  "item-change": () => withStack(0, (demo) => benchItemChange(demo, database)),
  integrity: () => withStack(0, (demo) => benchIntegrity(demo, database)),
  air: () => withStack(0, (demo) => benchAir(demo, database)),
  fairness: () => withStack(1, (demo) => benchFairness(demo, database)),
  urgent: () => withStack(1, (demo) => benchUrgent(demo, copyOf("a"))),
  expressions: benchExpressions,
  hostile: () => withStack(1, (demo) => benchHostile(demo, hostileSends)),
};
/** Rows that run only when they are named. They take minutes, need a browser, have no ratio, or are part of another row. */
const longRows = {
  reports: () => withStack(0, (demo) => benchReports(demo, database)),
  "hostile-images": () => withStack(1, (demo) => benchHostile(demo, hostileUploads)),
  "air-memory": () =>
    withStack(0, (demo) =>
      benchAirMemory(demo, database, {
        transmissions: Number(options.transmissions),
        minutes: Number(options.minutes),
      }),
    ),
  shelf: () => withStack(0, (demo) => benchShelf(demo, database)),
  keystroke: () => withStack(0, benchKeystroke),
  switch: () => withStack(1, (demo) => benchSwitch(demo, database)),
  growth: () =>
    benchGrowth({
      ...{
        folder,
        database,
        out: options.out,
        changes: Number(options.changes),
        sizes: options.labels.split(",").map(Number),
      },
      // An audit is measured separately and must not begin during another measurement.
      withStack: (mongoUrl, work) => withStack(1, work, { mongoUrl, environment: { AUDIT_EVERY: "86400" } }),
    }),
  idle: () =>
    benchIdleOperations(folder, (mongoUrl, work) =>
      withStack(1, work, { mongoUrl, environment: { AUDIT_EVERY: "86400" } }),
    ),
  slope: () => benchSlope(database, withStack),
  floor: () => withStack(1, (demo) => benchFloor(demo, priceList, database, folder)),
  capacity: () => withStack(1, (demo) => benchCapacity(demo, copyOf("a"), database)),
  "render-memory": () => benchRenderMemory(benchItems()),
  // First each part of Shelfwire in its own process, then all of them in one process.
  formation: async () => {
    await withStack(1, (demo) => benchFormation(demo, copyOf("a")));
    await withStack(1, (demo) => benchFormation(demo, copyOf("a")), { isSingle: true });
  },
};
const unknown = namedRows.filter((name) => !Object.hasOwn({ ...rows, ...longRows }, name));
if (unknown.length > 0) {
  process.stderr.write(
    `Unknown row ${unknown.join(", ")}: the rows are ${Object.keys({ ...rows, ...longRows }).join(", ")}.\n`,
  );
  process.exit(2);
}
const folder = await mkdtemp(join(tmpdir(), "shelfwire-bench-"));
const priceList = isWithoutList ? [] : await readItems(list);
for (const [name, measure] of Object.entries(rows))
  if (namedRows.length === 0 || namedRows.includes(name)) await measure();
for (const [name, measure] of Object.entries(longRows)) if (namedRows.includes(name)) await measure();
await rm(folder, { recursive: true });
