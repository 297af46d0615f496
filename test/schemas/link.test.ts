import test from "ava";
import { ItemLinkRow, LinkRow, LinkSingle } from "../../schemas/link.ts";
import { faultAt } from "../../schemas/problem.ts";
import { refusalNotice } from "../../schemas/refusal-notice.ts";
import { compileCheck } from "../../schemas/validate.ts";

const checks = {
  "a link in a label's row": (fields: object) => compileCheck(LinkRow)({ itemId: "1", ...fields }),
  "a link in an item's row": (fields: object) => compileCheck(ItemLinkRow)({ barcode: "A4", ...fields }),
  "link-single": (fields: object) => compileCheck(LinkSingle)({ barcode: "A4", itemId: "1", ...fields }),
};

const accepted: [string, object][] = [
  ["only the required fields", {}],
  ["a SIC in addition to the item ID or instead of it", { linkedItemId: "3850000" }],
  ["an empty item ID next to a SIC", { itemId: "", linkedItemId: "3850000" }],
  ["a null item ID next to a SIC", { itemId: null, linkedItemId: "3850000" }],
  ["an empty SIC next to an item ID", { itemId: "1", linkedItemId: "" }],
  ["position 0", { displayPosition: 0 }],
  ["position 255", { displayPosition: 255 }],
  ["a null position", { displayPosition: null }],
  ["1 digit of facings", { facings: "4" }],
  ["5 digits of facings", { facings: "00042" }],
  ["empty facings", { facings: "" }],
  ["null facings", { facings: null }],
  ["IDs of 128 characters", { itemId: "x".repeat(128), linkedItemId: "y".repeat(128) }],
  ["unknown fields", { status: "ACTIVE", designId: 5 }],
];

const refused: [string, object, string][] = [
  ["a position below 0", { displayPosition: -1 }, "/displayPosition"],
  ["a position above 255", { displayPosition: 256 }, "/displayPosition"],
  ["half a position", { displayPosition: 0.5 }, "/displayPosition"],
  ["a position as text", { displayPosition: "0" }, "/displayPosition"],
  ["6 digits of facings", { facings: "123456" }, "/facings"],
  ["facings that are not digits", { facings: "four" }, "/facings"],
  ["signed facings", { facings: "-1" }, "/facings"],
  ["facings with a line break", { facings: "1\n" }, "/facings"],
  ["numeric facings", { facings: 4 }, "/facings"],
  ["a numeric item ID next to a SIC", { itemId: 7, linkedItemId: "3850000" }, "/itemId"],
  ["an item ID of 129 characters", { itemId: "x".repeat(129) }, "/itemId"],
  ["a control character in a SIC", { linkedItemId: "3\u00005", itemId: "1" }, "/linkedItemId"],
  ["a barcode of 65 characters", { barcode: "x".repeat(65) }, "/barcode"],
];

for (const [where, check] of Object.entries(checks)) {
  test(`${where} accepts every field of a link`, (t) => {
    for (const [what, fields] of accepted) t.deepEqual(check(fields), [], what);
  });

  test(`${where} refuses invalid fields of a link`, (t) => {
    for (const [what, fields, pointer] of refused) {
      t.deepEqual(
        check(fields).map((fault) => fault.pointer),
        [pointer],
        what,
      );
    }
  });
}

const nameless = [{}, { itemId: null }, { itemId: "" }, { itemId: "", linkedItemId: "" }, { linkedItemId: null }];

test("a link names its item by ID or SIC", (t) => {
  for (const link of nameless) {
    const expected = [faultAt("", refusalNotice("FIELD_FORMS", { detail: "requires itemId or linkedItemId" }))];
    t.deepEqual(compileCheck(LinkRow)(link), expected, JSON.stringify(link));
    t.deepEqual(compileCheck(LinkSingle)({ barcode: "A4", ...link }), expected, JSON.stringify(link));
  }
});

test("a link in an item's row may omit its item ID: the row determines the item", (t) => {
  for (const link of nameless) t.deepEqual(compileCheck(ItemLinkRow)({ barcode: "A4", ...link }), []);
});

test("a link in a label's row may omit its barcode: the row determines the label", (t) => {
  for (const barcode of [undefined, null, "", "A4"]) t.deepEqual(compileCheck(LinkRow)({ itemId: "1", barcode }), []);
});

test("any other link must name its label", (t) => {
  for (const schema of [ItemLinkRow, LinkSingle]) {
    for (const label of [{}, { barcode: null }, { barcode: "" }, { barcode: 5 }]) {
      const faults = compileCheck(schema)({ itemId: "1", ...label });
      t.deepEqual(
        faults.map(({ pointer }) => pointer),
        ["/barcode"],
      );
    }
  }
});

test("link-single validates the label's fields as strictly as PATCH /labels", (t) => {
  const check = compileCheck(LinkSingle);
  const maxLengths = { modelName: 128, linkDepartment: 128, plLocation: 128, homeTrx: 64 };
  for (const [field, length] of Object.entries(maxLengths)) {
    const pointersOf = (value: unknown) =>
      check({ barcode: "A4", itemId: "1", [field]: value }).map(({ pointer }) => pointer);
    for (const value of ["x".repeat(length), "", null]) t.deepEqual(pointersOf(value), [], field);
    for (const value of ["x".repeat(length + 1), "a\u0000", 5]) t.deepEqual(pointersOf(value), [`/${field}`], field);
  }
});
