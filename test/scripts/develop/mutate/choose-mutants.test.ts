import test from "ava";
import { isIn, placeOf, sample } from "../../../../scripts/develop/mutate/choose-mutants.ts";

const items = Array.from({ length: 100 }, (_, index) => index);

test("a sample depends on its seed, without duplicates and in order", (t) => {
  const drawn = sample(items, 20, 7);
  t.is(new Set(drawn).size, 20);
  t.deepEqual(
    drawn,
    drawn.toSorted((a, b) => a - b),
  );
  t.deepEqual(drawn, sample(items, 20, 7));
  t.notDeepEqual(drawn, sample(items, 20, 8));
});

test("a sample larger than the total contains everything", (t) => t.deepEqual(sample(items, 200, 7), items));

for (const [text, file, line, expected] of [
  ["records", "records/client.ts", 4, true],
  ["records/", "records/requests/accept.ts", 4, true],
  ["records", "records-old/client.ts", 4, false],
  ["records/client.ts", "records/client.ts", 4, true],
  ["records/client.ts:4", "records/client.ts", 4, true],
  ["records/client.ts:4", "records/client.ts", 5, false],
  ["records/client.ts:4", "records/client.ts", undefined, true],
] as const)
  test(`a place is a folder, a file or a line: ${text} ${expected ? "contains" : "does not contain"} ${file}:${line}`, (t) =>
    t.is(isIn(placeOf(text), file, line), expected));
