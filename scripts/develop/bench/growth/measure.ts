import { setTimeout } from "node:timers/promises";
import pLimit from "p-limit";
import type { System } from "../../../../queues/system.ts";
import { labelStates } from "../../../../records/kinds/labels.ts";
import { labelKey } from "../../../../schemas/keys.ts";
import type { LabelState } from "../../../../schemas/label-state.ts";
import type { DemoStack } from "../../../demo/with-stack.ts";
import { forgetApplied } from "../open-system.ts";
import { median, spentBetween, type Usage, usageOf, usageOfProcesses } from "../report.ts";
import type { Shown } from "./copy-labels.ts";

/** CPU seconds by process. */
export type Cpu = Record<string, number>;

/** What the growth benches need for their measurements. */
export interface GrowthWorld {
  demo: DemoStack;
  system: System;
  store: string;
  /** The id of the MongoDB process. */
  mongoPid: number | undefined;
}

const ROUNDS = 3;
const CALLS = 16;
const POLL_INTERVAL_MS = 250;
/** How long to wait after the last report, because the deletions and publications that follow it are part of the change. */
const SETTLE_MS = 3_000;
const IDLE_MS = 60_000;
const HOUR_MS = 3_600_000;

export const sumOf = (cpu: Cpu): number => Object.values(cpu).reduce((sum, seconds) => sum + seconds, 0);

/** Returns the CPU seconds of all processes in an hour without any activity. */
export async function measureIdle(world: GrowthWorld): Promise<Cpu> {
  const cpu = await spentDuring(world, () => setTimeout(IDLE_MS));
  return scaled(cpu, HOUR_MS / IDLE_MS);
}

/**
 * Returns the CPU seconds for 1,000 labels from the call to the acknowledged picture, minus what the processes would have used
 * when idle. This is the median of three rounds. The labels are spread over the store.
 */
export async function measureChange(
  world: GrowthWorld,
  labels: readonly Shown[],
  order: { sending: "list" | "each"; count: number; warmUp: number; idle: Cpu; nextPrice(): string },
): Promise<Cpu> {
  const { sending, count, warmUp, idle, nextPrice } = order;
  const rounds: Cpu[] = [];
  for (let round = 0; round < warmUp + ROUNDS; round += 1) {
    const chosen = Array.from({ length: count }, (_, index) => {
      const place = Math.floor(((index + (round + 1) / (warmUp + ROUNDS + 1)) * labels.length) / count);
      return labels[place] as Shown;
    });
    const rows = chosen.map(({ itemId }) => ({ itemId, price: nextPrice() }));
    await forgetApplied(world.system);
    const began = performance.now();
    const cpu = await spentDuring(world, async () => {
      const untilShown = await expectPictures(world, chosen);
      if (sending === "list") await world.demo.client.patchItems(rows);
      else await pLimit(CALLS).map(rows, (row) => world.demo.client.patchItems([row]));
      await untilShown();
      await setTimeout(SETTLE_MS);
    });
    const hours = (performance.now() - began) / HOUR_MS;
    const beyondIdle = Object.entries(cpu).map(([name, spent]) => [name, spent - (idle[name] ?? 0) * hours] as const);
    if (round >= warmUp) rounds.push(scaled(Object.fromEntries(beyondIdle), 1_000 / count));
  }
  const middle = median(rounds.map(sumOf));
  return rounds.find((cpu) => sumOf(cpu) === middle) ?? {};
}

/** Returns the CPU seconds for 1,000 check-in reports. */
export async function measureCheckIns(
  world: GrowthWorld,
  labels: readonly Shown[],
  secret: string,
  idle: Cpu,
): Promise<Cpu> {
  const { stack } = world.demo;
  const began = performance.now();
  const cpu = await spentDuring(world, async () => {
    const at = new Date().toISOString();
    const reports = labels.map(({ barcode }) => ({
      ...{ store: world.store, barcode, kind: "check-in", at },
      battery: "OK",
    }));
    const answer = await fetch(`${stack.origin}/label-server/v1/reports`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${secret}` },
      body: JSON.stringify({ reports }),
    });
    if (!answer.ok) throw new Error(`the reports were answered with ${answer.status}: ${await answer.text()}`);
    await setTimeout(2 * SETTLE_MS);
  });
  const hours = (performance.now() - began) / HOUR_MS;
  const beyondIdle = Object.entries(cpu).map(([name, spent]) => [name, spent - (idle[name] ?? 0) * hours] as const);
  return scaled(Object.fromEntries(beyondIdle), 1_000 / labels.length);
}

/**
 * Waits for the reports at the label server, and then for the states of these labels by their keys. Any other query would
 * read all labels of the store on a server without indexes.
 */
export async function expectPictures({ demo, system, store }: GrowthWorld, labels: readonly Shown[]) {
  const since = new Date();
  const summary = async () =>
    (await (await fetch(`${demo.stack.emulator}/emulator/summary`)).json()) as {
      received: number;
      waitingReports: number;
    };
  const { received } = await summary();
  const states = system.db.collection<LabelState & { _id: string }>(labelStates.name);
  const filter = {
    _id: { $in: labels.map(({ barcode }) => labelKey(store, barcode)) },
    "shown.deliveredAt": { $gte: since },
  };
  return async () => {
    for (let now = await summary(); now.received < received + labels.length || now.waitingReports > 0; ) {
      await setTimeout(POLL_INTERVAL_MS);
      now = await summary();
    }
    while ((await states.countDocuments(filter)) < labels.length) await setTimeout(POLL_INTERVAL_MS);
  };
}

export async function spentDuring(world: GrowthWorld, work: () => Promise<void>): Promise<Cpu> {
  const read = (): Usage[] => [...usageOf(world.demo.stack), ...usageOfProcesses([["mongodb", world.mongoPid]])];
  const before = read();
  await work();
  const cpu: Cpu = {};
  // The emulated labels are outside Shelfwire.
  for (const { name, cpu: spent } of spentBetween(before, read()).filter((usage) => usage.name !== "label-server"))
    cpu[name] = (cpu[name] ?? 0) + spent;
  return cpu;
}

export const scaled = (cpu: Cpu, factor: number): Cpu =>
  Object.fromEntries(Object.entries(cpu).map(([name, spent]) => [name, Number((spent * factor).toFixed(3))]));

/** Returns a new price at each call, so that no picture has been drawn before. */
export function createPrices(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return (count / 100).toFixed(2);
  };
}
