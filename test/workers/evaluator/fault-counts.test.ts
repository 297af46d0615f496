import test from "ava";
import { createFaultCounts } from "../../../workers/evaluator/fault-counts.ts";

const cheap = { id: "cheap", name: "Cheap" };
const late = { id: "late", name: "Late" };

test("faults are counted by pack and scenario, the most frequent first, each with its last error", (t) => {
  const { count, take } = createFaultCounts();
  count("pack 1", cheap, '"free" is no number');
  count("pack 1", late, "no timestamp");
  count("pack 1", late, "no timestamp at all");
  count("pack 2", late, "no timestamp");
  t.deepEqual(take(), [
    {
      pack: "pack 1",
      evaluations: 3,
      scenarios: [
        { ...late, evaluations: 2, error: "no timestamp at all" },
        { ...cheap, evaluations: 1, error: '"free" is no number' },
      ],
    },
    { pack: "pack 2", evaluations: 1, scenarios: [{ ...late, evaluations: 1, error: "no timestamp" }] },
  ]);
});

test("counts that were taken are not given again", (t) => {
  const { count, take } = createFaultCounts();
  count("pack 1", cheap, "a fault");
  take();
  t.deepEqual(take(), []);
});

test("of many scenarios 20 are named; all are counted", (t) => {
  const { count, take } = createFaultCounts();
  for (let at = 0; at < 100; at += 1) count("pack 1", { id: `${at}`, name: `${at}` }, "a fault");
  const [reports] = take();
  t.is(reports?.evaluations, 100);
  t.is(reports?.scenarios.length, 20);
});
