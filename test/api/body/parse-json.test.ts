import test from "ava";
import fc from "fast-check";
import { bodyLimits } from "../../../api/body/body-limits.ts";
import { parseJson } from "../../../api/body/parse-json.ts";
import { ProblemError } from "../../../api/http/problem-error.ts";
import { computingCounts } from "../../../schemas/computing-counts.ts";

const parse = (text: string | Buffer) => parseJson(Buffer.from(text as string), bodyLimits.json, () => {});

/** Returns the problem with which a body is refused, and the number of values parsed before that. */
async function refusal(text: string | Buffer) {
  const before = computingCounts().parsedValues;
  try {
    await parse(text);
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const [fault] = error.extra.errors ?? [];
    return { problem: error.problem, fault, message: error.message, parsed: computingCounts().parsedValues - before };
  }
  throw new Error("the body was not refused");
}

/** Enough rows to make a list of several pieces. */
const rows = Array.from({ length: 3_000 }, (_, index) => ({ itemId: `item ${index}`, itemName: "x".repeat(300) }));
const listOf = (texts: readonly string[]) => `[${texts.join(",")}]`;
const texts = rows.map((row) => JSON.stringify(row));

test.serial("a long list that is parsed piece by piece has the same value", async (t) => {
  t.deepEqual(await parse(listOf(texts)), rows);
  t.deepEqual(await parse(` [ ${texts.join(" , ")} ] \n`), rows);
  t.deepEqual(await parse(JSON.stringify(rows, null, 2)), rows);
});

test.serial("law: the parser reads exactly what JSON.parse reads", async (t) => {
  const cut = fc.tuple(
    fc.jsonValue({ maxDepth: 4 }),
    fc.nat(200),
    fc.constantFrom("", ",", "]", "[", "{", "}", '"', ":"),
  );
  await fc.assert(
    fc.asyncProperty(cut, async ([value, at, insert]) => {
      const text = JSON.stringify(value);
      const changed = text.slice(0, at) + insert + text.slice(at);
      let wanted: unknown;
      try {
        wanted = JSON.parse(changed);
      } catch {
        await t.throwsAsync(parse(changed), { instanceOf: ProblemError });
        return;
      }
      if (insert === "") t.deepEqual(await parse(changed), wanted);
    }),
  );
});

for (const [what, broken] of [
  ["an element is missing at a cut", listOf([...texts.slice(0, 1500), " ".repeat(60_000), ...texts.slice(1500)])],
  ["the last element has a trailing comma", `[${texts.join(",")},]`],
  ["the list is closed twice", `${listOf(texts)}]`],
  ["the list is not closed", `[${texts.join(",")}`],
  ["a second list follows", `${listOf(texts)}${listOf(texts)}`],
  ["a row is malformed", listOf([...texts.slice(0, 2000), '{"itemId"}', ...texts.slice(2000)])],
  ["an object is closed like a list", `[${texts.join(",")}}`],
] as const) {
  test.serial(`a long list in which ${what} is malformed`, async (t) => {
    t.is((await refusal(broken)).problem, "malformed-body");
  });
}

test.serial("bytes that are not UTF-8 are refused in every piece", async (t) => {
  const bytes = Buffer.from(listOf(texts));
  bytes[bytes.length - 20] = 0xff;
  t.is((await refusal(bytes)).message, "The body is not valid UTF-8.");
});

test.serial("a duplicate name is found in every piece, with its path in the whole list", async (t) => {
  const { problem, fault } = await refusal(listOf([...texts.slice(0, 2500), '{"a/b":1,"a/b":2}']));
  t.is(problem, "duplicate-field");
  t.is(fault?.pointer, "/2500/a~1b");
});

const { maxValues, maxElements, maxFields, maxTextBytes, maxRowValues, maxRowBytes } = bodyLimits.json;
for (const [what, body, pointer, bound] of [
  ["a list of zeros", `{"itemIds":[${"0,".repeat(3_000_000)}0]}`, "/itemIds", maxElements],
  ["a list of lists", `[[${"[],".repeat(500_000)}[]]]`, "/0", maxRowValues],
  ["rows of many zeros", `[${`[${"0,".repeat(90_000)}0],`.repeat(20)}0]`, "", maxValues],
  ["lists in one row", `[[${`[${"0,".repeat(90_000)}0],`.repeat(3)}0]]`, "/0", maxRowValues],
  ["lists in an object", `{"a":[${`[${"0,".repeat(90_000)}0],`.repeat(3)}0]}`, "", maxRowValues],
  ["an object of many names", `[0,{"a":{${'"k":0,'.repeat(2_000)}"k":0}}]`, "/1/a", maxFields],
  ["a long string", `[{"a":1,"b/c":"${"x".repeat(70_000)}"}]`, "/0/b~1c", maxTextBytes],
  ["a long name", `[{"${"x".repeat(70_000)}":1}]`, "/0", maxTextBytes],
  ["a long number", `[1,2,${"7".repeat(70_000)}]`, "/2", maxTextBytes],
  ["a long run of spaces", `[1,${" ".repeat(70_000)}2]`, "/1", maxTextBytes],
  ["a long row", `[0,[${`"${"x".repeat(60_000)}",`.repeat(150)}0]]`, "/1", maxRowBytes],
] as const) {
  test.serial(`${what} is refused before parsing, with its path and the limit`, async (t) => {
    const { problem, fault, parsed } = await refusal(body);
    t.is(problem, "invalid-request");
    t.is(parsed, 0);
    t.true(fault?.detail.includes(String(bound)), fault?.detail);
    t.true(fault?.pointer.startsWith(pointer), fault?.pointer);
  });
}

test.serial("a scan stops at the limit without reading the rest of the body", async (t) => {
  const before = computingCounts().scannedBytes;
  await refusal(`[${"0,".repeat(16_000_000)}0]`);
  t.true(computingCounts().scannedBytes - before <= 2 ** 20);
});

test.serial("nesting beyond the limit is refused, and brackets in strings do not count", async (t) => {
  t.is((await refusal("[".repeat(65) + "]".repeat(65))).problem, "malformed-body");
  t.deepEqual(await parse('["[[[[{"]'), ["[[[[{"]);
  t.notThrows(() => parse("[".repeat(64) + "]".repeat(64)));
});

test.serial("a price list with the maximum number of rows and fifty values in each is read", async (t) => {
  const row = JSON.stringify(Array.from({ length: 48 }, (_, index) => `${index}`));
  t.is(((await parse(listOf(Array(20_000).fill(row)))) as unknown[]).length, 20_000);
});
