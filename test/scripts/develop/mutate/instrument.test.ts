import test from "ava";
import { instrument } from "../../../../scripts/develop/mutate/instrument.ts";

const mutantsOf = async (code: string) =>
  (await instrument(new Map([["records/some.ts", code]]))).mutants.map(
    ({ line, original, replacement }) => `${line}: ${original} -> ${replacement}`,
  );

test("a mutant is identified by its line, the replaced text and the replacement", async (t) => {
  t.deepEqual(await mutantsOf("export const isFull = (rows: number) =>\n  rows >\n  9;"), [
    "1: (rows: number) => rows > 9 -> () => undefined",
    "2: rows > 9 -> true",
    "2: rows > 9 -> false",
    "2: rows > 9 -> rows >= 9",
    "2: rows > 9 -> rows <= 9",
  ]);
});

for (const [what, code, expected] of [
  ["log lines", 'log.warn({ queue: "item" }, "it will be tried again");', []],
  ["the last line of a process", 'log.fatal({ queue: "item" }, "the process ends");', []],
  ["the name of a part in log lines", 'redis.on("error", onError("redis"));', [' -> ""']],
  ["lines of another log", "system.log.warn({ error: error.message });", []],
  ["functions that only log", "const logFailed = (error: Error) => log.warn({ error: error.message });", []],
  ["conditions that only guard log lines", 'if (count > 0) { log.info({ count }, "swept"); }', []],
  ["error messages", "fail(new RangeError(`${count} is too much`));", [" -> ;"]],
  ["lengths of time", "export const PERIOD_MS = 60 * 1000;", []],
  ["options that no response shows", "find(query, { projection: { _id: 1 }, batchSize: -1 });", [" -> ;"]],
] as const)
  test(`not mutated: ${what}`, async (t) => {
    const found = await mutantsOf(code);
    t.deepEqual(
      found.map((mutant) => mutant.slice(mutant.indexOf(" -> "))),
      [...expected],
    );
  });

test("code that is marked as equivalent, with its reason, is not mutated", async (t) => {
  const code = "// Stryker disable next-line all: both are equal\nexport const isFull = (rows: number) => rows > 9;";
  t.deepEqual(await mutantsOf(code), []);
});

test("conditions of errors, and other constants, are mutated", async (t) => {
  t.true((await mutantsOf("if (rows > MAX_ROWS) throw new RangeError(`${rows}`);")).length > 0);
  t.true((await mutantsOf("export const MAX_ROWS = 20 * 1000;")).length > 0);
});
