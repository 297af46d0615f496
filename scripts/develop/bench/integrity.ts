import type { Db } from "mongodb";
import { links } from "../../../records/kinds/links.ts";
import type { IntegrityReport } from "../../../schemas/integrity.ts";
import { keysUnder, linkKey, storeKey } from "../../../schemas/keys.ts";
import { STORE_ID, TENANT_ID } from "../../demo/catalogue.ts";
import { hangLabels, proveLabels } from "../../demo/hang-labels.ts";
import { manyLabels } from "../../demo/many-labels.ts";
import type { DemoStack } from "../../demo/with-stack.ts";
import { openBenchSystem } from "./open-system.ts";
import { median, printUsage, usageOf } from "./report.ts";

const LABELS = 100_000;
/** Labels in the small reports, which warm up everything. Their memory is compared with that of the large report. */
const FEW_LABELS = 10_000;
/** Labels with a newer link, in the last report. */
const BEHIND = 5_000;
const ROUNDS = 3;
const MAX_SECONDS = 2;
const MAX_GROWTH_MB = 100;

/** Time from hanging this bench's labels to the audit that checks them, as is usual in a store. */
const PROVEN_AFTER_MS = 3_600_000;

/** Requests the integrity report for 100,000 labels. Prints its duration, and how much the memory of `web` grew. */
export async function benchIntegrity(demo: DemoStack, database: string): Promise<void> {
  const { stack, token } = demo;
  const system = openBenchSystem(demo, database);
  const labels = manyLabels(LABELS, new Date(), ["OK"]);
  const store = storeKey(TENANT_ID, STORE_ID);
  const address = `${stack.origin}/t/${TENANT_ID}/api/management/v1/stores/${STORE_ID}/integrity`;
  const report = async (expected: number, behind = 0): Promise<number> => {
    const began = performance.now();
    const answer = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    const { labels, upToDate } = (await answer.json()) as IntegrityReport;
    if (labels !== expected || upToDate !== expected - behind)
      throw new Error(`${upToDate} of ${labels} labels are up to date`);
    return (performance.now() - began) / 1000;
  };
  const peak = () => usageOf(stack).find(({ name }) => name === "web")?.peak ?? 0;

  await proveLabels(system.records, store, new Date(Date.now() + PROVEN_AFTER_MS));
  await hangLabels(system.records, store, labels.slice(0, FEW_LABELS));
  for (let round = 0; round < LABELS / FEW_LABELS; round += 1) await report(FEW_LABELS);
  const small = peak();
  await hangLabels(system.records, store, labels.slice(FEW_LABELS));
  await firstOf(() => report(LABELS));
  const before = usageOf(stack);
  const seconds: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) seconds.push(await report(LABELS));
  printUsage(before, usageOf(stack));
  const middle = median(seconds);
  const growth = peak() - small;
  print(middle <= MAX_SECONDS, `${middle.toFixed(2)} s (at most ${MAX_SECONDS})`, "time");
  print(
    growth <= MAX_GROWTH_MB,
    `${growth.toFixed(0)} MB (at most ${MAX_GROWTH_MB})`,
    `growth of web's memory over one of ${FEW_LABELS}`,
  );
  await relink(system.db, store);
  await system.close();
  await report(LABELS, BEHIND);
  print(true, `${(await report(LABELS, BEHIND)).toFixed(2)} s`, `time where ${BEHIND} labels are behind`);
}

/** Writes links that no worker has processed yet. */
async function relink(db: Db, store: string): Promise<void> {
  const all = db.collection<{ _id: string; rev: number }>(links.name);
  const some = await all
    .find({ _id: keysUnder(linkKey(store, "")) }, { projection: { _id: 1 }, limit: BEHIND })
    .toArray();
  await all.updateMany({ _id: { $in: some.map(({ _id }) => _id) } }, { $set: { rev: Date.now() } });
}

const print = (isKept: boolean, figure: string, what: string): void =>
  void process.stdout.write(`${isKept ? "ok  " : "MISS"} ${figure}  integrity report of ${LABELS} labels: ${what}\n`);

/** Repeats work that may fail at first, because the database is still busy: it has written nine tenths of the store. */
async function firstOf(work: () => Promise<unknown>, attempts = 10): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (attempt === attempts) throw error;
    }
  }
}
