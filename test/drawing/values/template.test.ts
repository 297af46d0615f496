import test from "ava";
import fc from "fast-check";
import { ExpressionError } from "../../../domain/expression/expression.ts";
import { compileTemplate } from "../../../drawing/values/template.ts";

const variables = {
  item: { itemName: "Kruh", "a}b": "brace", 'say "hi"': "quotes", cost: "$5" },
  link: { facings: 3n },
  device: { type: 1328n },
  store: { name: "Main street" },
};

const filled: [rule: string, source: string, text: string][] = [
  ["text without expressions is unchanged", "Akcija { } $ % \\", "Akcija { } $ % \\"],
  ["an expression is replaced by its value", "<${item.itemName}>", "<Kruh>"],
  ["several adjacent expressions", "${item.itemName}${store.name}", "KruhMain street"],
  ["an integer", "${link.facings + 1}", "4"],
  ["a decimal number", "${1.5 * 2.5}", "3.75"],
  ["a boolean", "${device.type == 1328}", "true"],
  ["a closing brace in double quotes", '${item["a}b"]}!', "brace!"],
  ["a closing brace in single quotes", "${item['a}b']}!", "brace!"],
  ["an escaped quote", "${item['say \"hi\"'] + '\\'}'}", "quotes'}"],
  ["the other kind of quote inside quotes", '${"it\'s }"}', "it's }"],
  ["braces inside an expression", "${{'k': {'n': 'v'}}.k.n}!", "v!"],
  ["a brace after an expression is text", "${item.itemName}}", "Kruh}"],
  ["a dollar before an expression is text", "$${item.itemName}", "$Kruh"],
  ["a choice", '${has(item.brand) ? item.brand : "no brand"}', "no brand"],
  ["a value is inserted literally and never compiled", "${item.cost}{item.itemName}", "$5{item.itemName}"],
  ["an empty string", "", ""],
];

for (const [rule, source, text] of filled) {
  test(rule, (t) => t.deepEqual(compileTemplate(source).fill(variables), { text, missing: [] }));
}

const withoutValue: [rule: string, source: string, text: string, missing: string[]][] = [
  ["a missing property is empty and named", "a ${item.brand} b", "a  b", ["item.brand"]],
  ["every missing property is named", "${item.x}${item.itemName}${link.y}", "Kruh", ["item.x", "link.y"]],
  [
    "members that every object has are not properties",
    "${item.constructor}${store.toString}",
    "",
    ["item.constructor", "store.toString"],
  ],
  ["a list cannot be shown", "${[1, 2]}", "", ["[1, 2]"]],
  ["null cannot be shown", "${null}", "", ["null"]],
  ["a failed operation has no value", "${1 / 0}", "", ["1 / 0"]],
];

for (const [rule, source, text, missing] of withoutValue) {
  test(rule, (t) => t.deepEqual(compileTemplate(source).fill(variables), { text, missing }));
}

for (const source of ["${}", "${item.}", "a ${1 +} b", "${nobody.name}", "${item.itemName + 1}"]) {
  test(`"${source}" is refused when it is compiled`, (t) => {
    t.throws(() => compileTemplate(source), { instanceOf: ExpressionError });
  });
}

test("any text written as a CEL string and surrounded by other text is returned unchanged", (t) => {
  const text = fc.string({ unit: fc.constantFrom("a", "{", "}", "'", '"', "$", "\\", "č", " ") });
  fc.assert(
    fc.property(text, (value) => {
      t.is(compileTemplate(`<\${${JSON.stringify(value)}}>`).fill(variables).text, `<${value}>`);
    }),
  );
});

test("a template keeps no state between items", (t) => {
  const template = compileTemplate("${item.itemName}");
  t.deepEqual(template.fill({ ...variables, item: {} }), { text: "", missing: ["item.itemName"] });
  t.deepEqual(template.fill(variables), { text: "Kruh", missing: [] });
});

test("an unclosed expression is refused", (t) => {
  for (const source of ["${item.price", 'a ${"}"'])
    t.throws(() => compileTemplate(source), { instanceOf: ExpressionError });
});
