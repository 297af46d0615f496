import { setImmediate } from "node:timers/promises";
import test from "ava";
import fc from "fast-check";
import { createBatcher } from "../../../runtime/batch/batcher.ts";
import { createTurns } from "../../../runtime/batch/turns.ts";

interface Entry {
  tenant: string;
  store: string;
  index: number;
}
const ownersOf = ({ tenant, store }: Entry): string[] => [tenant, store];

/** Returns entries in the order in which they are taken; "A1" is an entry of tenant A and its store A1. */
function inTurns(names: readonly string[]): string {
  const turns = createTurns((name: string) => [name.slice(0, 1), name]);
  for (const name of names) turns.add(name);
  const taken = names.map(() => turns.take());
  return taken.join(" ");
}

for (const [what, came, taken] of [
  ["one owner's entries keep their order", "A1 A1 A1", "A1 A1 A1"],
  ["tenants take turns", "A1 A1 A1 B1 C1", "A1 B1 C1 A1 A1"],
  ["stores of a tenant take turns", "A1 A1 A1 A2 A2", "A1 A2 A1 A2 A1"],
  ["a tenant has one turn, however many stores it has", "A1 A2 A3 B1 B1", "A1 B1 A2 B1 A3"],
] as const) {
  test(what, (t) => t.is(inTurns(came.split(" ")), taken));
}

const entries = fc.array(fc.record({ tenant: fc.constantFrom("A", "B", "C"), store: fc.constantFrom("1", "2", "3") }), {
  maxLength: 30,
});
/** Each step takes an entry (true) or adds the next one (false). */
const steps = fc.array(fc.boolean(), { maxLength: 60 });

/** Asserts that before each owner's first entry at most one entry of each other owner is taken. */
function assertNoneWaitsForTwo(taken: readonly { entry: Entry; waiting: Entry[] }[], of: (entry: Entry) => string) {
  const passed = new Map<string, Map<string, number>>();
  for (const { entry, waiting } of taken) {
    passed.delete(of(entry));
    for (const other of new Set(waiting.map(of))) {
      if (other === of(entry)) continue;
      const counts = passed.get(other) ?? new Map<string, number>();
      passed.set(other, counts);
      const count = (counts.get(of(entry)) ?? 0) + 1;
      counts.set(of(entry), count);
      if (count > 1) throw new Error(`${other} waits for ${count} entries of ${of(entry)}`);
    }
  }
}

test("no owner waits for more than one entry of each other owner at its level, whenever entries arrive", (t) => {
  fc.assert(
    fc.property(entries, steps, (all, plan) => {
      const turns = createTurns<Entry>(ownersOf);
      const toCome = all.map((entry, index) => ({ ...entry, index }));
      let waiting: Entry[] = [];
      const taken: { entry: Entry; waiting: Entry[] }[] = [];
      const take = () => {
        const peeked = turns.peek();
        const entry = turns.take();
        if (entry === undefined || entry !== peeked) return false;
        taken.push({ entry, waiting: waiting.filter((other) => other !== entry) });
        waiting = waiting.filter((other) => other !== entry);
        return true;
      };
      for (const isTaking of [...plan, ...all.map(() => false)]) {
        const next = isTaking ? undefined : toCome.shift();
        if (next === undefined) take();
        else {
          turns.add(next);
          waiting.push(next);
        }
      }
      while (take());
      assertNoneWaitsForTwo(taken, ({ tenant }) => tenant);
      for (const own of Map.groupBy(taken, ({ entry }) => entry.tenant).values()) {
        const inTenant = own.map((step) => ({
          ...step,
          waiting: step.waiting.filter(({ tenant }) => tenant === step.entry.tenant),
        }));
        assertNoneWaitsForTwo(inTenant, ({ store }) => store);
      }
      const byOwner = Map.groupBy(taken, ({ entry }) => ownersOf(entry).join("/"));
      for (const own of byOwner.values()) {
        const indexes = own.map(({ entry }) => entry.index);
        t.deepEqual(
          indexes,
          indexes.toSorted((a, b) => a - b),
        );
      }
      return taken.length === all.length;
    }),
  );
  t.pass();
});

test("owners take turns in filling a batch, and the next batch continues with the next owner", async (t) => {
  const batches: string[][] = [];
  const gate = Promise.withResolvers<void>();
  const load = createBatcher<string, void>({
    weigh: () => 1,
    maxWeight: 3,
    ownersOf: (name) => [name.slice(0, 1)],
    async run(batch) {
      batches.push([...batch]);
      await gate.promise;
      return batch.map(() => undefined);
    },
  });
  const all = ["A0", "A1", "A2", "A3", "A4", "B1", "B2", "B3"].map(load);
  await setImmediate();
  gate.resolve();
  await Promise.all(all);
  t.deepEqual(batches, [["A0"], ["A1", "B1", "A2"], ["B2", "A3", "B3"], ["A4"]]);
});
