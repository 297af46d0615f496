import test from "ava";
import fc from "fast-check";
import { answerOf } from "../../../../scripts/develop/load/caller.ts";
import { nextRead } from "../../../../scripts/develop/load/observe.ts";
import { priceOf } from "../../../../scripts/develop/load/prices.ts";

test("a refusal is counted by its problem type, or as one without a problem document", (t) => {
  const problem = { type: "https://shelfwire.example/problems/too-many-requests", status: 429 };
  t.deepEqual(answerOf(429, JSON.stringify(problem)), { status: 429, problem: "too-many-requests", body: problem });
  t.deepEqual(answerOf(502, "<html>"), { status: 502, problem: "no problem document", body: undefined });
  t.deepEqual(answerOf(202, '{"requestId":7}'), { status: 202, body: { requestId: 7 } });
  t.deepEqual(answerOf(204, ""), { status: 204, body: undefined });
});

test("a result is read again after half of the time waited so far, but after at least 50 ms and at most 5 s", (t) => {
  t.deepEqual([0, 50, 600, 6_000, 60_000].map(nextRead), [50, 50, 300, 3_000, 5_000]);
});

test("each change to an item has a different price, as a string with two decimals", (t) => {
  fc.assert(
    fc.property(fc.nat(2_000_000_000), fc.nat(2_000), fc.nat(20_000), (start, store, label) => {
      const prices = [0, 1, 2, 3].map((change) => priceOf(start, { store, label, change }));
      t.is(new Set(prices).size, 4);
      for (const price of prices) t.regex(price, /^\d{1,3}\.\d\d$/);
      // A run that begins a minute later begins with a price that this run does not have.
      t.false(prices.includes(priceOf(start + 60, { store, label, change: 1 })));
    }),
    { numRuns: 100 },
  );
  t.pass();
});
