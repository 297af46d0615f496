import test from "ava";
import fc from "fast-check";
import type { TSchema } from "typebox";
import { Type } from "typebox";
import { bodyLimits } from "../../../api/body/body-limits.ts";
import { compileBodyCheck } from "../../../api/body/check-body.ts";
import { parseJson, parseWrittenJson } from "../../../api/body/parse-json.ts";
import { tolerate } from "../../../api/tolerance/strict-form.ts";
import { DisplayPage } from "../../../schemas/display-page.ts";
import { FlashItems, FlashRequest } from "../../../schemas/flash.ts";
import { ItemPatch } from "../../../schemas/item.ts";
import { LabelPatch } from "../../../schemas/label.ts";

const ZONE = { timeZone: "Europe/Zagreb" };
const Rows = Type.Array(ItemPatch, { minItems: 1 });

/** Returns the body as an operation with this schema reads it, or its faults. */
async function taken(schema: TSchema, text: string): Promise<unknown> {
  const bytes = Buffer.from(text);
  const { faults, value } = await compileBodyCheck(schema)(await parseJson(bytes, bodyLimits.json, () => {}), {
    ...ZONE,
    readWritten: () => parseWrittenJson(bytes, bodyLimits.json, () => {}),
  });
  return faults.length > 0 ? faults.map(({ pointer, detail }) => `${pointer} ${detail}`) : value;
}

for (const [what, schema, sent, strict] of [
  ["one row instead of a list", Rows, '{"itemId":"1"}', [{ itemId: "1" }]],
  [
    "one link instead of a list",
    LabelPatch,
    '{"barcode":"D4","links":{"itemId":"1"}}',
    { barcode: "D4", links: [{ itemId: "1" }] },
  ],
  ["a numeric price", Rows, '[{"itemId":"1","price":1.99}]', [{ itemId: "1", price: "1.99" }]],
  ["a numeric ID", Rows, '[{"itemId":4711,"sics":[3850000000017]}]', [{ itemId: "4711", sics: ["3850000000017"] }]],
  [
    "a numeric property",
    Rows,
    '[{"itemId":"1","properties":{"size":-0.5}}]',
    [{ itemId: "1", properties: { size: "-0.5" } }],
  ],
  [
    "a null property",
    Rows,
    '[{"itemId":"1","properties":{"a":null,"b":"c"}}]',
    [{ itemId: "1", properties: { b: "c" } }],
  ],
  [
    "numbers in properties, as they were written",
    Rows,
    '[{"itemId":"1","properties":{"net":70.0,"small":1e-7,"long":12345678901234567890,"list":3}}]',
    [{ itemId: "1", properties: { net: "70.0", small: "1e-7", long: "12345678901234567890", list: "3" } }],
  ],
  [
    "booleans in properties: true is a string, false an empty field",
    Rows,
    '[{"itemId":"1","properties":{"organic":true,"origin":false}}]',
    [{ itemId: "1", properties: { organic: "true" } }],
  ],
  [
    "false in place of optional strings",
    Rows,
    '[{"itemId":"1","itemName":false,"price":"1.00","validFrom":false}]',
    [{ itemId: "1", price: "1.00" }],
  ],
  [
    "false in place of an optional list or object",
    Rows,
    '[{"itemId":"1","sics":false,"properties":false,"links":false}]',
    [{ itemId: "1" }],
  ],
  ["a whole number of choices as text", FlashRequest, '{"flashType":"20"}', { flashType: 20 }],
  ["an empty string in a field of choices", DisplayPage, '{"action":"","page":"0"}', { page: "0" }],
  [
    "a display position as text",
    LabelPatch,
    '{"barcode":"D4","links":[{"itemId":"1","displayPosition":"0"}]}',
    { barcode: "D4", links: [{ itemId: "1", displayPosition: 0 }] },
  ],
  [
    "a manual position as text",
    LabelPatch,
    '{"barcode":"D4","positions":{"manual":{"x":"1.5","y":"-2","floor":"0"}}}',
    { barcode: "D4", positions: { manual: { x: 1.5, y: -2, floor: 0 } } },
  ],
  [
    "numeric facings",
    LabelPatch,
    '{"barcode":"D4","links":[{"itemId":"1","facings":2}]}',
    { barcode: "D4", links: [{ itemId: "1", facings: "2" }] },
  ],
  ["a boolean as text", FlashRequest, '{"realTime":"False"}', { realTime: false }],
  ["a boolean as a number", FlashRequest, '{"realTime":1}', { realTime: true }],
  [
    "fields of a flash in configuration",
    FlashItems,
    '{"configuration":{"color":"#ff0000","duration":9},"itemIds":["1"]}',
    { color: "#ff0000", duration: 9, itemIds: ["1"] },
  ],
  [
    "the same value inside and next to configuration",
    FlashRequest,
    '{"configuration":{"duration":9},"duration":9}',
    { duration: 9 },
  ],
  [
    "a time in ISO 8601",
    Rows,
    '[{"itemId":"1","validFrom":"2026-03-01T08:00:00Z"}]',
    [{ itemId: "1", validFrom: "2026-03-01 09:00:00" }],
  ],
] as const) {
  test(`${what} is accepted as its strict form`, async (t) => {
    t.deepEqual(await taken(schema, sent), strict);
    t.deepEqual(await taken(schema, JSON.stringify(strict)), strict);
  });
}

for (const [what, schema, sent, fault] of [
  [
    "a number that lost its trailing zero",
    Rows,
    '[{"itemId":"1","price":1.10}]',
    /^\/0\/price must be a string; as a number, 1\.10 is not kept exactly\. Send "1\.10"$/,
  ],
  ["a number with an exponent", Rows, '[{"itemId":"1"},{"itemId":1e3}]', /^\/1\/itemId .*1e3/],
  [
    "more digits than a number can hold",
    Rows,
    '[{"itemId":12345678901234567890}]',
    /^\/0\/itemId .*12345678901234567890/,
  ],
  ["a number whose text is too long", Rows, `[{"itemId":"1","price":0.${"3".repeat(40)}}]`, /^\/0\/price /],
  [
    "a fault in a single row that is not a list",
    Rows,
    '{"itemId":"1","price":true}',
    /^\/price must be a string or null, not true/,
  ],
  [
    "two values for one field",
    FlashRequest,
    '{"configuration":{"duration":9},"duration":8}',
    /^\/configuration\/duration differs from the value next to it/,
  ],
  [
    "a known field in the wrong place",
    FlashItems,
    '{"settings":{"color":"#ff0000"},"itemIds":["1"]}',
    /^\/settings\/color is not allowed here/,
  ],
  [
    "an invalid value in configuration",
    FlashRequest,
    '{"configuration":{"color":"red"}}',
    /^\/color must be a colour such as "#00ff00"/,
  ],
  [
    "an hour that occurs twice",
    Rows,
    '[{"itemId":"1","validFrom":"2026-10-25T01:30:00Z"}]',
    /^\/0\/validFrom falls into an hour that occurs twice in Europe\/Zagreb/,
  ],
  [
    "a day that does not exist",
    Rows,
    '[{"itemId":"1","validFrom":"2026-02-30T01:30:00Z"}]',
    /^\/0\/validFrom must be a time/,
  ],
  ["null in a field that requires a value", Rows, '[{"itemId":null}]', /^\/0\/itemId must be a string, not null/],
  ["an ID that is false", Rows, '[{"itemId":false}]', /^\/0\/itemId must be a string, not false/],
  ["a required list that is false", FlashItems, '{"itemIds":false}', /^\/itemIds must be a list, not false/],
  ["an unknown choice", FlashRequest, '{"flashType":"25"}', /^\/flashType must be one of 10, 20, 30, 40, 50/],
  [
    "a fraction as text instead of a whole number",
    LabelPatch,
    '{"barcode":"D4","links":[{"itemId":"1","displayPosition":"0.5"}]}',
    /^\/links\/0\/displayPosition must be an integer or null, not "0.5"/,
  ],
  ["a string instead of a list of strings", Rows, '[{"itemId":"1","sics":"5"}]', /^\/0\/sics must be a list/],
] as const) {
  test(`${what} is refused with its reason`, async (t) => {
    const faults = (await taken(schema, sent)) as string[];
    t.regex(String(faults[0]), fault);
    t.is(faults.length, 1);
  });
}

const text = fc.oneof(
  fc.string({ minLength: 1, maxLength: 12 }),
  fc.integer().map(String),
  fc.double({ noNaN: true }).map(String),
);
const row = fc.record(
  {
    itemId: text,
    itemName: text,
    price: text,
    sics: fc.uniqueArray(text, { maxLength: 3 }),
    properties: fc.dictionary(fc.constantFrom("unit", "__proto__", "a/b", "1"), text),
    links: fc.array(fc.record({ barcode: text, displayPosition: fc.nat(9) }), { maxLength: 2 }),
    validFrom: fc.constantFrom("2026-03-01 08:00:00", "2026-07-01 23:59:59"),
  },
  { requiredKeys: ["itemId"] },
);

/** Returns whether a string is written exactly as JSON writes the number. */
const isNumeral = (value: string) =>
  String(Number(value)) === value && Number.isFinite(Number(value)) && !/e/.test(value);

/** Returns a value as careless programs send it; `loose` decides at random which parts differ. */
function loosened(value: unknown, loose: () => boolean): unknown {
  if (typeof value === "string" && isNumeral(value) && loose()) return Number(value);
  if (typeof value === "string" && /^\d{4}-\d\d-\d\d /.test(value) && loose()) return value.replace(" ", "T");
  if (Array.isArray(value)) {
    const made = value.map((one) => loosened(one, loose));
    return made.length === 1 && typeof made[0] === "object" && loose() ? made[0] : made;
  }
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([name, field]) => [name, loosened(field, loose)]);
  return Object.fromEntries(fields);
}

test("a tolerated form has the same effect as its strict form in any row", async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 3 }),
      fc.infiniteStream(fc.boolean()),
      async (rows, draws) => {
        const sent = JSON.stringify(loosened(rows, () => draws.next().value ?? false));
        const strict = await taken(Rows, JSON.stringify(rows));
        if (Array.isArray(strict) && typeof strict[0] === "string") return; // The strict form has faults too.
        t.deepEqual(await taken(Rows, sent), strict);
      },
    ),
    { numRuns: 300 },
  );
});

test("a strict form is unchanged", (t) => {
  fc.assert(
    fc.property(row, (strict) => {
      const { value, faults } = tolerate(ItemPatch, strict, ZONE);
      t.deepEqual(JSON.stringify(value), JSON.stringify(strict));
      t.deepEqual(faults, []);
    }),
  );
});
