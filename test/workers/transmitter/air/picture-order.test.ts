import test from "ava";
import fc from "fast-check";
import { createOrder, TURNS_PER_OLDEST } from "../../../../workers/transmitter/air/picture-order.ts";

interface Waiting {
  name: string;
  size: number;
  isUrgent: boolean;
}
const open = () => createOrder<Waiting>({ isUrgent: ({ isUrgent }) => isUrgent, sizeOf: ({ size }) => size });
const named = (name: string, size = 100, isUrgent = false): Waiting => ({ name, size, isUrgent });

function orderOf(entries: readonly Waiting[]): string[] {
  const order = open();
  for (const entry of entries) order.add(entry);
  return entries.map(() => order.take()?.name ?? "");
}

test("urgent entries precede others, whatever their size", (t) => {
  t.deepEqual(orderOf([named("small", 1), named("urgent", 1_000_000, true)]), ["urgent", "small"]);
});

test("of equally urgent entries, small ones precede large ones", (t) => {
  t.deepEqual(orderOf([named("large", 9_000), named("small", 100)]), ["small", "large"]);
  t.deepEqual(orderOf([named("large", 9_000, true), named("small", 100, true)]), ["small", "large"]);
});

test("entries of similar size keep the order in which they were added", (t) => {
  t.deepEqual(orderOf([named("a", 120), named("b", 100), named("c", 110)]), ["a", "b", "c"]);
});

test("a large entry gets its turn even if small entries keep arriving", (t) => {
  const order = open();
  order.add(named("large", 1_000_000));
  const taken: string[] = [];
  for (let turn = 0; turn < TURNS_PER_OLDEST; turn += 1) {
    order.add(named("small", 1));
    taken.push(order.take()?.name ?? "");
  }
  t.true(taken.includes("large"), taken.join());
});

test("an entry added as the next one comes next, and taking all entries leaves none", (t) => {
  const order = open();
  order.add(named("a"));
  order.addFirst(named("next", 1_000_000));
  order.add(named("urgent", 100, true));
  t.deepEqual(
    order.takeAll().map(({ name }) => name),
    ["urgent", "next", "a"],
  );
  t.is(order.take(), undefined);
});

test("each entry is taken once, and waits for a limited number of turns of its urgency", (t) => {
  const sizes = fc.array(fc.tuple(fc.integer({ min: 0, max: 2_000_000 }), fc.boolean()), {
    maxLength: 100,
    size: "max",
  });
  fc.assert(
    fc.property(sizes, (given) => {
      const entries = given.map(([size, isUrgent], index) => named(String(index), size, isUrgent));
      const order = orderOf(entries);
      t.deepEqual(
        order.toSorted((a, b) => Number(a) - Number(b)),
        entries.map(({ name }) => name),
      );
      for (const isUrgent of [true, false]) {
        const same = entries.filter((entry) => entry.isUrgent === isUrgent).map(({ name }) => name);
        const turns = order.filter((name) => same.includes(name));
        for (const [older, name] of same.entries())
          t.true(turns.indexOf(name) < TURNS_PER_OLDEST * (older + 1), `${name} in ${turns.join()}`);
      }
    }),
    { numRuns: 200 },
  );
});
