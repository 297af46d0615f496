import { writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { Redis } from "ioredis";
import { describeDatabase } from "../../../../records/indexes.ts";
import { storeKey } from "../../../../schemas/keys.ts";
import { STORE_ID, TENANT_ID } from "../../../demo/catalogue.ts";
import type { DemoStack } from "../../../demo/with-stack.ts";
import { onFreePort } from "../../../start/ports.ts";
import { obtainSecrets } from "../../../start/secrets.ts";
import { startMongo } from "../../../start/servers.ts";
import { openBenchSystem } from "../open-system.ts";
import { copyLabels, shownAt } from "./copy-labels.ts";
import { type Cpu, createPrices, measureChange, measureCheckIns, measureIdle, scaled, sumOf } from "./measure.ts";
import { auditOf, makeOriginals, measureDocuments, type Stored } from "./store-of-copies.ts";

/** The cost of a store of one size, in CPU seconds by process. */
export interface OfSize {
  labels: number;
  /** Number of price changes that each label has had. Each change has made the label's state larger. */
  changes: number;
  /** One hour without any activity. */
  idle: Cpu;
  /** 1,000 price changes, in one list and in separate calls. */
  list: Cpu;
  urgent: Cpu;
}

/** The results of `npm run bench -- growth`, which `npm run scale` uses. */
export interface GrowthFigures {
  measuredOn: string;
  processor: string;
  database: string;
  sizes: OfSize[];
  /** An audit of 1,000 labels, and check-ins of 1,000 labels. */
  audit: Cpu;
  checkIns: Cpu;
  documents: Record<string, Stored>;
  /** Redis memory, idle and peak. */
  redis: { idle: number; peak: number };
}

interface GrowthOrder {
  folder: string;
  database: string;
  sizes: readonly number[];
  /** Number of price changes that each label has had. */
  changes: number;
  /** File for the figures. */
  out?: string | undefined;
  withStack(mongoUrl: string, work: (demo: DemoStack) => Promise<void>): Promise<void>;
}

const LABEL_TYPE = "1328";
/** Labels that go through the pipeline. All others are copies of them. */
const ORIGINALS = 20;
const LIST_ROWS = 1_000;
const URGENT_CALLS = 300;
/** Indexes of a million labels would not fit into the stand-in's usual memory. */
const JAVA = ["-Xmx8g", "-XX:+UseSerialGC"];

/**
 * Measures what a change, an idle hour, an audit and a check-in cost as a store grows. Larger stores are copies of labels that
 * went through the pipeline. An audit of the first size shows that the copies are consistent.
 */
export async function benchGrowth({ folder, database, sizes, changes, out, withStack }: GrowthOrder): Promise<void> {
  const mongo = await onFreePort((port) => startMongo(port, folder, undefined, JAVA));
  await withStack(mongo.url, async (demo) => {
    const system = openBenchSystem(demo, database);
    const store = storeKey(TENANT_ID, STORE_ID);
    const world = { demo, system, store, mongoPid: mongo.pid() };
    const originals = Array.from({ length: ORIGINALS }, (_, index) => shownAt(index, LABEL_TYPE));
    const nextPrice = createPrices();
    await makeOriginals(world, originals, nextPrice, changes);
    const documents = await measureDocuments(system.db, store, originals);
    const figures: GrowthFigures = {
      measuredOn: new Date().toISOString().slice(0, 10),
      processor: cpus()[0]?.model ?? "",
      database: await describeDatabase(system.db),
      ...{ sizes: [], audit: {}, checkIns: {}, documents, redis: { idle: 0, peak: 0 } },
    };
    const labels = [...originals];
    for (const size of sizes) {
      const copies = Array.from({ length: size - labels.length }, (_, index) =>
        shownAt(labels.length + index, LABEL_TYPE),
      );
      await copyLabels(system.db, store, originals, copies);
      labels.push(...copies);
      if (figures.sizes.length === 0) figures.audit = scaled(await auditOf(world), 1_000 / size);
      const idle = await measureIdle(world);
      const order = { idle, nextPrice, warmUp: figures.sizes.length === 0 ? 5 : 1 };
      const list = await measureChange(world, labels, { ...order, sending: "list", count: LIST_ROWS });
      const urgent = await measureChange(world, labels, { ...order, sending: "each", count: URGENT_CALLS });
      figures.sizes.push({ labels: size, changes, idle, list, urgent });
      if (figures.sizes.length === 1) {
        const secret = obtainSecrets(folder).labelServer;
        figures.checkIns = await measureCheckIns(world, labels.slice(-LIST_ROWS), secret, idle);
      }
      figures.redis = await memoryOf(demo.stack.redis.url);
      print(figures.sizes);
      // Written after each size, because the next size takes longer.
      if (out) await writeFile(out, `${JSON.stringify(figures, null, 2)}\n`);
    }
    if (!out) process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
    await system.close();
  });
  await mongo.stop();
}

function print(sizes: readonly OfSize[]): void {
  const [before, now] = [sizes.at(-2), sizes.at(-1)];
  if (now === undefined) return;
  for (const what of ["list", "urgent"] as const) {
    const growth = before && sumOf(now[what]) / sumOf(before[what]) - 1;
    const against = growth === undefined ? "" : `, ${(growth * 100).toFixed(0)} % more than at ${before?.labels}`;
    process.stdout.write(
      `     ${now.labels} labels: ${sumOf(now[what]).toFixed(2)} CPU seconds a thousand (${what})${against}\n`,
    );
  }
  process.stdout.write(`     ${now.labels} labels: ${sumOf(now.idle).toFixed(0)} CPU seconds an idle hour\n`);
}

async function memoryOf(url: string): Promise<GrowthFigures["redis"]> {
  const redis = new Redis(url);
  const info = await redis.info("memory");
  redis.disconnect();
  const bytes = (field: string) => Number(new RegExp(`^${field}:(\\d+)`, "m").exec(info)?.[1]);
  return { idle: bytes("used_memory"), peak: bytes("used_memory_peak") };
}
