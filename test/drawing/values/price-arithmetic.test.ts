import test from "ava";
import fc from "fast-check";
import { compileTemplate } from "../../../drawing/values/template.ts";
import { noticeText } from "../../../schemas/drawing-notice.ts";

/** Every currency that Intl knows, with its number of decimal places. */
const currencies = Intl.supportedValuesOf("currency").map((currency) => {
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  return { currency, decimals: format.resolvedOptions().maximumFractionDigits ?? 2 };
});

const price = compileTemplate("${price(double(item.price) * double(item.factor) / double(item.divisor))}");
const other = compileTemplate(
  "${price(double(item.price) * double(item.factor) / double(item.divisor), item.currency)}",
);

/** The quotient of big integers in units of 10^-decimals, with halves rounded away from zero. */
function halfUp(numerator: bigint, divisor: bigint): bigint {
  const size = numerator < 0n ? -numerator : numerator;
  const result = (2n * size + divisor) / (2n * divisor);
  return numerator < 0n ? -result : result;
}

const text = (units: bigint, scale: number): string => {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, "0");
  return (units < 0n ? "-" : "") + (scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`);
};

const numberIn = (formatted: string): string => formatted.replace(/[^\d.-]|\.(?!\d)/g, "");

for (const [name, template] of Object.entries({ "of the store": price, "that is named": other })) {
  test(`a calculated price in any currency ${name} matches decimals computed with big integers`, (t) => {
    fc.assert(
      fc.property(
        fc.constantFrom(...currencies),
        fc.bigInt({ min: -9_999_999n, max: 9_999_999n }),
        fc.bigInt({ min: 1n, max: 99_999n }),
        fc.bigInt({ min: 1n, max: 999n }),
        ({ currency, decimals }, cents, factor, divisor) => {
          const item = { price: text(cents, 2), factor: text(factor, 4), divisor: String(divisor), currency };
          const store = { locale: "en-US", currency, timeZone: "UTC" };
          const expected = halfUp(cents * factor * 10n ** BigInt(decimals), divisor * 1_000_000n);
          const { text: shown, missing } = template.fill({ item, store });
          t.deepEqual(missing, []);
          t.is(
            numberIn(shown).replace(/^-(?=[0.]*$)/, ""),
            text(expected, decimals),
            `${shown} ${JSON.stringify(item)}`,
          );
        },
      ),
      { numRuns: 5000 },
    );
  });
}

/** A term of a sum: a price, a count and a percentage, with their sign and with or without parentheses. */
const term = fc.record({
  cents: fc.bigInt({ min: 1n, max: 99_999n }),
  count: fc.bigInt({ min: 1n, max: 99n }),
  percent: fc.bigInt({ min: 1n, max: 250n }),
  isTakenAway: fc.boolean(),
  form: fc.constantFrom(
    (price: string, count: string, factor: string) => `${price} * ${count} * ${factor}`,
    (price: string, count: string, factor: string) => `(${count} * ${price}) * ${factor}`,
    (price: string, count: string, factor: string) => `${factor} * (${price} * ${count})`,
    (price: string, count: string, factor: string) => `${price} * (${count} * ${factor})`,
  ),
});

for (const [grouping, group] of [
  ["from the left", (parts: string[]) => parts.join(" ")],
  ["in parentheses", (parts: string[]) => `${"(".repeat(parts.length)}${parts.map((part) => `${part})`).join(" ")}`],
] as const)
  test(`sums of products, ${grouping}, divided or not, match decimals computed with big integers`, (t) => {
    fc.assert(
      fc.property(
        fc.constantFrom(...currencies),
        fc.array(term, { minLength: 1, maxLength: 5 }),
        fc.bigInt({ min: 1n, max: 99n }),
        ({ currency, decimals }, terms, divisor) => {
          const signed = terms.map(({ cents, count, percent, isTakenAway, form }, index) => {
            const product = form(text(cents, 2), `${count}.0`, text(percent, 2));
            return { sign: isTakenAway && index > 0 ? "-" : "+", product, units: cents * count * percent };
          });
          const parts = signed.map(({ sign, product }, index) => (index === 0 ? product : `${sign} ${product}`));
          const sum = signed.reduce((total, { sign, units }) => (sign === "-" ? total - units : total + units), 0n);
          const source = `\${price((${group(parts)}) / ${divisor}.0)}`;
          const { text: shown, missing } = compileTemplate(source).fill({
            item: {},
            store: { locale: "en-US", currency, timeZone: "UTC" },
          });
          t.deepEqual(missing, []);
          const expected = halfUp(sum * 10n ** BigInt(decimals), divisor * 10_000n);
          t.is(numberIn(shown).replace(/^-(?=[0.]*$)/, ""), text(expected, decimals), `${source} in ${currency}`);
        },
      ),
      { numRuns: 500 },
    );
  });

const store = { locale: "hr-HR", currency: "EUR", timeZone: "UTC" };
const fill = (source: string, item = {}) => compileTemplate(source).fill({ item, store });

const calculated: [source: string, text: string][] = [
  ["${3.0 * 1.10}", "3.3"],
  ["${price(3.0 * 1.10)}", "3,30\u00a0€"],
  ["${price('3.5', 'BGN')}", "3,50\u00a0BGN"],
  ["${price(3, 'JPY')}", "3\u00a0¥"],
  ["${price(1.955, 'CZK')}", "1,96\u00a0Kč"],
  ["${round(2.5)}", "3"],
  ["${round(1.005, 2)}", "1.01"],
  ["${round('1.249', 1)}", "1.2"],
  ["${round(-2.5)}", "-3"],
  ["${floor(2.99)}", "2"],
  ["${floor(1.999, 2)}", "1.99"],
  ["${floor('12.99')}", "12"],
  ["${floor(-0.5)}", "-1"],
  ["${round(7, 2)}", "7"],
  ["${0.0000005 + 0.0000005}", "0.000001"],
];

for (const [source, text] of calculated) {
  test(`${source} is ${text}`, (t) => t.deepEqual(fill(source), { text, missing: [] }));
}

test("a number with rounding noise is rounded to its currency's decimals, and this is reported", (t) => {
  const { rounded = [], ...rest } = fill("${double(item.price) / 3.0} €", { price: "12.49" });
  t.deepEqual(rest, { text: "4.16 €", missing: [] });
  t.deepEqual(rounded.map(noticeText), ["${double(item.price) / 3.0} is 4.163333333333333, but is shown as 4.16"]);
});

for (const source of ["${round('a')}", "${round(1.5, -1)}", "${floor(1.5, 7)}", "${price(1.5, 'euro')}"]) {
  test(`${source} has no value`, (t) => t.is(fill(source).missing.length, 1));
}
