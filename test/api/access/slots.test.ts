import { setImmediate as turn } from "node:timers/promises";
import test from "ava";
import { BusyError, createSlots } from "../../../api/access/slots.ts";

/** Returns tasks that run until the test resolves them. */
function works() {
  const started: { end(): void; fail(): void }[] = [];
  const work = () =>
    new Promise<void>((resolve, reject) => {
      started.push({ end: resolve, fail: () => reject(new Error("it failed")) });
    });
  return { started, work };
}

test("a limited number of tasks run concurrently; the others follow in order", async (t) => {
  const { started, work } = works();
  const inTurn = createSlots(2, 10);
  const order: number[] = [];
  const all = [0, 1, 2, 3].map((index) =>
    inTurn(async () => {
      order.push(index);
      await work();
    }),
  );
  await turn();
  t.is(started.length, 2);
  started[1]?.end();
  await all[1];
  await turn();
  t.is(started.length, 3);
  started[0]?.end();
  await all[0];
  await turn();
  t.is(started.length, 4);
  for (const one of started) one.end();
  await Promise.all(all);
  t.deepEqual(order, [0, 1, 2, 3]);
});

test("a task beyond the limit is refused without disturbing the others", async (t) => {
  const { started, work } = works();
  const inTurn = createSlots(1, 1);
  const first = inTurn(work);
  const second = inTurn(work);
  await t.throwsAsync(inTurn(work), { instanceOf: BusyError });
  started[0]?.end();
  await first;
  await turn();
  started[1]?.end();
  await second;
  const third = inTurn(work);
  await turn();
  started[2]?.end();
  await t.notThrowsAsync(third);
});

test("a task that fails frees its slot for the next", async (t) => {
  const { started, work } = works();
  const inTurn = createSlots(1, 1);
  const first = inTurn(work);
  const second = inTurn(work);
  await turn();
  started[0]?.fail();
  await t.throwsAsync(first, { message: "it failed" });
  await turn();
  started[1]?.end();
  await t.notThrowsAsync(second);
});
