import test from "ava";
import fc from "fast-check";
import { allKinds } from "../../records/all-kinds.ts";
import { type Change, ChangeBatch, topics, urgencyOf } from "../../schemas/topics.ts";
import type { Urgency } from "../../schemas/urgency.ts";
import { compileCheck } from "../../schemas/validate.ts";

const urgency = fc.constantFrom<Urgency>("interactive", "bulk");

test("a batch is as urgent as its most urgent change", (t) => {
  fc.assert(
    fc.property(fc.array(urgency), (classes) => {
      const expected = classes.includes("interactive") ? "interactive" : "bulk";
      t.is(urgencyOf(classes.map((given) => ({ urgency: given }))), expected);
    }),
  );
});

test("an empty batch is not urgent", (t) => {
  t.is(urgencyOf([]), "bulk");
});

test("a topic is named after the record kind that changes", async (t) => {
  const names = (await allKinds()).map(({ name }) => name);
  for (const topic of topics) t.true(names.includes(topic), topic);
});

test("a topic is listed once", (t) => {
  t.is(new Set(topics).size, topics.length);
});

test("a job carries at least one change, and only complete changes", (t) => {
  const check = compileCheck(ChangeBatch);
  const change: Change = { key: "t/a/s/b/items/1", rev: 1, operation: "UPDATED", changed: ["price"], urgency: "bulk" };
  t.deepEqual(check({ changes: [change] }), []);
  t.is(check({ changes: [] }).length, 1);
  for (const name of Object.keys(change)) {
    t.deepEqual(check({ changes: [{ ...change, [name]: undefined }] }).length > 0, true, name);
  }
  t.is(check({ changes: [{ ...change, operation: "MOVED" }] }).length, 1);
  t.is(check({ changes: [{ ...change, urgency: "soon" }] }).length, 1);
});
