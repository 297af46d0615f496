import test from "ava";
import { unknownProperties } from "../../../domain/publishing/unknown-properties.ts";

const known = new Set(["price", "itemName", "unit price"]);
const cases: [string, object, string[]][] = [
  ["known fields", { cel_expression: 'double(item.price) < 9.99 && item["unit price"] != ""' }, []],
  [
    "a field of an expression",
    { scenarios: [{ cel_expression: "item.brand == 'x'" }] },
    ["/scenarios/0/cel_expression brand"],
  ],
  ["a name in brackets", { visible: 'item["best before"] != ""' }, ["/visible best before"]],
  ["a field of a template", { elements: [{ text: "${item.itemName} ${item.brand}" }] }, ["/elements/0/text brand"]],
  ["a field in inner braces", { text: '${{"a": item.brand}.a}' }, ["/text brand"]],
  ["a template that is not closed", { text: "${item.brand" }, []],
  ["a field that occurs twice", { visible: "item.brand != '' && item.brand != 'x'" }, ["/visible brand"]],
  ["plain text", { text: "the item.brand" }, []],
  ["text in quotes", { visible: 'item.price == "item.brand"' }, []],
  ["other maps", { visible: "link.location == 'a' && myitem.brand == 'b'" }, []],
];
for (const [what, content, expected] of cases) {
  test(`properties that no item has: ${what}`, (t) => {
    const found = unknownProperties(content as Record<string, unknown>, known, 7);
    const name = ({ pointer, detail }: { pointer: string; detail: string }) =>
      `${pointer} ${/"(.*)"/.exec(detail)?.[1]}`;
    t.deepEqual(found.map(name), expected);
  });
}

test("without items no property counts as unknown", (t) => {
  t.deepEqual(unknownProperties({ visible: "item.brand == 'x'" }, new Set(), 0), []);
});
