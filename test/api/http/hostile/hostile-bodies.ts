import type { TSchema } from "typebox";
import type { Route } from "../../../../api/http/route.ts";
import { createRoutes, type RoutesWorld } from "../../../../api/routes.ts";

const MiB = 2 ** 20;

/** A body that is made to cost far more than it is worth, and the operation that it is sent to. */
export interface HostileBody {
  name: string;
  operation: string;
  make(): string | Buffer;
}

const many = (count: number, part: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => part(index)).join(",");
const zeros = (count: number): string => `${"0,".repeat(count)}0`;
const rowsOf = (count: number, row: (index: number) => string): string => `[${many(count, row)}]`;
const LOOP = `[${many(100, String)}]`;
const scenario = (name: string, expression: string, children = ""): string =>
  `{"name":"${name}","design_ids":[],"cel_expression":${JSON.stringify(expression)},"children":[${children}]}`;
const pack = (scenarios: string): string => `{"name":"p","scenarios":[${scenarios}]}`;
const grouped = (groups: number, each: number, expression: (index: number) => string): string =>
  pack(
    many(groups, (group) =>
      scenario(
        "g",
        "false",
        many(each, (index) => scenario("same", expression(group * each + index))),
      ),
    ),
  );
const deep = (levels: number): string =>
  levels === 0 ? scenario("d", "true") : scenario("d", "true", deep(levels - 1));
const frame = '"name":"c","width":296,"height":128,"background":"white"';
const textElement = (text: string, more = ""): string =>
  `{"kind":"text","x":0,"y":0,"width":290,"height":120,"font":"bold","size":20,"color":"black","text":${JSON.stringify(text)}${more}}`;
const canvas = (elements: string, more = ""): string => `{${frame},"elements":[${elements}]${more}}`;
const item = (fields: string): string => `[{"itemId":"a",${fields}}]`;

/** Character classes of letters: each takes a table of a million entries. */
const letters = (count: number): string => `(?i)[${"\\\\pL".repeat(count)}]`;
const dearAndFaulty = (at: number): string =>
  scenario(
    `f${at}`,
    `${Array(3)
      .fill(`item.a.matches("${letters(150)}${at}")`)
      .join(" || ")} || item.a.matches("(")`,
  );
const expressionOf = (json: string): string => (JSON.parse(json) as { cel_expression: string }).cel_expression;
/** A pack just within the budgets for its parts and for its regular expressions. */
const legalPack = grouped(
  2,
  500,
  (at) =>
    `item.a${at} == "${at}" && item.b in ["1", "2", "3", "4", "5", "6", "7"]${at < 100 ? ` || item.c.matches("(?i)\\\\pL{2}${at}")` : ""}`,
);
const tried = (item: string): string =>
  `"item":{"itemId":"a","properties":{"a":${JSON.stringify(item)}}},"labelType":1328`;
const trial = (fields: string): string => `{${fields},${tried("a")}}`;
const preview = (
  call: string,
  item: string,
  element = (text: string) => textElement(JSON.parse(text) as string),
): string => {
  const text = JSON.stringify(`\${${Array(5).fill(call).join(" + ")}}`);
  return `{"canvas":${canvas(many(200, () => element(text)))},"storeId":"main",${tried(item)}}`;
};

const bodies: readonly [operation: string, name: string, make: () => string | Buffer][] = [
  ["deleteItems", "three million zeros as IDs", () => `{"itemIds":[${zeros(3_000_000)}]}`],
  ["deleteItems", "20,000 zeros for ids", () => `{"itemIds":[${zeros(19_999)}]}`],
  ["deleteItems", "20,001 ids", () => `{"itemIds":[${many(20_001, () => '"a"')}]}`],
  ["deleteItems", "lists as IDs", () => `{"itemIds":[${many(20_000, () => "[]")}]}`],
  ["deleteItems", "an object of a million names", () => `{"itemIds":["a"],${many(1_000_000, () => '"k":0')}}`],
  ["deleteItems", "999 unknown names", () => `{"itemIds":["a"],${many(999, (index) => `"k${index}":0`)}}`],
  ["patchItems", "sixteen million zeros", () => `[${zeros(16 * MiB - 2)}]`],
  ["patchItems", "a million empty rows", () => rowsOf(1_000_000, () => "{}")],
  ["patchItems", "a million nulls", () => rowsOf(1_000_000, () => "null")],
  ["patchItems", "20,000 numbers for rows", () => rowsOf(20_000, String)],
  ["patchItems", "20,000 empty rows", () => rowsOf(20_000, () => "{}")],
  ["patchItems", "20,001 rows", () => rowsOf(20_001, () => '{"itemId":"a"}')],
  ["patchItems", "100,000 lists in each other", () => "[".repeat(100_000) + "]".repeat(100_000)],
  ["patchItems", "100,000 objects in each other", () => `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`],
  ["patchItems", "lists that never end", () => "[".repeat(16 * MiB)],
  ["patchItems", "63 levels of long lists", () => `${"[".repeat(63)}${zeros(150_000)}${"]".repeat(63)}`],
  ["patchItems", "three million zeros as codes", () => item(`"sics":[${zeros(3_000_000)}]`)],
  ["patchItems", "101 codes", () => item(`"sics":[${many(101, () => '"1"')}]`)],
  [
    "patchItems",
    "100 wrong codes in every row",
    () => rowsOf(9_000, () => `{"itemId":"a","sics":[${many(99, () => "false")}]}`),
  ],
  ["patchItems", "objects as codes", () => item(`"sics":[${many(100, () => "{}")}]`)],
  ["patchItems", "a million properties", () => item(`"properties":{${many(1_000_000, (at) => `"k${at}":"v"`)}}`)],
  ["patchItems", "257 properties", () => item(`"properties":{${many(257, (at) => `"k${at}":"v"`)}}`)],
  ["patchItems", "256 wrong properties", () => item(`"properties":{${many(256, (at) => `"\\u0000${at}":[]`)}}`)],
  [
    "patchItems",
    "256 wrong properties in every row",
    () => rowsOf(3_000, () => `{"itemId":"a","properties":{${many(256, (at) => `"k${at}":false`)}}}`),
  ],
  ["patchItems", "1,001 links", () => item(`"links":[${many(1_001, () => "{}")}]`)],
  ["patchItems", "1,000 wrong links", () => item(`"links":[${many(1_000, () => "{}")}]`)],
  ["patchItems", "100,000 links", () => item(`"links":[${many(99_999, () => "{}")}]`)],
  ["patchItems", "an id of 10 MiB", () => `[{"itemId":"${"x".repeat(10 * MiB)}"}]`],
  ["patchItems", "a name of 60 KiB", () => item(`"itemName":"${"x".repeat(60_000)}"`)],
  ["patchItems", "names of 60 KiB", () => rowsOf(500, () => `{"itemId":"a","itemName":"${"x".repeat(60_000)}"}`)],
  ["patchItems", "a text of escapes", () => item(`"itemName":"${"\\u0041".repeat(5 * MiB)}"`)],
  ["patchItems", "a property's name of 60 KiB", () => item(`"properties":{"${"k".repeat(60_000)}":"v"}`)],
  ["patchItems", "32 MiB of blanks", () => " ".repeat(32 * MiB)],
  ["patchItems", "32 MiB of digits", () => `[${"7".repeat(32 * MiB - 2)}]`],
  ["patchItems", "numbers that are too large", () => rowsOf(20_000, () => "1e400")],
  ["patchItems", "a name twice, 900 times", () => `[{${many(900, () => '"itemId":"a"')}}]`],
  [
    "patchItems",
    "a name twice in the last row",
    () => rowsOf(20_000, (at) => (at === 19_999 ? '{"itemId":"a","itemId":"b"}' : '{"itemId":"a"}')),
  ],
  [
    "patchItems",
    "a million different names",
    () => rowsOf(900, (row) => `{${many(900, (at) => `"k${row}x${at}":0`)}}`),
  ],
  ["patchItems", "halves of surrogate pairs", () => rowsOf(20_000, () => '{"itemId":"\\ud800"}')],
  ["patchItems", "a text that never ends", () => `["${"x".repeat(31 * MiB)}`],
  ["patchItems", "a list that never ends", () => `[${many(20_000, () => '{"itemId":"a"}')}`],
  [
    "patchItems",
    "bytes at the end that are not UTF-8",
    () => Buffer.concat([Buffer.from(`[${zeros(60_000)},"`), Buffer.from([255]), Buffer.from('"]')]),
  ],
  ["patchItems", "16 million commas", () => `[${",".repeat(16 * MiB)}]`],
  ["patchItems", "32 million colons", () => ":".repeat(32 * MiB)],
  ["patchItems", "closing brackets", () => "]".repeat(16 * MiB)],
  ["patchItems", "quotes", () => '"'.repeat(16 * MiB)],
  ["patchItems", "backslashes", () => `["${"\\\\".repeat(15 * MiB)}"]`],
  ["patchItems", "byte order marks", () => Buffer.from(`[${"\ufeff".repeat(MiB)}]`)],
  ["patchItems", "only a text", () => `"${"x".repeat(32 * MiB - 2)}"`],
  ["patchLabels", "256 wrong links in every row", () => rowsOf(2_000, () => `{"barcode":"a","links":[${zeros(255)}]}`)],
  ["patchLabels", "257 links", () => `[{"barcode":"a","links":[${zeros(256)}]}]`],
  ["patchLabels", "a barcode that is an object of lists", () => `[{"barcode":{"a":[${zeros(90_000)}]}}]`],
  ["putPack", "20,000 scenarios of one name", () => grouped(20, 1_000, () => "true")],
  ["putPack", "9,000 scenarios of one name", () => grouped(9, 1_000, () => "true")],
  ["putPack", "1,001 scenarios in one list", () => pack(many(1_001, () => scenario("a", "true")))],
  ["putPack", "99,000 scenarios in one list", () => pack(many(99_000, () => "{}"))],
  ["putPack", "1,000 wrong scenarios", () => pack(many(1_000, () => "{}"))],
  ["putPack", "nested scenarios", () => pack(deep(25))],
  [
    "putPack",
    "costly expressions",
    () => grouped(1, 900, (at) => `${LOOP}.exists(x, ${LOOP}.exists(y, x == ${1000 + at}))`),
  ],
  ["putPack", "wide expressions", () => grouped(2, 900, (at) => Array(40).fill(`item.a == "${at}"`).join(" || "))],
  ["putPack", "regular expressions", () => grouped(1, 900, (at) => `item.a.matches("(a${at}|b){40}")`)],
  [
    "putPack",
    "a regular expression that repeats itself",
    () => grouped(1, 900, (at) => `item.a.matches("((a{1000}){1000}){${at}}")`),
  ],
  ["putPack", "regular expressions of many letters in front of a fault", () => pack(many(300, dearAndFaulty))],
  ["validatePack", "300 expressions that do not compile", () => pack(many(300, dearAndFaulty))],
  ["putPack", "9,000 expressions that do not compile", () => grouped(9, 1_000, (at) => `item.a ${at}`)],
  [
    "putPack",
    "regular expressions of the highest allowed cost",
    () => grouped(1, 900, (at) => `item.a.matches("${letters(20)}${at}")`),
  ],
  [
    "putPack",
    "unknown designs",
    () => pack(many(220, () => `{"name":"a","design_ids":[${many(90, (at) => `"t/demo/designs/d${at}"`)}]}`)),
  ],
  ["tryPack", "a pack of the highest allowed cost", () => trial(`"pack":${legalPack},"storeId":"main"`)],
  ["comparePack", "a pack of the highest allowed cost", () => legalPack],
  ["putPack", "nested macros", () => pack(scenario("a", `${LOOP}.all(a,${LOOP}.all(b,${LOOP}.all(c,true)))`))],
  ["putPack", "brackets in an expression", () => pack(scenario("a", "(".repeat(4_096)))],
  [
    "putPack",
    "100 wrong designs in every scenario",
    () => pack(many(900, () => `{"name":"a","design_ids":[${zeros(99)}]}`)),
  ],
  ["putCanvasDesign", "100,000 elements", () => canvas(zeros(99_998))],
  ["putCanvasDesign", "200 wrong elements", () => canvas(many(200, () => "{}"))],
  ["putCanvasDesign", "90,000 variants", () => canvas("", `,"variants":[${zeros(90_000)}]`)],
  [
    "putCanvasDesign",
    "200 costly texts",
    () => canvas(many(200, (at) => textElement(`\${${LOOP}.map(x, ${LOOP}.exists(y, x == ${at}-y)).size()}`))),
  ],
  [
    "putCanvasDesign",
    "200 texts of many expressions",
    () => canvas(many(200, (at) => textElement(`\${item.a${at}}`.repeat(300)))),
  ],
  [
    "putCanvasDesign",
    "200 texts that do not compile",
    () => canvas(many(200, (at) => textElement(`\${${expressionOf(dearAndFaulty(at))}}`))),
  ],
  ["previewDesign", "quantities of blanks", () => preview("quantity(item.a)", " ".repeat(4_096))],
  ["previewDesign", "units of digits", () => preview("unit(item.a)", "1".repeat(4_096))],
  ["previewDesign", "dates with offsets", () => preview("date(item.a)", "Z[".repeat(2_048))],
  ["previewDesign", "titles of letters", () => preview("title(item.a)", "a ".repeat(2_048))],
  ["previewDesign", "prices of digits", () => preview("price(item.a)", "7".repeat(4_096))],
  ["previewDesign", "texts that are not numbers", () => preview("double(item.a)", `${"1".repeat(4_095)}x`)],
  [
    "previewDesign",
    "images that are named by quantities",
    () =>
      preview(
        "quantity(item.a)",
        " ".repeat(4_096),
        (text) => `{"kind":"image","x":0,"y":0,"width":9,"height":9,"image":${text}}`,
      ),
  ],
  ["putDesign", "100,000 label types", () => `{"name":"a","canvasId":"a","compatible_esltype_ids":[${zeros(99_998)}]}`],
  [
    "putDesign",
    "objects as label types",
    () => `{"name":"a","canvasId":"a","compatible_esltype_ids":[${many(1_000, () => "{}")}]}`,
  ],
  ["createSubscription", "100,000 topics", () => `{"url":"https://a.example","topics":[${zeros(99_998)}]}`],
];

/** Bodies that each cost seconds or gigabytes in a server that parses and checks a body before it counts anything. */
export const hostileBodies: readonly HostileBody[] = bodies.map(([operation, name, make]) => ({
  operation,
  name,
  make,
}));

const routes = new Map(
  createRoutes({ linkSingle: {}, management: {} } as RoutesWorld).map((route) => [route.operationId, route]),
);

/** Returns the route of an operation with a body. */
export function routeOf(operation: string): Route & { body: TSchema } {
  const route = routes.get(operation);
  if (route?.body === undefined) throw new Error(`there is no operation ${operation} with a body`);
  return route as Route & { body: TSchema };
}
