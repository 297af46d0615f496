import test from "ava";
import fc from "fast-check";
import { calculate, decimalText, productText } from "../../../domain/expression/decimal.ts";
import { compile } from "../../../domain/expression/expression.ts";

const results: [expression: string, result: number][] = [
  ["3.0 * 1.1", 3.3],
  ["0.1 + 0.2", 0.3],
  ["0.3 - 0.1", 0.2],
  ["1000000.1 - 1000000.0", 0.1],
  ["3.3 / 1.1", 3],
  ["0.7 * 0.8", 0.56],
  ["4.35 * 100.0", 435],
  ["1.0 / 3.0", 1 / 3],
  ["-1.1 * 3.0", -3.3],
  ["1e-7 + 2e-7", 3e-7],
  ["1e300 + 1e-300", 1e300],
  ["1e300 * 1e300", Number.POSITIVE_INFINITY],
  ["1.5 / 0.0", Number.POSITIVE_INFINITY],
  ["0.0 * -1.5", -0],
  ["-1.5 * 0.0", -0],
  ["-12547579061.4824 / 9031766380.3713", -1.3892718802771518],
  ["1e-30 + 2e-30", 3e-30],
];

for (const [source, result] of results) {
  test(`${source} is ${result}`, (t) => t.is(compile(source).value({ item: {} }), result));
}

test("a rule compares decimals without binary rounding errors", (t) => {
  const expression = compile("double(item.price) <= double(item.lowest) * 0.8");
  t.true(expression.evaluate({ item: new Map(Object.entries({ price: "0.56", lowest: "0.7" })) }));
});

test("operands that are not both decimals are left to the library", (t) => {
  t.is(calculate("+", "a", "b"), undefined);
  t.is(calculate("+", 1.5, "b"), undefined);
  t.is(calculate("*", 2n, 1.5), undefined);
  t.is(calculate("*", 2n, 3n), undefined);
  t.true(Number.isNaN(calculate("/", 0, 0)));
});

const written: [value: number | string, decimals: number | undefined, mode: "half" | "down", text: string][] = [
  [3.3, undefined, "half", "3.3"],
  [1e-7, undefined, "half", "0.0000001"],
  [1.5e14, undefined, "half", "150000000000000"],
  [1.005, 2, "half", "1.01"],
  [-1.005, 2, "half", "-1.01"],
  [2.5, 0, "half", "3"],
  [1.999, 2, "down", "1.99"],
  [-1.991, 2, "down", "-2"],
  [-0.001, 2, "half", "0"],
  ["0.0375", 3, "half", "0.038"],
  ["12.50", 1, "half", "12.5"],
  ["12.50", 1, "down", "12.5"],
  [0.00499999996, 2, "half", "0"],
];

for (const [value, decimals, mode, text] of written) {
  test(`${value} to ${decimals ?? "all"} decimals (${mode}) is ${text}`, (t) =>
    t.is(decimalText(value, decimals, mode), text));
}

test("a number too large for decimals is not formatted", (t) => {
  for (const value of [1e15, -1e300, Number.NaN, Number.POSITIVE_INFINITY]) {
    t.throws(() => decimalText(value), { instanceOf: RangeError, message: /is not a number that can be shown/ });
  }
});

test("a numeric string is formatted with all of its digits, however long it is", (t) => {
  t.is(decimalText("1234567890123456789.125", 2), "1234567890123456789.13");
  t.is(decimalText(10n ** 20n), "100000000000000000000");
});

const products: [one: string, other: string, product: string][] = [
  ["12.50", "1.1", "13.75"],
  ["0.1", "0.1", "0.01"],
  ["-0.25", "4", "-1"],
  ["123456789012345.67", "1.95583", "241460491654016.0317561"],
];
for (const [one, other, product] of products)
  test(`${one} times ${other} is ${product}, with all of its digits`, (t) => t.is(productText(one, other), product));

/** A number in ten-thousandths, and its value as a double. */
const SCALE = 10_000n;
const amount = fc.bigInt({ min: -999_999_999n, max: 999_999_999n });
const doubleOf = (units: bigint): number => Number(`${units}e-4`);

test("sums, differences and products of prices match those computed with big integers", (t) => {
  fc.assert(
    fc.property(amount, amount, fc.bigInt({ min: -9999n, max: 9999n }), (one, other, count) => {
      t.is(calculate("+", doubleOf(one), doubleOf(other)), doubleOf(one + other) + 0);
      t.is(calculate("-", doubleOf(one), doubleOf(other)), doubleOf(one - other) + 0);
      t.is((calculate("*", doubleOf(one), Number(count)) ?? 0) + 0, doubleOf(one * count) + 0);
    }),
    { numRuns: 3000 },
  );
});

test("a quotient with finite decimals is exact", (t) => {
  fc.assert(
    fc.property(amount, fc.bigInt({ min: 1n, max: 9999n }), (result, divisor) => {
      t.is((calculate("/", doubleOf(result * divisor), Number(divisor)) ?? 0) + 0, doubleOf(result) + 0);
    }),
    { numRuns: 3000 },
  );
});

test("any other quotient is the nearest double, whatever the size of the operands", (t) => {
  const operand = fc.bigInt({ min: -999_999_999_999_999n, max: 999_999_999_999_999n });
  fc.assert(
    fc.property(operand, operand, (one, other) => {
      fc.pre(one !== 0n && other !== 0n);
      const digits = (one * 10n ** 60n) / other;
      t.is(calculate("/", doubleOf(one), doubleOf(other)), Number(`${digits}e-60`));
    }),
    { numRuns: 3000 },
  );
});

test("rounding matches big integers to any number of decimals", (t) => {
  fc.assert(
    fc.property(amount, fc.integer({ min: 0, max: 4 }), (units, decimals) => {
      const unit = 10n ** BigInt(4 - decimals);
      const size = units < 0n ? -units : units;
      const whole = ((size + unit / 2n) / unit) * (units < 0n ? -1n : 1n);
      t.is(Number(decimalText(doubleOf(units), decimals)) + 0, Number(`${whole * unit}e-4`) + 0);
      const down = units < 0n ? -((size + unit - 1n) / unit) : units / unit;
      t.is(
        Number(decimalText(doubleOf(units), decimals, "down")) + 0,
        Number((down * unit * 1n) / 1n) / Number(SCALE) + 0,
      );
    }),
    { numRuns: 3000 },
  );
});
