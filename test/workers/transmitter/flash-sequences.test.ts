import { randomUUID } from "node:crypto";
import test from "ava";
import { beginSequence, LEASE_MS, stopSequence } from "../../../domain/labels/advance-sequence.ts";
import { createEnqueueOrders, type EnqueueOrders, type FlashToQueue } from "../../../queues/orders/enqueue-orders.ts";
import { labelStates } from "../../../records/kinds/labels.ts";
import { flashSequences } from "../../../records/kinds/work.ts";
import { openRunningSequences } from "../../../records/labels/running-sequences.ts";
import type { FlashSequence } from "../../../schemas/flash-sequence.ts";
import type { LabelOrder } from "../../../schemas/jobs.ts";
import { flashSequenceKey, labelKey } from "../../../schemas/keys.ts";
import { newLabelState } from "../../../schemas/label-state.ts";
import { createFlashSequences } from "../../../workers/transmitter/flash-sequences.ts";
import { ownSystem } from "../../harness/own.ts";
import { at } from "./states.ts";

const own = ownSystem();
const LEASE = LEASE_MS / 1000;
const DURATION = 60;

/** A sequence over the labels A and B in a separate store, and processes that advance it. */
async function scene() {
  const { records, commit, db } = own.system;
  const store = `t/${randomUUID()}/s/main`;
  const key = flashSequenceKey(store, "picking");
  const clock = { now: at(0) };
  const labelOf = (barcode: string) => ({
    ...{ barcode, hasButton: true, transceivers: ["T1"] },
    flash: { duration: DURATION, color: "GREEN" as const, flashType: 50 as const },
  });
  const steps = ["A", "B"].map((barcode) => ({ barcode, labels: [labelOf(barcode)] }));
  const begun = beginSequence({ advance: "button", steps }, () => undefined, clock.now);
  await commit.change(flashSequences, [key], () => begun, "bulk");

  const sent: [string, number][] = [];
  let drawn = 0;
  const newestOrders = { draw: async () => ++drawn, note: async () => {} };
  const take = async (orders: readonly FlashToQueue[]): Promise<boolean> => {
    const ofStore = orders.filter((order) => order.store === store);
    sent.push(...ofStore.map(({ barcode, body }): [string, number] => [barcode, body.duration]));
    return true;
  };
  const processWith = (enqueueOrders: EnqueueOrders) =>
    createFlashSequences({
      ...{ records, commit, running: openRunningSequences(db), now: () => clock.now },
      ...{ drawNumber: newestOrders.draw, enqueueOrders },
    });
  /** A process whose orders go to `enqueue`. */
  const process = (enqueue: (orders: readonly FlashToQueue[]) => Promise<boolean> = take) =>
    processWith((...[kind, orders]) => enqueue(kind === "flash" ? orders : []));
  const read = async (): Promise<FlashSequence | undefined> => (await records.read(flashSequences, [key])).get(key);
  const press = (barcode: string, seconds: number) =>
    commit.change(
      labelStates,
      [labelKey(store, barcode)],
      (_, state) => ({ ...(state ?? newLabelState()), press: { button: 1, at: at(seconds) } }),
      "bulk",
    );
  return { key, clock, sent, take, newestOrders, processWith, process, read, press, store };
}

test.serial("a press sends an end for its label and a flash for the next label, and counts only once", async (t) => {
  const { key, clock, sent, process, read, press, store } = await scene();
  const { continueSequences, continuePressed } = process();
  await continueSequences([key]);
  t.deepEqual(sent.splice(0), [["A", DURATION]]);
  clock.now = at(7);
  await press("A", 6);
  await continuePressed([labelKey(store, "A")]);
  t.deepEqual(sent.splice(0), [
    ["A", 0],
    ["B", DURATION],
  ]);
  t.like(await read(), { step: 1, litAt: at(7), due: at(7 + DURATION), toStop: [] });
  await continuePressed([labelKey(store, "A"), labelKey(store, "elsewhere")]);
  t.deepEqual(sent, []);
});

test.serial("orders that Redis rejects are sent once it accepts them", async (t) => {
  const { key, clock, sent, process, read } = await scene();
  await process(async () => false).continueSequences([key]);
  t.like(await read(), { step: 0, due: at(LEASE) });
  clock.now = at(LEASE);
  await process().continueDue();
  t.deepEqual(sent, [["A", DURATION]]);
  t.like(await read(), { litAt: at(LEASE), due: at(LEASE + DURATION) });
});

test.serial("if a process is killed before it sends a step's orders, another process sends them", async (t) => {
  const { key, clock, sent, process, read, press, store } = await scene();
  await process().continueSequences([key]);
  sent.splice(0);
  await press("A", 1);
  const killed = process(async () => {
    throw new Error("killed");
  });
  await t.throwsAsync(killed.continuePressed([labelKey(store, "A")]), { message: "killed" });
  const other = process();
  await other.continueDue();
  t.deepEqual(sent, []);
  clock.now = at(LEASE);
  await other.continueDue();
  t.deepEqual(sent, [
    ["A", 0],
    ["B", DURATION],
  ]);
  t.like(await read(), { step: 1, litAt: at(LEASE) });
});

test.serial("if two processes see the same press, only one advances the sequence", async (t) => {
  const { key, sent, process, read, press, store } = await scene();
  const processes = [process(), process()];
  await processes[0]?.continueSequences([key]);
  sent.splice(0);
  await press("A", 1);
  await Promise.all(processes.map(({ continuePressed }) => continuePressed([labelKey(store, "A")])));
  t.deepEqual(sent.toSorted(), [
    ["A", 0],
    ["B", DURATION],
  ]);
  t.like(await read(), { step: 1 });
});

test.serial("if a sequence is stopped while its step's orders are being sent, these orders are ended", async (t) => {
  const { key, clock, sent, take, process, read } = await scene();
  const { commit } = own.system;
  const stopping = process(async (orders) => {
    await commit.change(flashSequences, [key], (_, current) => current && stopSequence(current, clock.now), "bulk");
    return take(orders);
  });
  await stopping.continueSequences([key]);
  await process().continueDue();
  t.deepEqual(sent, [
    ["A", DURATION],
    ["A", 0],
  ]);
  const { state, toStop, due } = (await read()) ?? {};
  t.deepEqual([state, toStop, due], ["stopped", [], undefined]);
});

test.serial("if a sequence ends before an earlier step's orders are sent, the end has the larger number", async (t) => {
  const { key, clock, newestOrders, processWith } = await scene();
  const { commit } = own.system;
  const queued: LabelOrder[] = [];
  const publisher = {
    isReady: () => true,
    enqueue: async (_: string, jobs: readonly { data: unknown }[]) =>
      queued.push(...jobs.map(({ data }) => data as LabelOrder)) > 0,
  };
  const enqueueOrders = createEnqueueOrders(publisher, newestOrders);
  const slow = processWith(async (...call) => {
    await commit.change(flashSequences, [key], (_, current) => current && stopSequence(current, clock.now), "bulk");
    await processWith(enqueueOrders).continueSequences([key]);
    return enqueueOrders(...call);
  });
  await slow.continueSequences([key]);
  const ordered = queued.map(({ barcode, number, body }) => ({ barcode, number, duration: body.duration }));
  t.deepEqual(ordered, [
    { barcode: "A", number: 2, duration: 0 },
    { barcode: "A", number: 1, duration: DURATION },
  ]);
});

test.serial("without a press each step times out, the next begins, and the last ends the sequence", async (t) => {
  const { clock, sent, process, read } = await scene();
  const { continueDue } = process();
  for (const seconds of [0, DURATION, 2 * DURATION]) {
    clock.now = at(seconds);
    await continueDue();
  }
  t.deepEqual(
    (await read())?.steps.map(({ result }) => result),
    ["timed out", "timed out"],
  );
  t.deepEqual(sent, [
    ["A", DURATION],
    ["A", 0],
    ["B", DURATION],
    ["B", 0],
  ]);
  t.like(await read(), { state: "finished", endedAt: at(2 * DURATION) });
});
