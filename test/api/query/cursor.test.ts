import test from "ava";
import { ProblemError } from "../../../api/http/problem-error.ts";
import { assertOneStart, cursorText, linkToNext, placeOf } from "../../../api/query/cursor.ts";

for (const place of [
  { id: "4711" },
  { id: "Jabuka č/+&" },
  { id: "A1", value: "aisle 4" },
  { id: "A1", value: 12 },
  { id: "A1", value: null },
  { id: "A1", value: new Date("2026-03-01T08:00:00.123Z") },
])
  test(`the place ${JSON.stringify(place)} is read as it was written`, (t) => {
    t.deepEqual(placeOf(cursorText("barcode ASC", place), "barcode ASC"), place);
  });

for (const [what, text] of [
  ["other text", "next"],
  ["JSON of another form", Buffer.from('{"id":1}').toString("base64url")],
  ["a place in another order", cursorText("plState DESC", { id: "A1", value: "OK" })],
] as const)
  test(`${what} is refused as a cursor`, (t) => {
    const { extra } = t.throws(() => placeOf(text, "barcode ASC"), { instanceOf: ProblemError });
    t.is(extra.errors?.[0]?.pointer, "/query/after");
  });

test("an offset together with a cursor is refused", (t) => {
  t.throws(() => assertOneStart({ start: 0, after: "x" }), { instanceOf: ProblemError });
  t.notThrows(() => assertOneStart({ start: 0 }));
  t.notThrows(() => assertOneStart({ after: "x" }));
});

test("the link to the next page keeps the query and replaces the cursor", (t) => {
  t.is(
    linkToNext("filter[modelName]=Shelf%5C,%20small&limit=5&after=old", "new"),
    '<?filter%5BmodelName%5D=Shelf%5C%2C+small&limit=5&after=new>; rel="next"',
  );
});
