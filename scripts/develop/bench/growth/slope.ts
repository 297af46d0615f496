import { storeKey } from "../../../../schemas/keys.ts";
import { STORE_ID, TENANT_ID } from "../../../demo/catalogue.ts";
import type { DemoStack } from "../../../demo/with-stack.ts";
import { openBenchSystem } from "../open-system.ts";
import { printRow, spentBetween, usageOfProcesses } from "../report.ts";
import { copyLabels, shownAt } from "./copy-labels.ts";
import { createPrices, expectPictures } from "./measure.ts";
import { openQuotas } from "./quotas.ts";
import { makeOriginals } from "./store-of-copies.ts";

const LABEL_TYPE = "1328";
const ORIGINALS = 20;
const LABELS = 1_500;
/** Numbers of processes of each worker. */
const COUNTS = [1, 2, 4];
/** Share of one core for each process of a worker. */
const QUOTA = 0.1;
const MIN_SLOPE = 0.85;
/** Each of four processes gets a quarter of the work and must be warm too. */
const WARM_UP_ROUNDS = 6;
/** Parts of the stack that are not multiplied. */
const UNLIMITED: readonly string[] = ["label-server", "web"];

interface Measured {
  count: number;
  /** Labels per second under the quota. */
  rate: number;
  /** CPU seconds of the busiest process. With its quota, the list takes at least ten times as long. */
  busiest: number;
}

/**
 * Measures how throughput, from a price list to acknowledged pictures, grows with the number of processes of each worker. Each
 * process has a quota of a tenth of a core, so that neither the machine nor the databases are the limit. On a machine that does
 * other work, only the second row for each number is meaningful. It shows how much less CPU the busiest process takes.
 */
export async function benchSlope(
  database: string,
  withStack: (workerProcesses: number, work: (demo: DemoStack) => Promise<void>) => Promise<void>,
): Promise<void> {
  const all: Measured[] = [];
  for (const count of COUNTS)
    await withStack(count, async (demo) => {
      const { rate, busiest } = await measureUnderQuota(demo, database);
      process.stdout.write(
        `     ${count} of each worker: ${rate.toFixed(0)} labels a second, the busiest takes ${busiest.toFixed(2)} CPU seconds of ${LABELS}\n`,
      );
      all.push({ count, rate, busiest });
    });
  const [one, ...others] = all;
  if (one === undefined) return;
  for (const { count, rate, busiest } of others) {
    const row = { against: `${count} times one of each`, unit: "labels", minRatio: MIN_SLOPE };
    printRow({ what: `${count} of each worker, by time`, rate, baseline: one.rate * count, ...row });
    const [labels, baseline] = [LABELS / busiest, (count * LABELS) / one.busiest];
    printRow({ what: `${count} of each worker, by CPU of the busiest`, rate: labels, baseline, ...row });
  }
}

async function measureUnderQuota(demo: DemoStack, database: string): Promise<Omit<Measured, "count">> {
  const system = openBenchSystem(demo, database);
  const world = { demo, system, store: storeKey(TENANT_ID, STORE_ID), mongoPid: undefined };
  const labels = Array.from({ length: LABELS }, (_, index) => shownAt(index, LABEL_TYPE));
  const originals = labels.slice(0, ORIGINALS);
  const nextPrice = createPrices();
  await makeOriginals(world, originals, nextPrice, 1);
  await copyLabels(system.db, world.store, originals, labels.slice(ORIGINALS));
  const limited = demo.stack.processes.filter(({ name }) => !UNLIMITED.includes(name));
  const change = async (): Promise<Omit<Measured, "count">> => {
    const read = () => usageOfProcesses(limited.map(({ name, pid }) => [name, pid()] as const));
    const before = read();
    const untilShown = await expectPictures(world, labels);
    const began = performance.now();
    await demo.client.patchItems(labels.map(({ itemId }) => ({ itemId, price: nextPrice() })));
    await untilShown();
    const rate = (1_000 * LABELS) / (performance.now() - began);
    return { rate, busiest: Math.max(...spentBetween(before, read()).map(({ cpu }) => cpu)) };
  };
  // Warms up before the quota applies, so that compilation does not count.
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) await change();
  const quotas = openQuotas();
  for (const running of limited) quotas.limit(running.pid() ?? 0, QUOTA);
  const measured = await change();
  await system.close();
  await Promise.all(demo.stack.processes.map((running) => running.stop()));
  quotas.close();
  return measured;
}
