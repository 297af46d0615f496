import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import fc from "fast-check";
import { assertColumns, itemOf, type Mapping, readMapping } from "../../../scripts/operate/import/mapping.ts";

const full: Mapping = {
  itemId: "Id",
  itemName: "Name",
  price: ["Special", "Price"],
  sics: ["Ean", ["Plu", "Ean2"]],
  properties: { brand: "Brand", priceKind: { ifFilled: "Special", use: "special", otherwise: "regular" } },
};
const header = ["Id", "Name", "Special", "Price", "Ean", "Plu", "Ean2", "Brand"];
const row = (cells: Record<string, string>) => ({ ...Object.fromEntries(header.map((name) => [name, ""])), ...cells });

const mapped: [rule: string, cells: Record<string, string>, item: object][] = [
  [
    "columns become fields",
    { Id: "7", Name: "Kruh", Price: "1.99", Ean: "40170725", Brand: "Naš" },
    {
      itemId: "7",
      itemName: "Kruh",
      price: "1.99",
      sics: ["40170725"],
      properties: { brand: "Naš", priceKind: "regular" },
    },
  ],
  ["empty values are omitted", { Id: "7" }, { itemId: "7", properties: { priceKind: "regular" } }],
  [
    "the first filled column of several is used",
    { Id: "7", Special: "0.99", Price: "1.99", Plu: "12", Ean2: "13" },
    { itemId: "7", price: "0.99", sics: ["12"], properties: { priceKind: "special" } },
  ],
  [
    "if the first is empty, the next one is used",
    { Id: "7", Price: "1.99", Ean: "11", Ean2: "13" },
    { itemId: "7", price: "1.99", sics: ["11", "13"], properties: { priceKind: "regular" } },
  ],
  [
    "a column with a zero or a space counts as filled",
    { Id: "7", Special: "0", Price: "1.99", Name: " ", Plu: " ", Ean2: "13" },
    { itemId: "7", itemName: " ", price: "0", sics: [" "], properties: { priceKind: "special" } },
  ],
];

for (const [rule, cells, item] of mapped) {
  test(rule, (t) => t.deepEqual(itemOf(row(cells), full) as object, item));
}

test("a mapping without properties and codes produces neither", (t) => {
  t.deepEqual(itemOf(row({ Id: "7", Brand: "Naš", Ean: "11" }), { itemId: "Id" }), { itemId: "7" });
});

test("IDs, prices, names and codes are never changed", (t) => {
  const cell = fc.string({ minLength: 1 });
  fc.assert(
    fc.property(cell, cell, cell, cell, cell, (Id, Name, Price, Ean, Brand) => {
      const { itemId, itemName, price, sics, properties } = itemOf(row({ Id, Name, Price, Ean, Brand }), full);
      t.deepEqual([itemId, itemName, price, sics, properties?.brand], [Id, Name, Price, [Ean], Brand]);
    }),
  );
});

for (const text of ["007", "1.90", "1,9", "1.", " 5 ", "1e3", "№ 5 „žuto“", "0".repeat(40)]) {
  test(`"${text}" stays "${text}" as ID, name, price and code`, (t) => {
    const { itemId, itemName, price, sics } = itemOf(row({ Id: text, Name: text, Price: text, Ean: text }), full);
    t.deepEqual([itemId, itemName, price, sics], [text, text, text, [text]]);
  });
}

test("a file with every mapped column is accepted, whatever its other columns", (t) => {
  t.notThrows(() => assertColumns(full, [...header, "Anything"]));
});

for (const column of header) {
  test(`a file without the column ${column} is refused, and the error names the missing and the existing columns`, (t) => {
    const rest = header.filter((name) => name !== column);
    const message = `the file has no column ${column}; its columns are ${rest.join(", ")}`;
    t.throws(() => assertColumns(full, rest), { message });
  });
}

test("every missing column is named, once", (t) => {
  const twice: Mapping = {
    itemId: "Id",
    price: "Cost",
    properties: { cost: "Cost", kind: { ifFilled: "Kind", use: "a", otherwise: "b" } },
  };
  t.throws(() => assertColumns(twice, ["Id"]), { message: /no column Cost, Kind;/ });
});

test.serial("a mapping is read from its file; an invalid one is refused, and the error names the file", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "mapping-"));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const [good, bad] = [join(folder, "good.json"), join(folder, "bad.json")];
  writeFileSync(good, JSON.stringify(full));
  writeFileSync(bad, JSON.stringify({ itemName: "Name", price: [] }));
  t.deepEqual(await readMapping(good), full);
  await t.throwsAsync(readMapping(bad), { message: /bad\.json: .*itemId is missing/ });
});
