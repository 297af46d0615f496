import test from "ava";
import { compile, type Variables } from "../../../workers/evaluator/expression.ts";

const variables: Variables = {
  item: {
    brand: "Dukat",
    price: "12.50",
    stock: "3",
    blank: "",
    words: "ask us",
    priceKind: "special",
    "unit.price": "2.58",
  },
  link: { location: "aisle 4", facings: 3n },
  device: { type: 1328n },
};

/** Sections of one table: which expressions hold for the variables above, and which do not. */
const sections: Record<string, [source: string, holds: boolean][]> = {
  "rule 4: expressions look into item, link and device": [
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
  "rule 5: an expression that needs a property that is missing is false, whatever else it says": [
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
  "a path that has() or in asks for is not missing, nor is it where that question guards it": [
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
  "a question guards nothing that stands before it": [
    ['item.sale == "yes" || !has(item.sale)', false],
    ['item.sale != "yes" || !("sale" in item)', false],
  ],
  "properties are text: a number is made of them": [
    ["double(item.price) > 9.99", true],
    ["double(item.price) > 12.50", false],
    ["int(item.stock) >= 3", true],
    ['item.price > "9.99"', false],
    ["link.facings * 2 == 6", true],
  ],
  "rule 5: what cannot be evaluated is false": [
    ["double(item.words) > 0.0", false],
    ["!(double(item.words) > 0.0)", false],
    ["double(item.blank) < 1.0", false],
    ["int(item.price) > 0", false],
    ["1 / 0 == 1", false],
    ["[1][2] == 1", false],
    ['item.brand.matches("(")', false],
    ['duration(item.words) > duration("1s")', false],
    ['timestamp(item.words) > timestamp("2026-01-01T00:00:00Z")', false],
    ["link.location > 3", false],
  ],
  "a value that is no boolean is false": [
    ["item.brand", false],
    ['"true"', false],
    ["1", false],
    ["null", false],
    ["[true]", false],
    ["item", false],
    ["true", true],
  ],
  "what JavaScript hangs on every object is no property": [
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
  test(`the property "${key}" is plain data`, (t) => {
    const item = Object.fromEntries([[key, "x"]]);
    const sources = [`item["${key}"] == "x"`, `"${key}" in item`, `has(item.${key}) && item.${key} != "y"`];
    for (const source of sources) t.true(compile(source).evaluate({ ...variables, item }), source);
  });
}

test("a map that is not there has none of its keys", (t) => {
  t.false(compile("device.type != 0").evaluate({ item: {}, link: {} }));
});

test("one compiled expression serves any number of links", (t) => {
  const expression = compile('item.brand == "Dukat"');
  const holds = ["Dukat", "Vindija", "Dukat"].map((brand) => expression.evaluate({ ...variables, item: { brand } }));
  t.deepEqual(holds, [true, false, true]);
});

test("the value of an expression is there for templates, and a path that is missing is an error", (t) => {
  t.is(compile("item.brand").value(variables), "Dukat");
  t.is(compile("link.facings + 1").value(variables), 4n);
  t.throws(() => compile("item.sale").value(variables));
});
