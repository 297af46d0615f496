import test from "ava";
import { casesToTry, isThorough, sampleOf, sayTried } from "./effort.ts";
import { inOrders } from "./orders.ts";
import type { Gate } from "./turns.ts";

const cases = Array.from({ length: 100 }, (_, index) => index);
const some = (sample: Parameters<typeof sampleOf<number>>[1]) => sampleOf(cases, sample);

test("a sample has its size and keeps the order of all cases; it contains the first case, the last, and those that are always tried", (t) => {
  const tried = some({ size: 10, always: (one) => one === 41 || one === 42 });
  t.is(tried.length, 10);
  t.deepEqual([tried[0], tried.at(-1)], [0, 99]);
  t.true(tried.includes(41) && tried.includes(42));
  t.deepEqual(
    tried,
    tried.toSorted((one, other) => one - other),
  );
  t.is(
    some({ size: 1, always: (one) => one === 41 }).length,
    3,
    "the sample's size does not exclude a case that is always tried",
  );
});

test("a sample is the same in each run, and differs for another seed", (t) => {
  t.deepEqual(some({ size: 10 }), some({ size: 10 }));
  t.notDeepEqual(some({ size: 10, seed: 2 }), some({ size: 10, seed: 3 }));
});

test("a thorough run tries all cases, and so does a sample that is large enough", (t) => {
  t.deepEqual(some({ size: 100 }), cases);
  t.is(casesToTry(t, cases, { size: 10 }, "cases").length, isThorough ? 100 : 10);
});

test("a search reports how many of its cases it tried", (t) => {
  const said: unknown[] = [];
  const context = { log: (text: unknown) => said.push(text) } as unknown as typeof t;
  sayTried(context, 10, 100, "histories");
  sayTried(context, 100, 100, "histories");
  t.deepEqual(said, ["10 of 100 histories; --thorough tries all", "all 100 histories"]);
});

/** Interleaves two functions that each read and write a count twice; returns the orders that ran and the final counts. */
async function playWorks(sample?: Parameters<typeof inOrders>[2]) {
  const said: string[] = [];
  const orders: string[] = [];
  let count = 0;
  const counted: number[] = [];
  const work = async (gate: Gate) => {
    for (let times = 0; times < 2; times += 1) {
      await gate({ kind: "count", writes: false });
      const before = count;
      await gate({ kind: "count", writes: true });
      count = before + 1;
    }
  };
  const scenario = {
    prepare: async () => {
      count = 0;
    },
    works: [work, work],
    check: async (order: readonly number[]) => {
      orders.push(order.join(""));
      counted.push(count);
    },
  };
  const log = Object.assign((text: string) => void said.push(text), { skip: () => {} });
  const tried = await inOrders({ log }, scenario, sample);
  return { said, orders, counted, tried };
}

test("two functions run one after the other in both orders, and interleaved in orders that lose a write", async (t) => {
  const { said, orders, counted, tried } = await playWorks();
  t.is(new Set(orders).size, tried);
  t.is(orders[0], "00001111");
  t.true(orders.includes("11110000"));
  t.is(counted[0], 4);
  t.true(counted.some((count) => count < 4));
  if (isThorough) t.regex(said.join(), /^all \d+ orders$/);
  else t.regex(said.join(), /^8 of \d+ orders or more; --thorough tries all$/);
});

test("an order that failed once is always tried", async (t) => {
  const { orders } = await playWorks({ size: 2, always: ["01010101"] });
  t.true(orders.includes("01010101"));
});
