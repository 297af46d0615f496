import test from "ava";
import { LabelPatch } from "../../schemas/label.ts";
import { compileCheck } from "../../schemas/validate.ts";

const check = compileCheck(LabelPatch);
const pointersOf = (row: unknown) => check(row).map(({ pointer }) => pointer);
const withBarcode = (fields: object) => ({ barcode: "A4", ...fields });

const lengths: [string, number][] = [
  ["barcode", 64],
  ["modelName", 128],
  ["linkDepartment", 128],
  ["plLocation", 128],
  ["homeTrx", 64],
];
for (const [field, max] of lengths) {
  test(`${field} has at most ${max} characters, none of them a control character`, (t) => {
    t.deepEqual(pointersOf(withBarcode({ [field]: "x".repeat(max) })), []);
    t.deepEqual(pointersOf(withBarcode({ [field]: "x".repeat(max + 1) })), [`/${field}`]);
    t.deepEqual(pointersOf(withBarcode({ [field]: "a\u0007" })), [`/${field}`]);
  });
}

test("device is a MAC address of 12 or 16 hexadecimal digits", (t) => {
  for (const device of ["00000218D6C53B19", "0218d6c53b19", "", null])
    t.deepEqual(pointersOf(withBarcode({ device })), []);
  for (const device of ["0218D6C53B1", "00:02:18:D6:C5:3B", "00000218D6C53B1G"])
    t.deepEqual(pointersOf(withBarcode({ device })), ["/device"], device);
});

test("barcode is required, neither null nor empty", (t) => {
  for (const row of [{}, { barcode: null }, { barcode: "" }]) t.deepEqual(pointersOf(row), ["/barcode"]);
});

test("a barcode outside every scheme is an error of the row, not of the body", (t) => {
  t.deepEqual(check({ barcode: "not a label" }), []);
});

const ignored = [
  "plState",
  "batteryState",
  "lowBatteryDate",
  "lastTrxList",
  "hardwareRevision",
  "lastDisplayUpdate",
  "batteryStateChanged",
  "batteryStateLastConfirmed",
  "batteryStateFirstEnteredLow",
  "firstLinked",
  "lastLinked",
  "lastUpdate",
  "lastOkUpdate",
];
for (const field of ignored) {
  test(`${field} is type-checked and otherwise ignored, so that a response can be sent back`, (t) => {
    for (const value of [null, "", "OK", "2026-01-01 12:00:00", "2026-01-01T12:00:00.000+01:00"]) {
      t.deepEqual(check(withBarcode({ [field]: value })), [], String(value));
    }
    t.deepEqual(pointersOf(withBarcode({ [field]: 7 })), [`/${field}`]);
  });
}

const accepted: [string, object][] = [
  ["only the barcode", {}],
  ["nulls", { modelName: null, linkDepartment: null, plLocation: null, homeTrx: null, positions: null, links: null }],
  ["empty strings", { modelName: "", linkDepartment: "", plLocation: "", homeTrx: "" }],
  ["no manual position", { positions: {} }],
  ["a null manual position", { positions: { manual: null } }],
  ["a manual position", { positions: { manual: { x: 1.5, y: -2, floor: 0 } } }],
  ["unknown fields, including in positions", { shelf: 4, positions: { automatic: { x: "?" } } }],
  ["no links", { links: [] }],
  ["a link in a response's format", { links: [{ barcode: "A4", itemId: "1", linkedItemId: "1", facings: null }] }],
  ["256 links", { links: Array.from({ length: 256 }, () => ({ itemId: "1" })) }],
];
for (const [what, fields] of accepted) {
  test(`accepted: ${what}`, (t) => {
    t.deepEqual(check(withBarcode(fields)), []);
  });
}

const refused: [string, object, string[]][] = [
  ["a position without a floor", { positions: { manual: { x: 1, y: 2 } } }, ["/positions/manual/floor"]],
  ["coordinates as text", { positions: { manual: { x: "1", y: 2, floor: 0 } } }, ["/positions/manual/x"]],
  ["half a floor", { positions: { manual: { x: 1, y: 2, floor: 0.5 } } }, ["/positions/manual/floor"]],
  ["positions as a list", { positions: [] }, ["/positions"]],
  ["a link without an item", { links: [{ displayPosition: 0 }] }, ["/links/0"]],
  ["257 links", { links: Array.from({ length: 257 }, () => ({ itemId: "1" })) }, ["/links"]],
  ["a numeric model name", { modelName: 5 }, ["/modelName"]],
];
for (const [what, fields, pointers] of refused) {
  test(`refused: ${what}`, (t) => {
    t.deepEqual(pointersOf(withBarcode(fields)), pointers);
  });
}
