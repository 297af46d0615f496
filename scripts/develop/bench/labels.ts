import { labels } from "../../../records/kinds/labels.ts";
import { storeKey } from "../../../schemas/keys.ts";
import { STORE_ID, TENANT_ID } from "../../demo/catalogue.ts";
import { hangLabels } from "../../demo/hang-labels.ts";
import { manyLabels } from "../../demo/many-labels.ts";
import type { DemoStack } from "../../demo/with-stack.ts";
import { openBenchSystem } from "./open-system.ts";
import { printRow } from "./report.ts";

const LABELS = 100_000;
const PAGE_SIZE = 20_000;
const ROUNDS = 3;

/**
 * Reads pages of 20,000 of 100,000 labels. Compares the last page with the first, and the first with a bare read of the same
 * records.
 */
export async function benchLabels(demo: DemoStack, database: string): Promise<void> {
  const { base, token } = demo;
  const system = openBenchSystem(demo, database);
  await hangLabels(system.records, storeKey(TENANT_ID, STORE_ID), manyLabels(LABELS, new Date()));
  const page = (start: number) =>
    secondsOf(async () => {
      const headers = { authorization: `Bearer ${token}` };
      await (await fetch(`${base}/labels?limit=${PAGE_SIZE}&start=${start}`, { headers })).arrayBuffer();
    });
  const bare = () =>
    secondsOf(async () => {
      JSON.stringify(await system.db.collection(labels.name).find({}).limit(PAGE_SIZE).toArray());
    });
  const seconds = { first: 0, last: 0, bare: 0 };
  await page(0);
  for (let round = 0; round < ROUNDS; round += 1) {
    seconds.first += await page(0);
    seconds.last += await page(LABELS - PAGE_SIZE);
    seconds.bare += await bare();
  }
  await system.close();
  const rateOf = (time: number): number => (ROUNDS * PAGE_SIZE) / time;
  const row = { unit: "labels", rate: rateOf(seconds.last), baseline: rateOf(seconds.first) };
  printRow({ ...row, what: `last page of ${PAGE_SIZE} of ${LABELS} labels`, against: "the first page", minRatio: 0.5 });
  printRow({
    what: `first page of ${PAGE_SIZE} of ${LABELS} labels, with states and links`,
    against: "bare find of the label records alone, as JSON",
    unit: "labels",
    rate: rateOf(seconds.first),
    baseline: rateOf(seconds.bare),
    minRatio: 0.05,
  });
}

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}
