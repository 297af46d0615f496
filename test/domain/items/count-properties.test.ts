import test from "ava";
import { createPropertyCounts, propertyLimits } from "../../../domain/items/count-properties.ts";

const countOf = (...all: Record<string, string>[]) => {
  const counts = createPropertyCounts();
  for (const item of all) counts.add(new Map(Object.entries(item)));
  return counts.result();
};

test("properties are counted with their values, the most frequent first", (t) => {
  t.deepEqual(
    countOf({ kind: "a", price: "1.00" }, { kind: "b", price: "x" }, { kind: "b", price: "2" }, { kind: "b" }),
    [
      {
        name: "kind",
        items: 4,
        values: [
          { value: "b", items: 3 },
          { value: "a", items: 1 },
        ],
        hasMore: false,
        areNumbers: false,
      },
      {
        name: "price",
        items: 3,
        values: [
          { value: "1.00", items: 1 },
          { value: "2", items: 1 },
          { value: "x", items: 1 },
        ],
        hasMore: false,
        areNumbers: false,
      },
    ],
  );
});

test("values are numbers if all of them are", (t) => {
  t.true(countOf({ price: "1.00" }, { price: "-3" })[0]?.areNumbers);
  t.false(countOf({ price: "1,00" })[0]?.areNumbers);
});

test("the number of names and of values is limited, and long values are truncated", (t) => {
  const names = Object.fromEntries(Array.from({ length: propertyLimits.names + 1 }, (_, index) => [`n${index}`, "x"]));
  t.is(countOf(names).length, propertyLimits.names);
  const values = Array.from({ length: propertyLimits.values + 1 }, (_, index) => ({ id: String(index) }));
  const [ids] = countOf(...values);
  t.is(ids?.values.length, propertyLimits.listed);
  t.true(ids?.hasMore);
  t.is(ids?.items, values.length);
  t.is(countOf({ text: "x".repeat(500) })[0]?.values[0]?.value.length, propertyLimits.letters);
});
