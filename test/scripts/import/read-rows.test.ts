import { readFile } from "node:fs/promises";
import test from "ava";
import fc from "fast-check";
import { decimalOf, type FileForm } from "../../../scripts/operate/import/file-form.ts";
import { itemOf } from "../../../scripts/operate/import/mapping.ts";
import { readRows } from "../../../scripts/operate/import/read-rows.ts";

const fixed: FileForm = {
  lines: { from: 1, text: "A" },
  columns: { Id: { from: 2, length: 6 }, Name: { from: 8, length: 10 }, Price: { from: 18, length: 6 } },
};
const workbook = await readFile(new URL("../../fixtures/price-files/prices.xlsx", import.meta.url));

const read: [rule: string, name: string, content: string | Buffer, form: FileForm, rows: [number, object][]][] = [
  [
    "CSV keeps its cells, and counts lines across line breaks in cells",
    "a.csv",
    '\ufeffId,Name\r\n007,"Two\nlines"\r\n\r\n8,\r\n',
    {},
    [
      [3, { Id: "007", Name: "Two\nlines" }],
      [5, { Id: "8", Name: "" }],
    ],
  ],
  [
    "CSV with another delimiter and encoding is read",
    "a.TXT",
    Buffer.from([0x49, 0x64, 0x3b, 0x4e, 0x0a, 0x37, 0x3b, 0xe8, 0x0a]),
    { delimiter: ";", encoding: "windows-1250" },
    [[2, { Id: "7", N: "č" }]],
  ],
  [
    "fixed-width lines are cut at their columns, and other lines are omitted",
    "plu.dat",
    "H20261128\r\nA000071Kruh      000199\r\nD000072Mlijeko   000110\r\nA000073Čaj       001000\r\n\u001a",
    fixed,
    [
      [2, { Id: "000071", Name: "Kruh", Price: "000199" }],
      [4, { Id: "000073", Name: "Čaj", Price: "001000" }],
    ],
  ],
  [
    "lines of a form without trailing spaces may be short",
    "plu.dat",
    "A000071Kruh",
    { ...fixed, isTrimmed: true },
    [[1, { Id: "000071", Name: "Kruh", Price: "" }]],
  ],
  [
    "a workbook keeps leading zeros of text, prices as typed, long codes, and its row numbers",
    "a.XLSX",
    workbook,
    { sheet: "Prices" },
    [
      [2, { Id: "0071", Name: "Kruh", Price: "1.99", EAN: "3850000000017" }],
      [4, { Id: "72", Name: "Mlijeko", Price: "1.1", EAN: "" }],
    ],
  ],
];

for (const [rule, name, content, form, rows] of read) {
  test(rule, async (t) => {
    const found = await readRows(name, Buffer.from(content as string), form);
    t.deepEqual(
      found.rows.map(({ line, cells }) => [line, cells]),
      rows,
    );
  });
}

const refused: [rule: string, name: string, content: string | Buffer, form: FileForm, message: RegExp][] = [
  ["a file in another encoding", "a.csv", Buffer.from([0x49, 0xe8]), {}, /not written in utf-8; name its encoding/],
  ["a truncated CSV file", "a.csv", "Id,Name\n7,Kruh\n8", {}, /Invalid Record Length/],
  ["a truncated fixed-width line", "a.dat", "A000071Kruh      0001", fixed, /line 1 has 21 characters instead of 23/],
  ["a truncated workbook", "a.xlsx", workbook.subarray(0, 900), {}, /./],
  ["a sheet that does not exist", "a.xlsx", workbook, { sheet: "Preise" }, /Preise/],
  ["a workbook in the format of Excel 97", "a.xls", "x", {}, /save it as \.xlsx/],
  ["two columns with the same name", "a.csv", "Id,Id\n7,8\n", {}, /two columns named Id/],
];

for (const [rule, name, content, form, message] of refused) {
  test(`${rule} is refused, with the reason`, (t) =>
    t.throwsAsync(readRows(name, Buffer.from(content as string), form), { message }));
}

const numbers: [text: string, form: Parameters<typeof decimalOf>[1], number: string][] = [
  ["000199", { decimals: 2, implied: true }, "1.99"],
  ["-7", { decimals: 2, implied: true }, "-0.07"],
  ["000", { decimals: 2, implied: true }, "0.00"],
  ["0012", { decimals: 0, implied: true }, "12"],
  ["1,9", { decimals: 2, mark: "," }, "1.90"],
  ["1.9900000000000002", { decimals: 2 }, "1.99"],
  [" ", { decimals: 2 }, ""],
];
for (const [text, form, number] of numbers) {
  test(`"${text}" with ${JSON.stringify(form)} is "${number}"`, (t) => t.is(decimalOf(text, form), number));
}

for (const [text, form] of [
  ["1.999", { decimals: 2 }],
  ["1,99", { decimals: 2 }],
  ["1.234,50", { decimals: 2, mark: "," }],
  ["1.99", { decimals: 2, implied: true }],
  ["free", { decimals: 2 }],
] as const) {
  test(`"${text}" with ${JSON.stringify(form)} is refused, and the error names the column`, (t) => {
    const mapping = { itemId: "Id", price: "Price", file: { numbers: { Price: form } } };
    t.throws(() => itemOf({ Id: "7", Price: text }, mapping), { message: /^Price: "/, name: "CellError" });
  });
}

test("an amount in cents is the same amount with its decimals", (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99_999_999 }), (cents) =>
      t.is(decimalOf(String(cents).padStart(9, "0"), { decimals: 2, implied: true }), (cents / 100).toFixed(2)),
    ),
  );
});
