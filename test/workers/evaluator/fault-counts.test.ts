import test from "ava";
import { createFaultCounts } from "../../../workers/evaluator/fault-counts.ts";

const cheap = { id: "cheap", name: "Cheap" };
const late = { id: "late", name: "Late" };

test("faults are counted by pack and scenario, most frequent first, without the items' values", (t) => {
  const { count, take } = createFaultCounts();
  for (const scenario of [cheap, late, late]) count("pack 1", scenario);
  count("pack 2", late);
  t.deepEqual(take(), [
    {
      pack: "pack 1",
      evaluations: 3,
      scenarios: [
        { ...late, evaluations: 2 },
        { ...cheap, evaluations: 1 },
      ],
    },
    { pack: "pack 2", evaluations: 1, scenarios: [{ ...late, evaluations: 1 }] },
  ]);
});

test("each count is returned only once", (t) => {
  const { count, take } = createFaultCounts();
  count("pack 1", cheap);
  take();
  t.deepEqual(take(), []);
});

test("20 of many scenarios are named, and all are counted", (t) => {
  const { count, take, total } = createFaultCounts();
  for (let at = 0; at < 100; at += 1) count("pack 1", { id: `${at}`, name: `${at}` });
  const [reports] = take();
  t.is(reports?.evaluations, 100);
  t.is(reports?.scenarios.length, 20);
  t.is(total(), 100);
});
