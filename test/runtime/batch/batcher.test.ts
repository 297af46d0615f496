import { setImmediate } from "node:timers/promises";
import test from "ava";
import fc from "fast-check";
import { createBatcher } from "../../../runtime/batch/batcher.ts";

interface Entry {
  index: number;
  weight: number;
}
const weigh = ({ weight }: Entry): number => weight;
const weights = fc.array(fc.integer({ min: 0, max: 8 }), { minLength: 1, maxLength: 20 });
const limits = fc.integer({ min: 1, max: 12 });

/** A gate whose `wait` resolves once it is opened. */
const createGate = () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { wait: promise, open: resolve };
};

test("however entries arrive, one batch runs at a time within the weight limit, and each entry runs once, in order", async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), weights, limits, async (scheduler, heavy, limit) => {
      const batches: Entry[][] = [];
      const arrived: number[] = [];
      let running = 0;
      const load = createBatcher<Entry, number>({
        weigh,
        maxWeight: limit,
        async run(entries) {
          running += 1;
          t.is(running, 1);
          batches.push([...entries]);
          await scheduler.schedule(Promise.resolve());
          running -= 1;
          return entries.map(({ index }) => index * 2);
        },
      });
      const results = heavy.map(async (weight, index) => {
        await scheduler.schedule(Promise.resolve());
        arrived.push(index);
        return load({ index, weight });
      });
      await scheduler.waitFor(Promise.all(results));

      t.deepEqual(
        await Promise.all(results),
        heavy.map((_, index) => index * 2),
      );
      t.deepEqual(
        batches.flat().map(({ index }) => index),
        arrived,
      );
      for (const batch of batches) {
        const weight = batch.reduce((sum, entry) => sum + entry.weight, 0);
        t.true(batch.length === 1 || (batch.length > 1 && weight <= limit), `${weight} > ${limit}`);
      }
    }),
  );
});

test("a failed batch rejects only its own entries", async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), weights, limits, fc.nat({ max: 19 }), async (scheduler, heavy, limit, poison) => {
      const failed = new Set<number>();
      const load = createBatcher<Entry, number>({
        weigh,
        maxWeight: limit,
        async run(entries) {
          await scheduler.schedule(Promise.resolve());
          const indexes = entries.map(({ index }) => index);
          if (!indexes.includes(poison)) return indexes;
          for (const index of indexes) failed.add(index);
          throw new Error("poison");
        },
      });
      const results = heavy.map(async (weight, index) => {
        await scheduler.schedule(Promise.resolve());
        return load({ index, weight });
      });
      await scheduler.waitFor(Promise.allSettled(results));

      for (const [index, outcome] of (await Promise.allSettled(results)).entries()) {
        t.is(outcome.status, failed.has(index) ? "rejected" : "fulfilled");
      }
      t.is(failed.has(poison), poison < heavy.length);
    }),
  );
});

/** Adds entries while a first batch runs; returns the batches that follow it. */
async function batchesAfterFirst(entries: readonly Entry[], limit: number): Promise<number[][]> {
  const gate = createGate();
  const batches: number[][] = [];
  const load = createBatcher<Entry, void>({
    weigh,
    maxWeight: limit,
    async run(batch) {
      batches.push(batch.map(({ index }) => index));
      await gate.wait;
      return batch.map(() => undefined);
    },
  });
  const all = [{ index: -1, weight: 1 }, ...entries].map(load);
  await setImmediate();
  gate.open();
  await Promise.all(all);
  return batches.slice(1);
}

test("the first entry does not wait for others", async (t) => {
  const batches: number[] = [];
  const load = createBatcher<Entry, void>({
    weigh,
    maxWeight: 10,
    async run(batch) {
      batches.push(batch.length);
      return [undefined];
    },
  });
  await load({ index: 0, weight: 1 });
  t.deepEqual(batches, [1]);
});

test("entries that arrive while a batch runs form the next batch", async (t) => {
  const entries = [0, 1, 2, 3].map((index) => ({ index, weight: 1 }));
  t.deepEqual(await batchesAfterFirst(entries, 10), [[0, 1, 2, 3]]);
});

test("a batch is filled up to its maximum weight", async (t) => {
  const entries = [3, 3, 4, 4, 2, 5].map((weight, index) => ({ index, weight }));
  t.deepEqual(await batchesAfterFirst(entries, 10), [[0, 1, 2], [3, 4], [5]]);
});

test("an entry heavier than a batch is a batch of its own", async (t) => {
  const entries = [1, 99, 1].map((weight, index) => ({ index, weight }));
  t.deepEqual(await batchesAfterFirst(entries, 10), [[0], [1], [2]]);
});

test("a run that throws synchronously fails its batch, and the next batch runs", async (t) => {
  let calls = 0;
  const load = createBatcher<Entry, string>({
    weigh,
    maxWeight: 10,
    run() {
      calls += 1;
      if (calls === 1) throw new Error("at once");
      return Promise.resolve(["fine"]);
    },
  });
  await t.throwsAsync(load({ index: 0, weight: 1 }), { message: "at once" });
  t.is(await load({ index: 1, weight: 1 }), "fine");
});

test("when a batcher closes, waiting and later entries receive the given result immediately, and the running batch ends", async (t) => {
  const { wait, open } = createGate();
  const closing = new AbortController();
  const load = createBatcher<string, string>({
    weigh: () => 1,
    maxWeight: 1,
    closing: { signal: closing.signal, result: "given back" },
    async run(entries) {
      await wait;
      return entries.map(() => "done");
    },
  });
  const [first, second] = [load("first"), load("second")];
  closing.abort();
  t.is(await second, "given back");
  t.is(await load("third"), "given back");
  open();
  t.is(await first, "done");
});
