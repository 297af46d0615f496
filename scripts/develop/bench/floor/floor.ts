import { setTimeout } from "node:timers/promises";
import pLimit from "p-limit";
import { labelStates } from "../../../../records/kinds/labels.ts";
import type { ItemPatch } from "../../../../schemas/item.ts";
import type { LabelState } from "../../../../schemas/label-state.ts";
import type { DemoStack } from "../../../demo/with-stack.ts";
import { drawWanted, type Wanted } from "../../chaos/wanted-pictures.ts";
import { forgetApplied, openBenchSystem } from "../open-system.ts";
import { storeAndShow } from "../price-list.ts";
import { median, printRow, printUsage, spentBetween, type Usage, usageOf } from "../report.ts";
import type { Sending } from "./bare-chain.ts";
import { openBareChain } from "./bare-side.ts";

const LABELS = 1_000;
const LABEL_TYPE = 1328;
const WARM_UP_ROUNDS = 5;
const ROUNDS = 5;
/** Simultaneous calls, as many as Shelfwire makes to the label server. */
const CALLS = 16;
const POLL_INTERVAL_MS = 250;
/** Time to wait after the last acknowledgement, because the deletions and publications after it are part of the change. */
const SETTLE_MS = 2_000;
/** The emulated labels are outside both programs. */
const OUTSIDE = "label-server";
/** Shelfwire may take twice as many CPU seconds as the floor. */
const MIN_RATIO = 0.5;

/**
 * Measures the CPU seconds that all processes, MongoDB and Redis use for 1,000 acknowledged labels, and compares them with a
 * program that draws and sends the same pictures but makes only a label's four durable writes. The two run alternately; the
 * medians of five runs are compared.
 */
export async function benchFloor(demo: DemoStack, list: readonly ItemPatch[], database: string, folder: string) {
  const items = list.slice(0, LABELS);
  await storeAndShow(demo.client, items, demo.stack.emulator);
  const system = openBenchSystem(demo, database);
  const states = system.db.collection<LabelState>(labelStates.name);
  const bare = await openBareChain(items, folder);
  let round = 0;

  /** Resolves once each label shows the requested picture and its acknowledgement is written. */
  async function shelfwire(sending: Sending, rows: readonly ItemPatch[], wanted: readonly Wanted[]): Promise<void> {
    const since = new Date();
    if (sending === "list") await demo.client.patchItems(rows);
    else await pLimit(CALLS).map(rows, (row) => demo.client.patchItems([row]));
    while ((await othersThan(wanted, demo.stack.emulator)) > 0) await setTimeout(POLL_INTERVAL_MS);
    while ((await states.countDocuments({ "shown.deliveredAt": { $gte: since } })) < rows.length)
      await setTimeout(POLL_INTERVAL_MS);
    await setTimeout(SETTLE_MS);
  }

  for (const sending of ["list", "each"] as const) {
    const spent: Record<"shelfwire" | "bare", Usage[][]> = { shelfwire: [], bare: [] };
    for (let count = 0; count < WARM_UP_ROUNDS + ROUNDS; count += 1) {
      round += 1;
      const rows = pricesOf(items, round);
      const wanted = await drawWanted(
        items.map((item, index) => ({ ...item, ...rows[index] })),
        LABEL_TYPE,
      );
      await forgetApplied(system);
      const ours = await spentDuring(
        () => usageOf(demo.stack),
        () => shelfwire(sending, rows, wanted),
      );
      const theirs = await spentDuring(bare.usage, () => bare.change(sending, rows));
      const others = await othersThan(wanted, bare.emulator);
      if (others > 0) throw new Error(`the bare program sent another picture to ${others} labels`);
      process.stderr.write(
        `${sending} ${count}: ${totalOf(ours).toFixed(2)} against ${totalOf(theirs).toFixed(2)} CPU seconds\n`,
      );
      if (count < WARM_UP_ROUNDS) continue;
      spent.shelfwire.push(ours);
      spent.bare.push(theirs);
    }
    print(sending, spent);
  }
  await bare.close();
  await system.close();
}

/** Returns a new price for each item in each round, so that no picture has been drawn before. */
const pricesOf = (items: readonly ItemPatch[], round: number): ItemPatch[] =>
  items.map(({ itemId }, index) => ({ itemId, price: (1 + ((index * 37 + round * 101) % 9_000) / 100).toFixed(2) }));

async function spentDuring(read: () => Usage[], work: () => Promise<void>): Promise<Usage[]> {
  const before = read();
  await work();
  return spentBetween(before, read());
}

const totalOf = (usages: readonly Usage[]): number =>
  usages.filter(({ name }) => name !== OUTSIDE).reduce((sum, { cpu }) => sum + cpu, 0);

function print(sending: Sending, { shelfwire, bare }: Record<"shelfwire" | "bare", readonly Usage[][]>): void {
  const [ours, theirs] = [shelfwire.map(totalOf), bare.map(totalOf)];
  const ratios = ours.map((cpu, index) => (cpu / (theirs[index] ?? 0)).toFixed(2));
  for (const one of [shelfwire, bare]) printUsage([], middleOf(one));
  process.stdout.write(
    `     CPU seconds of ${LABELS} labels: ${median(ours).toFixed(2)} against ${median(theirs).toFixed(2)}, ` +
      `${(median(ours) / median(theirs)).toFixed(2)} times as much (rounds: ${ratios.join(", ")})\n`,
  );
  printRow({
    what: `${LABELS} prices ${sending === "list" ? "as one list" : "in a call each"} to acknowledged pictures, by CPU seconds`,
    against: "drawing, sending and four durable writes a label",
    rate: LABELS / median(ours),
    baseline: LABELS / median(theirs),
    unit: "labels",
    minRatio: MIN_RATIO,
  });
}

/** Returns the round whose total is the median. */
const middleOf = (rounds: readonly Usage[][]): Usage[] =>
  rounds.toSorted((one, other) => totalOf(one) - totalOf(other))[rounds.length >> 1] ?? [];

/** Returns how many labels do not show the requested picture. */
async function othersThan(wanted: readonly Wanted[], emulator: string): Promise<number> {
  const { glass } = (await (await fetch(`${emulator}/emulator/glass`)).json()) as { glass: Record<string, string> };
  return wanted.filter(({ barcode, sha256 }) => glass[barcode] !== sha256).length;
}
