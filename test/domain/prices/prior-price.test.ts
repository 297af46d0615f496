import test from "ava";
import fc from "fast-check";
import { charge } from "../../../domain/prices/charge.ts";
import { keepPrice, pricesIn } from "../../../domain/prices/keep-price.ts";
import { PERIOD_MS, priorPeriodOf } from "../../../domain/prices/prior-price.ts";
import type { Charged, PriorPriceRules } from "../../../schemas/charged.ts";
import type { Item } from "../../../schemas/item.ts";

const DAY = 24 * 3_600_000;

/** A price that takes effect at a time; if undefined, the item is deleted then. */
interface Step {
  at: number;
  price: string | undefined;
}

/** Returns the stored price history after these prices have been charged one after another. */
function chargeAll(steps: readonly Step[], rules: PriorPriceRules = {}): Charged | undefined {
  let was: string | undefined;
  let charged: Charged | undefined;
  for (const { at, price } of steps) {
    charged = charge(charged, { was, price }, { at, rules });
    was = price;
  }
  return charged;
}

/** Prices by day: `[0, "100"]` is 100 from day 0. */
const byDays = (...prices: [day: number, price: string][]): Step[] =>
  prices.map(([day, price]) => ({ at: day * DAY, price }));

/**
 * Returns the lowest price in the period before the reductions that led to the last price, computed from the whole
 * history.
 */
function slowModel(steps: readonly Step[], { progressive, newGoodsDays }: PriorPriceRules): string | undefined {
  const changes = steps.filter(({ price }, index) => price !== steps[index - 1]?.price);
  const periods = changes.map(({ at, price }, index) => ({ from: at, until: changes[index + 1]?.at, price }));
  let begin = periods.length - 1;
  const falls = (index: number) => Number(periods[index]?.price) < Number(periods[index - 1]?.price);
  while (progressive && falls(begin) && falls(begin - 1) && at(periods, begin) - at(periods, begin - 1) <= PERIOD_MS)
    begin -= 1;
  const start = at(periods, begin);
  const isNew = start - at(periods, 0) < PERIOD_MS;
  const length = isNew && newGoodsDays !== undefined ? newGoodsDays * DAY : PERIOD_MS;
  const charged = periods.slice(0, begin).filter(({ until = 0 }) => until > start - length);
  return charged
    .flatMap(({ price }) => price ?? [])
    .toSorted((a, b) => Number(a) - Number(b))
    .at(0);
}

const at = (periods: readonly { from: number }[], index: number): number => periods[index]?.from ?? 0;

const anySteps = fc
  .array(
    fc.record({
      days: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constantFrom(0.01, 29, 30, 31, 40)),
      price: fc.oneof(
        { weight: 9, arbitrary: fc.integer({ min: 50, max: 70 }).map((cents) => (cents / 10).toFixed(2)) },
        { weight: 1, arbitrary: fc.constant(undefined) },
      ),
    }),
    { minLength: 1, maxLength: 25 },
  )
  .map((steps) => {
    let time = 0;
    const later = steps.map(({ days, price }) => {
      time += days * DAY;
      return { at: time, price };
    });
    return [{ at: 0, price: "6.00" }, ...later];
  });

const anyRules: fc.Arbitrary<PriorPriceRules> = fc.record(
  { progressive: fc.boolean(), newGoodsDays: fc.integer({ min: 1, max: 30 }) },
  { requiredKeys: [] },
);

test("a slow model returns the same prior price, for random histories and any rules", (t) => {
  fc.assert(
    fc.property(anySteps, anyRules, (steps, rules) => {
      t.is(chargeAll(steps, rules)?.prior, slowModel(steps, rules));
    }),
    { numRuns: 500 },
  );
});

test("with more rises than are stored, the prior price may be too low but never too high", (t) => {
  const rises = Array.from({ length: 80 }, (_, index): Step => ({ at: index * DAY * 0.5, price: String(100 + index) }));
  const charged = chargeAll([...rises, { at: 40 * DAY, price: "50" }]);
  t.true((charged?.before.length ?? 0) <= 32);
  t.true(Number(charged?.prior) <= 120);
});

test("Commission, section 2.1: 50 % off is measured against the price of 100 three weeks ago, not against the last price of 160", (t) => {
  const charged = chargeAll(byDays([0, "160"], [40, "100"], [47, "160"], [60, "50"]));
  t.is(charged?.prior, "100");
});

test("Commission, section 2.1: a second offer within 30 days of the first is measured against the price of the first", (t) => {
  const offers: [number, string][] = [
    [0, "10.00"],
    [50, "8.00"],
    [60, "10.00"],
  ];
  t.is(chargeAll(byDays(...offers, [75, "9.00"]))?.prior, "8.00");
  t.is(chargeAll(byDays(...offers, [91, "9.00"]))?.prior, "10.00");
});

test("Commission, section 4.3: uninterrupted reductions by 10, 20 and 30 % keep the price before the first, if the law allows it", (t) => {
  const sale = byDays([0, "100"], [60, "90"], [67, "80"], [74, "70"]);
  t.is(chargeAll(sale, { progressive: true })?.prior, "100");
  t.is(chargeAll(sale)?.prior, "80");
  const interrupted = byDays([0, "100"], [60, "90"], [67, "95"], [74, "70"]);
  t.is(chargeAll(interrupted, { progressive: true })?.prior, "90");
});

test("C-330/23: pineapples at 1.69 after a week at 1.69 are no reduction, however expensive they were in between", (t) => {
  const charged = chargeAll(byDays([0, "1.89"], [50, "1.69"], [60, "1.89"], [70, "1.69"]));
  t.is(charged?.prior, "1.69");
});

test("new goods may count fewer days if the store's rules say so", (t) => {
  const isNew = byDays([0, "5.00"], [5, "7.00"], [25, "6.00"]);
  t.is(chargeAll(isNew)?.prior, "5.00");
  t.is(chargeAll(isNew, { newGoodsDays: 14 })?.prior, "7.00");
});

test("text, zero, the same number in another form and a price without duration are not prices to measure against", (t) => {
  t.is(chargeAll(byDays([0, "10"], [40, "2 for 5"], [50, "8"]))?.prior, "10");
  t.is(chargeAll(byDays([0, "10"], [40, "0.00"], [50, "8"]))?.prior, "10");
  t.is(chargeAll(byDays([0, "10"], [40, "1"], [40, "9"]))?.prior, "10");
  const twice = chargeAll(byDays([0, "10"], [40, "8"], [45, "8.00"]));
  t.is(twice?.since, 40 * DAY);
});

test("an item whose price is older than its stored history is covered after 30 days", (t) => {
  const upgraded = charge(undefined, { was: "10", price: "8" }, { at: 0, rules: {} });
  t.is(upgraded?.prior, "10");
  t.false(upgraded && priorPeriodOf(upgraded, {}).isCovered);
  const later = charge(upgraded, { was: "8", price: "7" }, { at: 40 * DAY, rules: {} });
  t.true(later && priorPeriodOf(later, {}).isCovered);
});

test("a deletion does not hide a lower price, and each change adds one price to the history", (t) => {
  const bare = { itemId: "milk", sics: [], properties: [], stamps: {}, created: 1 };
  const keep = (before: Item | undefined, price: string | undefined, day: number): Item =>
    keepPrice<Item>(
      before,
      { ...bare, ...(price === undefined ? { deleted: true as const } : { price }) },
      moment(day),
    );
  const moment = (day: number) => ({ at: day * DAY, rules: {} });
  const cheap = keep(undefined, "5", 1);
  const gone = keep(cheap, undefined, 2);
  const again = keep(gone, "9", 3);
  const offer = keep(again, "8", 4);
  t.is(offer.charged?.prior, "5");
  const lines = [cheap, gone, again, offer].flatMap(({ prices }) => prices ?? []);
  t.deepEqual(
    pricesIn(lines).map(({ since, price }) => [since / DAY, price]),
    [
      [1, "5"],
      [2, undefined],
      [3, "9"],
      [4, "8"],
    ],
  );
});
