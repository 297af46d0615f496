import test from "ava";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { changedMeanwhile, changesOf } from "../../../../api/pages/browser/items/changes-of-item.ts";
import { type Bounds, checkRows, compareRows } from "../../../../api/pages/browser/items/check-rows.ts";
import { guessTargets, itemOf, type Target } from "../../../../api/pages/browser/items/columns.ts";
import { parseCsv } from "../../../../api/pages/browser/items/csv.ts";

const csvOf = (lines: readonly string[]) => parseCsv(lines.join("\n"));

test("a CSV file is read as csv-parse reads it, with any cells, quotes and line endings", (t) => {
  const cell = fc.string({ unit: fc.constantFrom(...'ab ",;\n\r\t|é€') });
  const file = fc.record({
    rows: fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { maxLength: 5 }),
    delimiter: fc.constantFrom(",", ";", "\t"),
    end: fc.constantFrom("\n", "\r\n"),
    isEnded: fc.boolean(),
  });
  fc.assert(
    fc.property(file, ({ rows, delimiter, end, isEnded }) => {
      const quoted = [["one", "two", "three"], ...rows].map((row) =>
        row
          .map((value) => (/^$|["\r\n,;\t| ]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value))
          .join(delimiter),
      );
      const text = quoted.join(end) + (isEnded ? end : "");
      const wanted = (parse(text, { delimiter }) as string[][]).filter((cells) =>
        cells.some((one) => one.trim() !== ""),
      );
      const { header, rows: found } = parseCsv(text);
      t.deepEqual([header, ...found.map(({ cells }) => cells)], wanted);
    }),
  );
});

test("each row is identified by the line on which it starts, and an unclosed quote by its own line", (t) => {
  const { header, rows } = parseCsv('\uFEFFid;name\r\n1;"two\nlines"\r\n\r\n2;pear\r\n');
  t.deepEqual(header, ["id", "name"]);
  t.deepEqual(rows, [
    { line: 2, cells: ["1", "two\nlines"] },
    { line: 5, cells: ["2", "pear"] },
  ]);
  t.is(csvOf(["a,b", '1,"open', "2,3"]).openQuote, 2);
  t.deepEqual(csvOf(["a,b", "1,"]).rows, [{ line: 2, cells: ["1", ""] }]);
});

test("columns are guessed by their headers in three languages, or else by their contents", (t) => {
  const guess = (...lines: string[]) => {
    const { header, rows } = csvOf(lines);
    return guessTargets(header, rows);
  };
  t.deepEqual(guess("ŠIFRA PROIZVODA;NAZIV PROIZVODA;MARKA;MALOPRODAJNA CIJENA;BARKOD", "1;Kruh;X;1,09;385"), [
    "itemId",
    "itemName",
    "",
    "price",
    "sics",
  ]);
  t.deepEqual(guess("Artikelnummer,Bezeichnung,Preis,Warengruppe,EAN,EAN-Code", "1,Brot,1.09,Brot,1,2"), [
    "itemId",
    "itemName",
    "price",
    "itemGroup",
    "sics",
    "sics",
  ]);
  t.deepEqual(guess("a,b,c,d", "A-1,Bread,1.09 €,", "A-2,Milk,0.99 €,"), ["itemId", "itemName", "price", ""]);
  t.deepEqual(guess("name,name", "Bread,x y", "Milk,x y"), ["itemName", ""], "a field is one column");
});

const header = ["id", "name", "price", "ean", "ean2", "unit"];
const columns: Target[] = ["itemId", "itemName", "price", "sics", "sics", "property"];
const bound = { maxLength: 5, pattern: "^[^\\u0000-\\u001f]*$" };
const bounds = Object.fromEntries(
  ["itemId", "itemName", "price", "itemGroup", "department", "presentation", "sics", "propertyKey", "property"].map(
    (field) => [field, bound],
  ),
) as unknown as Bounds;

test("a row omits empty cells and collects codes, and a property is named after its column", (t) => {
  t.deepEqual(itemOf(["1", "", "1,20", "385", "386", "kg"], header, columns, "."), {
    itemId: "1",
    price: "1.20",
    sics: ["385", "386"],
    properties: { unit: "kg" },
  });
});

test("rows that the API would refuse are skipped with their line and reason", (t) => {
  const rows = [
    ["1", "Bread"],
    ["", "Milk"],
    ["1", "Twice"],
    ["2", "Too long"],
    ["3", "\u0007"],
    ["4", "a", "1", "", "", "", "too much"],
    ["5", "Fine", "1.00", "385", "", "kg"],
    ["6", "Two", "2/3"],
    ["7", "Three", "-3"],
  ].map((cells, index) => ({ line: index + 2, cells }));
  const { valid, faults } = checkRows(rows, header, columns, bounds, ".");
  t.deepEqual(
    valid.map(({ line }) => line),
    [2, 8],
  );
  t.deepEqual(
    faults.map(({ line, fault, values }) => [line, fault, values]),
    [
      [3, "missing", undefined],
      [4, "twice", { first: 2 }],
      [5, "long", { field: "itemName", count: 5 }],
      [6, "characters", { field: "itemName" }],
      [7, "columns", undefined],
      [9, "price", { value: "2/3" }],
      [10, "price", { value: "-3" }],
    ],
  );
});

const present = {
  itemId: "1",
  itemName: "Bread",
  price: "1.09",
  itemGroup: null,
  department: null,
  presentation: null,
  validFrom: null,
  sics: ["385"],
  properties: { unit: "kg", kind: "regular" },
};

test("only new or different values are sent: properties merge, codes replace, absent fields stay", (t) => {
  const compare = (row: object) => compareRows([{ line: 2, item: { itemId: "1", ...row } }], new Map([["1", present]]));
  t.like(compare({}), { unchanged: 1, toSend: [] });
  t.like(compare({ price: "1.09", sics: ["385"], properties: { unit: "kg" } }), { unchanged: 1 });
  t.like(compare({ price: "1.19" }), { changed: 1, prices: [{ name: "Bread", from: "1.09", to: "1.19" }] });
  t.deepEqual(
    ["0.54", "0.55", "1.63", "1.64"].map((price) => compare({ price }).large.length),
    [1, 0, 0, 1],
    "a price that changes by more than half needs a confirmation",
  );
  t.like(compare({ sics: ["385", "386"] }), { changed: 1, prices: [] });
  t.like(compare({ properties: { unit: "g" } }), { changed: 1 });
  t.like(compare({ itemId: "2" }), { created: 1, changed: 0 });
});

test("an item's page sends only the changes that are needed", (t) => {
  t.deepEqual(changesOf(present, { ...present, itemName: "" }).patch, {}, "an empty text is not a change");
  const wanted = { ...present, price: "2", sics: [], properties: { unit: "", kind: "regular", origin: "Istra" } };
  t.deepEqual(changesOf(present, wanted), {
    patch: { price: "2", properties: { origin: "Istra" } },
    removedCodes: ["385"],
    removedProperties: ["unit"],
  });
});

test("a field conflicts if both sides changed it to different values", (t) => {
  const now = { ...present, price: "5", itemName: "Roll", properties: { unit: "g", kind: "regular" } };
  const wanted = { ...present, price: "4", properties: { unit: "pc", kind: "regular" } };
  t.deepEqual(changedMeanwhile(present, now, wanted), ["price", "/unit"]);
  t.deepEqual(changedMeanwhile(present, now, { ...present, price: "5" }), []);
});
