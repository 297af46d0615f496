import test from "ava";
import { createDealer } from "../../../../scripts/develop/bench/air/deal-pictures.ts";

const PICTURES = 200;
const LABELS = 500;

test("a label is never dealt its current picture, whichever labels are dealt pictures in between", (t) => {
  const deal = createDealer(PICTURES);
  const keys = Array.from({ length: LABELS }, (_, index) => `L${index}`);
  const last = new Map<string, number>();
  // All labels, with every twentieth and every seventh in between.
  for (const step of [1, 20, 1, 7, 1])
    for (const key of keys.filter((_, index) => index % step === 0)) {
      const dealt = deal(key);
      t.not(dealt, last.get(key));
      t.true(dealt >= 0 && dealt < PICTURES);
      last.set(key, dealt);
    }
});

test("labels that begin together are dealt different pictures", (t) => {
  const deal = createDealer(PICTURES);
  const dealt = Array.from({ length: PICTURES }, (_, index) => deal(`L${index}`));
  t.is(new Set(dealt).size, PICTURES);
});
