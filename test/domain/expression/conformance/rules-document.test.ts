import { readFileSync } from "node:fs";
import test from "ava";
import { compile } from "../../../../domain/expression/expression.ts";

const document = readFileSync(new URL("../../../../docs/rules.md", import.meta.url), "utf8");
const item = new Map([
  ["brand", "Dukat"],
  ["itemName", "Milk"],
  ["price", "12.50"],
]);
const variables = { item, link: {}, device: { type: 1328n } };

const examples = new Set(
  [...document.matchAll(/```\n(.*?)```/gs)].flatMap(([, lines = ""]) => lines.trim().split("\n")),
);
for (const source of examples) {
  test(`docs/rules.md: an example compiles: ${source}`, (t) => {
    t.notThrows(() => compile(source));
  });
}

/** The rows of the table about missing item properties: here the item lacks `sale`. */
const rows = [...document.matchAll(/^\| `(.*sale.*)` \| (true|false)/gm)];
for (const [, source = "", value] of rows) {
  test(`docs/rules.md: the table is correct about ${source}`, (t) => {
    t.is(compile(source.replaceAll("\\|", "|")).evaluate(variables), value === "true");
  });
}

test("docs/rules.md: the examples and the table are found", (t) => {
  t.true(examples.size > 5);
  t.true(rows.length >= 7);
});

test("docs/rules.md: a number with a decimal comma is refused with an explanation", (t) => {
  const given = { ...variables, item: new Map([["price", "12,50"]]) };
  const { value, error = "" } = compile("double(item.price) > 9.99").explain(given);
  t.false(value);
  t.true(document.includes(`\`${error}\``), error);
});
