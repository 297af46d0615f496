import test from "ava";
import { labelFor } from "../../../harness/glass.ts";
import { servedStack } from "../../../harness/served-stack.ts";
import { pointersOf, refused } from "../../calls.ts";

const shelfwire = servedStack({ workers: [] });

const barcode = labelFor("apple");
/** Without this header, forms other than the strict ones are tolerated (test/api/tolerance). */
const strict = { prefer: "handling=strict" };
const itemFaults = async (t: Parameters<typeof refused>[0], rows: unknown) =>
  pointersOf(await refused(t, await shelfwire.call("PATCH", "/items", rows, strict), 400));
const labelFaults = async (t: Parameters<typeof refused>[0], rows: unknown) =>
  pointersOf(await refused(t, await shelfwire.call("PATCH", "/labels", rows, strict), 400));

test("a request has 1 to 20,000 rows, whether of items or of labels", async (t) => {
  const items = Array.from({ length: 20_001 }, () => ({ itemId: "apple" }));
  const labels = Array.from({ length: 20_001 }, () => ({ barcode }));
  t.deepEqual(await itemFaults(t, []), [""]);
  t.deepEqual(await labelFaults(t, []), [""]);
  t.deepEqual(await itemFaults(t, items), [""]);
  t.deepEqual(await labelFaults(t, labels), [""]);
  t.is((await shelfwire.call("PATCH", "/items", items.slice(1))).status, 202);
  t.is((await shelfwire.call("PATCH", "/labels", labels.slice(1))).status, 202);
});

test("all wrong types in item rows are listed in one response, each with its path", async (t) => {
  const rows = [
    { itemId: 7, itemName: ["Apple"], price: 1.99, itemGroup: true, sics: "4001", properties: [], validFrom: 0 },
    { itemId: "pear", sics: ["4001", 4002], properties: { brand: 1, "a/b~c": {} }, links: [{ barcode: 5 }] },
    "plum",
    null,
  ];
  t.deepEqual(await itemFaults(t, rows), [
    "/0/itemGroup",
    "/0/itemId",
    "/0/itemName",
    "/0/price",
    "/0/properties",
    "/0/sics",
    "/0/validFrom",
    "/1/links/0/barcode",
    "/1/properties/a~1b~0c",
    "/1/properties/brand",
    "/1/sics/1",
    "/2",
    "/3",
  ]);
});

test("all wrong types in label rows are listed in one response, each with its path", async (t) => {
  const rows = [
    { barcode: 7, modelName: 1, positions: { manual: { x: "1", y: 2 } }, firstLinked: 0, links: {} },
    { barcode, links: [{ itemId: 5 }, { itemId: "apple", displayPosition: "0" }, { itemId: "apple", facings: 1 }] },
  ];
  t.deepEqual(await labelFaults(t, rows), [
    "/0/barcode",
    "/0/firstLinked",
    "/0/links",
    "/0/modelName",
    "/0/positions/manual/floor",
    "/0/positions/manual/x",
    "/1/links/0",
    "/1/links/0/itemId",
    "/1/links/1/displayPosition",
    "/1/links/2/facings",
  ]);
});

test("a row without itemId or with an empty one is refused", async (t) => {
  t.deepEqual(await itemFaults(t, [{ itemId: "apple" }, { price: "1.99" }, { itemId: "" }, { itemId: null }]), [
    "/1/itemId",
    "/2/itemId",
    "/3/itemId",
  ]);
});

test("a row without a barcode is refused", async (t) => {
  t.deepEqual(await labelFaults(t, [{ modelName: "Medium" }, { barcode: "" }]), ["/0/barcode", "/1/barcode"]);
});

test("a link with neither itemId nor linkedItemId is refused", async (t) => {
  const links = [{}, { itemId: "" }, { itemId: null, linkedItemId: "" }, { linkedItemId: "apple" }];
  t.deepEqual(await labelFaults(t, [{ barcode, links }]), ["/0/links/0", "/0/links/1", "/0/links/2"]);
});

test("a link in an item row must name its label", async (t) => {
  t.deepEqual(await itemFaults(t, [{ itemId: "apple", links: [{ displayPosition: 0 }] }]), ["/0/links/0/barcode"]);
});

test("displayPosition is an integer from 0 to 255, and facings has 1 to 5 digits", async (t) => {
  const links = [
    { itemId: "apple", displayPosition: -1 },
    { itemId: "apple", displayPosition: 256 },
    { itemId: "apple", displayPosition: 0.5 },
    { itemId: "apple", facings: "123456" },
    { itemId: "apple", facings: "two" },
    { itemId: "apple", facings: "-1" },
  ];
  t.deepEqual(await labelFaults(t, [{ barcode, links }]), [
    "/0/links/0/displayPosition",
    "/0/links/1/displayPosition",
    "/0/links/2/displayPosition",
    "/0/links/3/facings",
    "/0/links/4/facings",
    "/0/links/5/facings",
  ]);
});

for (const [when, validFrom] of Object.entries({
  "a day that does not exist": "2026-02-30 10:00:00",
  "29 February of a common year": "2027-02-29 10:00:00",
  "an hour that does not exist": "2026-02-01 24:00:00",
  "a time without seconds": "2026-02-01 10:00",
  "a time in ISO 8601": "2026-02-01T10:00:00",
  "a time with a zone": "2026-02-01 10:00:00Z",
  words: "tomorrow",
})) {
  test(`validFrom: ${when} is refused`, async (t) => {
    t.deepEqual(await itemFaults(t, [{ itemId: "apple", validFrom }]), ["/0/validFrom"]);
  });
}

/** The maximum length in characters of each text field, a row with a value for the field, and the field's pointer. */
const lengths: Record<string, { most: number; row(text: string): object; pointer: string }> = {
  itemId: { most: 128, row: (itemId) => ({ itemId }), pointer: "/0/itemId" },
  itemName: { most: 1024, row: (itemName) => ({ itemId: "apple", itemName }), pointer: "/0/itemName" },
  price: { most: 32, row: (price) => ({ itemId: "apple", price }), pointer: "/0/price" },
  itemGroup: { most: 128, row: (itemGroup) => ({ itemId: "apple", itemGroup }), pointer: "/0/itemGroup" },
  department: { most: 128, row: (department) => ({ itemId: "apple", department }), pointer: "/0/department" },
  presentation: { most: 128, row: (presentation) => ({ itemId: "apple", presentation }), pointer: "/0/presentation" },
  SIC: { most: 64, row: (sic) => ({ itemId: "apple", sics: [sic] }), pointer: "/0/sics/0" },
  "property value": {
    most: 4096,
    row: (brand) => ({ itemId: "apple", properties: { brand } }),
    pointer: "/0/properties/brand",
  },
};

for (const [what, { most, row, pointer }] of Object.entries(lengths)) {
  test(`${what}: at most ${most} characters`, async (t) => {
    t.is((await shelfwire.call("PATCH", "/items", [row("é".repeat(most))])).status, 202);
    t.deepEqual(await itemFaults(t, [row("é".repeat(most + 1))]), [pointer]);
  });
}

test("a property's name has 1 to 128 characters", async (t) => {
  const longest = "é".repeat(128);
  const named = (name: string) => [{ itemId: "apple", properties: { [name]: "value" } }];
  t.is((await shelfwire.call("PATCH", "/items", named(longest))).status, 202);
  t.deepEqual(await itemFaults(t, named(`${longest}é`)), [`/0/properties/${longest}é`]);
  t.deepEqual(await itemFaults(t, named("")), ["/0/properties/"]);
});

test("an item row has at most 100 SICs and 256 properties", async (t) => {
  const sics = Array.from({ length: 101 }, (_, index) => `sic ${index}`);
  const properties = Object.fromEntries(Array.from({ length: 257 }, (_, index) => [`name ${index}`, "value"]));
  t.deepEqual(await itemFaults(t, [{ itemId: "apple", sics, properties }]), ["/0/properties", "/0/sics"]);
});

test("IDs and property names contain no control characters", async (t) => {
  const row = { itemId: "a\u0000", sics: ["4\u001f"], properties: { "b\n": "value" }, itemGroup: "c\u007f" };
  t.deepEqual(await itemFaults(t, [row]), ["/0/itemGroup", "/0/itemId", "/0/properties/b\n", "/0/sics/0"]);
});

test("IDs with unpaired surrogates are rejected, because they would make two IDs equal", async (t) => {
  t.deepEqual(await itemFaults(t, '[{"itemId": "\\ud800"}, {"itemId": "a\\udc01", "sics": ["\\ud801"]}]'), [
    "/0/itemId",
    "/1/itemId",
    "/1/sics/0",
  ]);
});

test("unknown fields are ignored, since older clients send extra fields", async (t) => {
  const item = { itemId: "apple", colour: 7, links: [{ barcode, shelf: [] }] };
  t.is((await shelfwire.call("PATCH", "/items", [item])).status, 202);
  t.is((await shelfwire.call("PATCH", "/labels", [{ barcode, shelf: {} }])).status, 202);
});

test("PATCH /items/{itemId} lists invalid fields without a row number", async (t) => {
  const answer = await shelfwire.call("PATCH", "/items/apple", { price: 1.99, validFrom: "tomorrow" }, strict);
  t.deepEqual(pointersOf(await refused(t, answer, 400)), ["/price", "/validFrom"]);
});

test("PATCH /items/{itemId} accepts one item, not a list", async (t) => {
  await refused(t, await shelfwire.call("PATCH", "/items/apple", [{ itemId: "apple" }]), 400);
});

test("PATCH /items/{itemId} refuses a body that names an item other than the path's", async (t) => {
  const answer = await shelfwire.call("PATCH", "/items/apple", { itemId: "pear" });
  t.deepEqual(pointersOf(await refused(t, answer, 400)), ["/itemId"]);
});
