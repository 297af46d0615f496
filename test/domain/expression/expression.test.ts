import test from "ava";
import { compile } from "../../../domain/expression/expression.ts";
import { computingCounts } from "../../../schemas/computing-counts.ts";
import { variables } from "./a-dairy-item.ts";

/** One table in sections: expressions that are true for the variables above, and expressions that are not. */
const sections: Record<string, [source: string, holds: boolean][]> = {
  "rule 4: expressions read item, link and device": [
    ['item.brand == "Dukat"', true],
    ['item["brand"] == "Dukat"', true],
    ['item["unit.price"] == "2.58"', true],
    ['item.brand == "dukat"', false],
    ['link.location.startsWith("aisle")', true],
    ["link.facings > 2", true],
    ["link.facings == 3", true],
    ["device.type == 1328", true],
    ["device.type in [1627, 1328]", true],
    ["device.type in [1627]", false],
    ['item.blank == ""', true],
  ],
  "rule 5: an expression with a missing required property is false, whatever else it says": [
    ['item.sale == "yes"', false],
    ['item.sale != "yes"', false],
    ['!(item.sale == "yes")', false],
    ['true || item.sale == "yes"', false],
    ['item.sale == "yes" || true', false],
    ['item.brand == "Dukat" || item.sale == "yes"', false],
    ['item["sale"] != "yes"', false],
    ["link.shelf != 1", false],
    ["device.width != 1", false],
    ["[item.sale].size() == 1", false],
    ['item.brand == "Dukat" ? true : item.sale == "yes"', false],
  ],
  "a duration is formatted with its sign and without unneeded zeros": [
    ['string(duration("1.5s")) == "1.5s"', true],
    ['string(duration(".5s")) == "0.5s"', true],
    ['string(duration(".25h")) == "900s"', true],
    ['string(duration("-1.5s")) == "-1.5s"', true],
    ['string(duration("0s")) == "0s"', true],
    ['string(duration("90s")) == "90s"', true],
  ],
  "a path that has() or in tests is not missing, even when it is guarded": [
    ["has(item.sale)", false],
    ["!has(item.sale)", true],
    ["has(item.brand)", true],
    ['"sale" in item', false],
    ['!("sale" in item)', true],
    ['"brand" in item', true],
    ['has(item.priceKind) && item.priceKind == "special"', true],
    ['has(item.priceKind) && item.priceKind == "regular"', false],
    ['has(item.sale) && item.sale == "yes"', false],
    ['!has(item.sale) || item.sale == "yes"', true],
    ['"sale" in item && item["sale"] == "yes"', false],
    ['!("sale" in item) || item["sale"] == "yes"', true],
    ['has(item.sale) ? item.sale == "yes" : item.brand == "Dukat"', true],
    ['item.brand == "Dukat" && !has(item.sale)', true],
  ],
  "has() guards nothing to its left": [
    ['item.sale == "yes" || !has(item.sale)', false],
    ['item.sale != "yes" || !("sale" in item)', false],
  ],
  "properties are text and convert to numbers": [
    ["double(item.price) > 9.99", true],
    ["double(item.price) > 12.50", false],
    ["int(item.stock) >= 3", true],
    ['item.price > "9.99"', false],
    ["link.facings * 2 == 6", true],
  ],
  "rule 5: an expression that cannot be evaluated is false": [
    ["double(item.words) > 0.0", false],
    ["!(double(item.words) > 0.0)", false],
    ["double(item.blank) < 1.0", false],
    ["int(item.price) > 0", false],
    ["1 / 0 == 1", false],
    ["[1][2] == 1", false],
    ['item.brand.matches(item.words + "(")', false],
    ['duration(item.words) > duration("1s")', false],
    ['timestamp(item.words) > timestamp("2026-01-01T00:00:00Z")', false],
    ["link.location > 3", false],
  ],
  "a string that is not a number is not converted to one, unlike in JavaScript": [
    ["int(item.blank) < 5", false],
    ["double(item.blank) < 5.0", false],
    ['int("0x10") == 16 || int("0b11") == 3', false],
    ['double("0x10") == 16.0', false],
    ['double(" 1") == 1.0', false],
    ['double("12,50") > 1.0', false],
    ['double("1e3") == 1000.0 && double("-.5") == -0.5 && double("7.") == 7.0', true],
    ['double("-Infinity") < 0.0', true],
    ["double(5u) == 5.0 && double(-3) == -3.0 && double(1.5) == 1.5", true],
    ['int("-12") == -12 && int("+5") == 5', true],
    ["int(9223372036854775808.0) > 0", false],
  ],
  "strings are compared literally, with escapes, raw strings and any script": [
    ['"\\u010d" == "č"', true],
    ['"\\U0001F600" == "😀" && size("😀") == 1', true],
    ["'it\\'s' == \"it's\"", true],
    ['r"\\d" == "\\\\d"', true],
    ['"""a "b" c""" == "a \\"b\\" c"', true],
    ['"\\x41\\101" == "AA"', true],
    ['"ČEVAPI".lowerAscii() == "Čevapi"', true],
    ['int(uint("9223372036854775807")) == 9223372036854775807', true],
    ['"čevapi".upperAscii() == "čEVAPI"', true],
    ['"č" == "c"', false],
    ['bytes("č") == b"\\304\\215"', true],
  ],
  "a macro's variable hides a map with the same name": [
    ['[{"brand": "x"}].exists(item, item.brand == "x")', true],
    ['[{"sale": "x"}].exists(item, item.sale == "x")', true],
    ['cel.bind(link, {"sale": 1}, link.sale == 1)', true],
    ['item.brand.split("").exists(device, device == "D")', true],
    ['[{"brand": "x"}].exists(item, item.brand == "x") && item.sale == "x"', false],
  ],
  "has() guards only what is evaluated after it was true": [
    ['(has(item.sale) || has(item.brand)) && item.sale != "yes" || item.brand == "Dukat"', false],
    ['has(item.sale) || item.sale == "" || item.brand == "Dukat"', false],
    ['has(item.brand) && (has(item.sale) ? item.sale == "yes" : item.brand == "Dukat")', true],
    ['!(has(item.sale) && item.sale == "yes") && item.brand == "Dukat"', true],
    ['!(!has(item.sale) || item.sale != "yes") || item.brand == "Dukat"', true],
  ],
  "a key computed during evaluation is looked up": [
    ['item[link.location] == "here"', false],
    ['item["bra" + "nd"] == "Dukat"', true],
    ['item.exists(key, key.startsWith("unit."))', true],
    ['item["sa" + "le"] == "yes"', false],
  ],
  "dates use the given zone, never the machine's": [
    ['timestamp("2026-07-01T00:30:00+02:00").getDayOfYear() == 180', true],
    ['timestamp("2026-07-01T00:30:00+02:00").getDayOfYear("Europe/Zagreb") == 181', true],
    ['timestamp("2026-06-30T22:30:00Z").getHours("02:00") == 0', true],
    ['timestamp("2026-07-01 00:30:00.000") > timestamp("2020-01-01T00:00:00Z")', false],
    ['timestamp("2026-02-30T00:00:00Z") > timestamp("2020-01-01T00:00:00Z")', false],
    ['string(duration("-90.5s")) == "-90.5s" && duration("1h") > duration("59m")', true],
  ],
  "a value that is not a boolean counts as false": [
    ["item.brand", false],
    ['"true"', false],
    ["1", false],
    ["null", false],
    ["[true]", false],
    ["item", false],
    ["true", true],
  ],
  "inherited JavaScript members are not properties": [
    ["has(item.constructor)", false],
    ["has(item.toString)", false],
    ["has(item.__proto__)", false],
    ["has(link.constructor)", false],
    ["has(device.__proto__)", false],
    ['"constructor" in item', false],
    ['"__proto__" in link', false],
    ['item.constructor != "x"', false],
    ['item["__proto__"] != "x"', false],
    ['link["hasOwnProperty"] != "x"', false],
  ],
};
for (const [rule, cases] of Object.entries(sections)) {
  for (const [source, holds] of cases) {
    test(`${rule}: ${source} is ${holds}`, (t) => t.is(compile(source).evaluate(variables), holds));
  }
}

for (const key of ["__proto__", "toString", "hasOwnProperty", "prototype"]) {
  test(`the property "${key}" is only data`, (t) => {
    const item = Object.fromEntries([[key, "x"]]);
    const sources = [`item["${key}"] == "x"`, `"${key}" in item`, `has(item.${key}) && item.${key} != "y"`];
    for (const source of sources) t.true(compile(source).evaluate({ ...variables, item }), source);
  });
}

test("compiling for a caller counts as work, and evaluating does not", (t) => {
  const before = computingCounts().compilations;
  const expression = compile("item.brand == item.words");
  expression.evaluate(variables);
  t.is(computingCounts().compilations, before + 1);
});

test("explain and evaluate return the same value for every expression above", (t) => {
  for (const [source] of Object.values(sections).flat()) {
    const expression = compile(source);
    t.is(expression.explain(variables).value, expression.evaluate(variables), source);
  }
});

test("the type of a value is reported if it is known without an evaluation", (t) => {
  t.is(compile('item.brand == "x"').type, "bool");
  t.is(compile("item.brand").type, "string");
  t.is(compile("link.facings").type, "dyn");
});

test("a missing map has no keys", (t) => {
  t.false(compile("device.type != 0").evaluate({ item: {}, link: {} }));
});

test("one compiled expression can be used for any number of links", (t) => {
  const expression = compile('item.brand == "Dukat"');
  const holds = ["Dukat", "Vindija", "Dukat"].map((brand) => expression.evaluate({ ...variables, item: { brand } }));
  t.deepEqual(holds, [true, false, true]);
});

test("templates can use an expression's value, and a missing path is an error", (t) => {
  t.is(compile("item.brand").value(variables), "Dukat");
  t.is(compile("link.facings + 1").value(variables), 4n);
  t.throws(() => compile("item.sale").value(variables));
});
