import test from "ava";
import fc from "fast-check";
import { byJump, type GuardedItem, type GuardedRow, tryGuards } from "../../../domain/guards/try-guards.ts";
import { guardText } from "../../../schemas/guard-notice.ts";
import type { PriceGuards } from "../../../schemas/price-guards.ts";

/** A Monday at ten by the store's clock. */
const now = new Date("2026-03-02T10:00:00+01:00");
const item = (itemId: string, price?: string, cost?: string): GuardedItem => ({
  itemId,
  ...(price !== undefined && { price }),
  properties: cost === undefined ? [] : [{ key: "cost", value: cost, stamp: 1 }],
});

function tried(
  guards: PriceGuards,
  rows: GuardedRow[],
  stored: GuardedItem[] = [item("A", "1.00", "0.80")],
  storeItems = 10,
) {
  const present = new Map(stored.map((one) => [one.itemId, one]));
  return tryGuards(guards, { rows, present, storeItems, timeZone: "Europe/Zagreb", now });
}

const cases: [rule: string, guards: PriceGuards, row: Partial<GuardedRow>, hits: string[]][] = [
  ["without guards everything passes", {}, { price: "-7 or so" }, []],
  ["a price must be a number", { number: true }, { price: "2 for 5" }, ['is "2 for 5", which is not a number']],
  ["a number passes", { number: true }, { price: "2.50" }, []],
  ["zero is not above zero", { positive: true }, { price: "0.00" }, ["is 0.00, which is not above zero"]],
  ["a negative price is not above zero", { positive: true }, { price: "-1" }, ["is -1, which is not above zero"]],
  ["the lowest price passes", { range: { least: "0.50" } }, { price: "0.5" }, []],
  [
    "a price below the lowest does not pass",
    { range: { least: "0.50" } },
    { price: "0.499" },
    ["is 0.499, below 0.50, the lowest allowed"],
  ],
  ["the highest price passes", { range: { most: "99" } }, { price: "99.00" }, []],
  [
    "a price above the highest does not pass",
    { range: { most: "99" } },
    { price: "99.01" },
    ["is 99.01, above 99, the highest allowed"],
  ],
  ["a rise up to the limit passes", { change: { rise: 10 } }, { price: "1.10" }, []],
  [
    "a rise beyond the limit does not pass",
    { change: { rise: 10 } },
    { price: "1.11" },
    ["rises by 11%, from 1.00 to 1.11; at most 10% is allowed"],
  ],
  [
    "a limit of 0 allows no rise",
    { change: { rise: 0 } },
    { price: "1.01" },
    ["rises by 1%, from 1.00 to 1.01; at most 0% is allowed"],
  ],
  ["a fall up to the limit passes", { change: { fall: 12.5 } }, { price: "0.875" }, []],
  [
    "a fall beyond the limit does not pass",
    { change: { fall: 12.5 } },
    { price: "0.87" },
    ["falls by 13%, from 1.00 to 0.87; at most 12.5% is allowed"],
  ],
  ["a limit for rises does not limit falls", { change: { rise: 0 } }, { price: "0.01" }, []],
  ["a price at its cost passes", { cost: { property: "cost", least: 1 } }, { price: "0.80" }, []],
  [
    "a price below the cost does not pass",
    { cost: { property: "cost", least: 1 } },
    { price: "0.79" },
    ["is 0.79, less than 1 times the cost 0.80"],
  ],
  [
    "the cost in the row itself counts",
    { cost: { property: "cost", least: 1 } },
    { price: "0.79", properties: { cost: "0.70" } },
    [],
  ],
  [
    "a price above a multiple of the cost does not pass",
    { cost: { property: "cost", most: 2.5 } },
    { price: "2.01" },
    ["is 2.01, more than 2.5 times the cost 0.80"],
  ],
  ["without the cost property the price passes", { cost: { property: "purchase", least: 1 } }, { price: "0.01" }, []],
  ["the current price passes at any hour", { freezes: [{ from: "08:00", to: "20:00" }] }, { price: "1.00" }, []],
  [
    "during a freeze no price changes",
    { freezes: [{ from: "08:00", to: "20:00" }] },
    { price: "0.90" },
    ["must not change until 2026-03-02 20:00"],
  ],
  [
    "during a freeze of rises prices may fall",
    { freezes: [{ from: "08:00", to: "20:00", rises: true }] },
    { price: "0.90" },
    [],
  ],
  [
    "during a freeze of rises prices must not rise",
    { freezes: [{ from: "08:00", to: "20:00", rises: true }] },
    { price: "1.90" },
    ["must not rise until 2026-03-02 20:00"],
  ],
  ["after a freeze prices may change", { freezes: [{ from: "20:00", to: "08:00" }] }, { price: "0.90" }, []],
  [
    "outside the windows no price changes",
    { windows: [{ from: "06:00", to: "08:00" }] },
    { price: "0.90" },
    ["must not change at this hour; changes are allowed from 2026-03-03 06:00"],
  ],
  [
    "a change scheduled within a window passes",
    { windows: [{ from: "06:00", to: "08:00" }] },
    { price: "0.90", validFrom: "2026-03-03 06:00:00" },
    [],
  ],
  [
    "a scheduled change whose time has passed counts as a change now",
    { windows: [{ from: "06:00", to: "08:00" }] },
    { price: "0.90", validFrom: "2026-03-02 06:00:00" },
    ["must not change at this hour; changes are allowed from 2026-03-03 06:00"],
  ],
  [
    "windows that are over leave no hour for changes",
    { windows: [{ from: "06:00", to: "08:00", lastDate: "2026-03-01" }] },
    { price: "0.90" },
    ["must not change: all hours in which changes were allowed have passed"],
  ],
  ["an empty list of windows is not a guard", { windows: [] }, { price: "0.90" }, []],
  ["a row without a price passes", { positive: true, freezes: [{ from: "00:00", to: "00:00" }] }, {}, []],
];
for (const [rule, guards, row, hits] of cases)
  test(`guards: ${rule}`, (t) => {
    const found = tried(guards, [{ itemId: "A", ...row }]);
    t.deepEqual(
      found.hits.flatMap(({ notices }) => notices.map(guardText)),
      hits,
    );
    t.deepEqual(found.whole, []);
  });

test("guards: a first price is not a change, but must be in its range", (t) => {
  const guards: PriceGuards = {
    range: { most: "9" },
    change: { rise: 1 },
    freezes: [{ from: "00:00", to: "00:00" }],
    amount: { items: 1 },
  };
  t.deepEqual(
    tried(guards, [
      { itemId: "B", price: "5" },
      { itemId: "C", price: "6" },
    ]),
    { hits: [], whole: [] },
  );
  t.is(tried(guards, [{ itemId: "B", price: "10" }]).hits.length, 1);
});

test("guards: a row is compared with the rows before it", (t) => {
  const guards = { change: { rise: 50 } };
  const rows = ["1.40", "2.00", "2.00"].map((price) => ({ itemId: "A", price }));
  t.deepEqual(tried(guards, rows).hits, []);
  t.is(tried(guards, rows.slice(1)).hits.length, 1);
});

test("guards: a scheduled row does not affect the price that later rows are compared with", (t) => {
  const rows = [
    { itemId: "A", price: "1.40", validFrom: "2026-03-03 06:00:00" },
    { itemId: "A", price: "2.00" },
  ];
  t.deepEqual(
    tried({ change: { rise: 50 } }, rows).hits.map(({ row, was }) => [row, was]),
    [[1, "1.00"]],
  );
});

test("guards: too many changes at once hold every row that changes a price, and no other row", (t) => {
  const stored = ["A", "B", "C"].map((id) => item(id, "1.00"));
  const rows = ["A", "B", "C"].map((itemId) => ({ itemId, price: itemId === "C" ? "1.00" : "1.10" }));
  t.deepEqual(tried({ amount: { items: 2 } }, rows, stored).whole, []);
  const found = tried({ amount: { items: 1, share: 20 } }, rows, stored, 9);
  t.deepEqual(found.whole.map(guardText), [
    "changes the price of 2 items at once; at most 1 are allowed",
    "changes the price of 2 of the store's 9 items at once; at most 20% is allowed",
  ]);
  t.deepEqual(
    found.hits.map(({ itemId, percent }) => [itemId, percent]),
    [
      ["A", 10],
      ["B", 10],
    ],
  );
  t.deepEqual(tried({ amount: { share: 20 } }, rows, stored, 10).whole, []);
});

test("guards: the largest jumps come first, after changes that cannot be compared", (t) => {
  const stored = ["A", "B", "C", "D"].map((id) => item(id, "1.00"));
  const prices = { A: "1.10", B: "0.10", C: "free", D: "1.50" };
  const rows = Object.entries(prices).map(([itemId, price]) => ({ itemId, price }));
  const { hits } = tried({ amount: { items: 1 } }, rows, stored);
  t.deepEqual(
    hits.sort(byJump).map(({ itemId }) => itemId),
    ["C", "B", "D", "A"],
  );
});

test("guards: the percentage limit is exact to the last digit", (t) => {
  const cents = fc.integer({ min: 1, max: 2_000_000 });
  const text = (value: number) => (value / 100).toFixed(2);
  fc.assert(
    fc.property(cents, cents, fc.integer({ min: 0, max: 2_000 }), (was, price, tenths) => {
      const { hits } = tried(
        { change: { rise: tenths / 10, fall: tenths / 10 } },
        [{ itemId: "A", price: text(price) }],
        [item("A", text(was))],
      );
      t.is(hits.length > 0, Math.abs(price - was) * 1000 > tenths * was);
    }),
  );
});

test("guards: rows that pass individually pass together, and a request holds exactly the rows that would be held individually", (t) => {
  const guards: PriceGuards = {
    positive: true,
    range: { most: "50" },
    change: { rise: 30, fall: 30 },
    cost: { property: "cost", least: 1 },
  };
  const price = fc.integer({ min: -100, max: 6_000 }).map((cents) => (cents / 100).toFixed(2));
  const stored = fc.uniqueArray(fc.tuple(fc.nat(20), price, price), { selector: ([id]) => id });
  fc.assert(
    fc.property(stored, fc.uniqueArray(fc.tuple(fc.nat(20), price), { selector: ([id]) => id }), (items, changes) => {
      const present = items.map(([id, was, cost]) => item(`${id}`, was, cost));
      const rows = changes.map(([id, to]) => ({ itemId: `${id}`, price: to }));
      const alone = rows.flatMap((row, index) => (tried(guards, [row], present).hits.length > 0 ? [index] : []));
      t.deepEqual(
        tried(guards, rows, present).hits.map(({ row }) => row),
        alone,
      );
    }),
  );
});
