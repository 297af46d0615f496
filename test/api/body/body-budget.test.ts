import test from "ava";
import { createBodyBudget } from "../../../api/body/body-budget.ts";
import { bodyLimits } from "../../../api/body/body-limits.ts";

const busy = { name: "ProblemError", message: /^Too many large bodies/ };

test("an owner can use at most its share, and regains it when its calls end", (t) => {
  const budget = createBodyBudget({ total: 100, share: 40 });
  const [one, other] = [budget.begin("a"), budget.begin("a")];
  one.add(30);
  t.throws(() => other.add(11), busy);
  other.add(10);
  one.free();
  other.add(30);
  other.free();
  const later = budget.begin("a");
  t.notThrows(() => later.add(40));
});

test("a refused body reserves nothing, and a finished call releases what it reserved", (t) => {
  const budget = createBodyBudget({ total: 100, share: 40 });
  const call = budget.begin("a");
  t.throws(() => call.add(41), busy);
  call.add(40);
  call.free();
  call.free();
  t.throws(() => call.add(1), busy);
  t.notThrows(() => budget.begin("b").add(40));
});

test("however many owners use all they can, a small body of another owner still fits", (t) => {
  const budget = createBodyBudget(bodyLimits.inWork);
  for (let owner = 0; owner < 10; owner += 1) {
    const held = budget.begin(`hostile ${owner}`);
    for (let step = bodyLimits.inWork.total; step >= 1; step /= 2) {
      try {
        for (;;) held.add(step);
      } catch {
        // Takes as much as the budget allows, down to the byte.
      }
    }
  }
  t.notThrows(() => budget.begin("another").add(40_000));
});

test("the largest accepted body fits into its owner's share", (t) => {
  const { json, inWork } = bodyLimits;
  t.notThrows(() => {
    const held = createBodyBudget(inWork).begin("a");
    held.add(json.maxBytes);
    held.add(json.maxValues * inWork.bytesPerValue);
  });
});
