import test from "ava";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { csvLine } from "../../schemas/csv.ts";

const FORMULA_SIGNS = ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"];

for (const [cell, line] of [
  ['=HYPERLINK("http://a.example";"x")', '"\'=HYPERLINK(""http://a.example"";""x"")"'],
  ["+1+1", "'+1+1"],
  ["-2+3", "'-2+3"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\t=1", "'\t=1"],
  ["\r=1", '"\'\r=1"'],
  ["\n=1", '"\'\n=1"'],
  ["＝1", "'＝1"],
] as const)
  test(`a string that a spreadsheet would run as a formula is marked as text in CSV: ${JSON.stringify(cell)}`, (t) =>
    t.is(csvLine([cell]), line));

test("numbers stay numbers, even if they are sent as strings", (t) => {
  t.is(csvLine([-1.5, 0, "-1.50", "+1", "-1,50", "12"]), '-1.5,0,-1.50,+1,"-1,50",12');
  t.is(csvLine(["-1.50 2.00", "-", "+"]), "'-1.50 2.00,'-,'+");
});

test("other strings are unchanged, and no cell of any line begins like a formula", (t) => {
  t.is(csvLine(["a=b", "'=1", " =1", "", null]), "a=b,'=1, =1,,");
  const text = fc.string({ unit: fc.oneof(fc.constantFrom(...FORMULA_SIGNS, ",", '"', "1", "."), fc.string()) });
  fc.assert(
    fc.property(fc.array(text, { minLength: 2 }), (cells) => {
      const [read = []] = parse(`${csvLine(cells)}\r\n`, {
        record_delimiter: "\r\n",
        relax_column_count: true,
      }) as string[][];
      t.is(read.length, cells.length);
      for (const [index, cell] of read.entries()) {
        t.true(cell === cells[index] || cell === `'${cells[index]}`);
        if (!/^[+-]?\d+(?:[.,]\d+)?$/.test(cell)) t.false(FORMULA_SIGNS.includes(cell[0] ?? ""));
      }
    }),
  );
});
