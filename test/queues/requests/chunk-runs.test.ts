import test from "ava";
import fc from "fast-check";
import { consecutiveRuns, inOrder } from "../../../queues/requests/chunk-runs.ts";

const placed = (store: string, number: number, index: number) => ({ store, number, index });

test("chunks are ordered by store, then by request number, then by position in the request", (t) => {
  const sorted = [
    placed("t/a/s/1", 2, 0),
    placed("t/a/s/1", 2, 1),
    placed("t/a/s/1", 10, 0),
    placed("t/a/s/2", 1, 3),
    placed("t/b/s/1", 1, 0),
  ];
  t.deepEqual(sorted.toReversed().sort(inOrder), sorted);
  t.deepEqual([2, 0, 4, 3, 1].map((at) => sorted[at] ?? placed("", 0, 0)).sort(inOrder), sorted);
});

const runs: [what: string, chunks: ReturnType<typeof placed>[], lengths: number[]][] = [
  ["an empty list has no runs", [], []],
  ["consecutive chunks of one request are one run", [0, 1, 2].map((index) => placed("a", 1, index)), [3]],
  ["a run ends before a missing chunk", [0, 2, 3].map((index) => placed("a", 1, index)), [1, 2]],
  ["a run may begin in the middle of a request", [5, 6].map((index) => placed("a", 1, index)), [2]],
  ["two requests are two runs", [placed("a", 1, 0), placed("a", 2, 1)], [1, 1]],
  ["requests of two stores are two runs", [placed("a", 1, 0), placed("b", 1, 1)], [1, 1]],
];
for (const [what, chunks, lengths] of runs)
  test(what, (t) => {
    const found = consecutiveRuns(chunks);
    t.deepEqual(
      found.map(({ length }) => length),
      lengths,
    );
    t.deepEqual(found.flat(), chunks);
  });

test("whatever the reading order, no chunk is applied before an earlier one of its request, and none is lost", (t) => {
  const chunk = fc.record({
    store: fc.constantFrom("t/a/s/1", "t/a/s/10", "t/b/s/1"),
    number: fc.integer({ min: 1, max: 3 }),
    index: fc.integer({ min: 0, max: 4 }),
  });
  const all = fc.uniqueArray(chunk, { selector: ({ store, number, index }) => `${store} ${number} ${index}` });
  fc.assert(
    fc.property(all, (chunks) => {
      const applied = consecutiveRuns(chunks.toSorted(inOrder)).flat();
      t.is(applied.length, chunks.length);
      const last = new Map<string, number>();
      for (const { store, number, index } of applied) {
        const place = number * 10 + index;
        t.true((last.get(store) ?? -1) < place);
        last.set(store, place);
      }
    }),
  );
});
