import { readFileSync } from "node:fs";
import test from "ava";
import { instrument } from "../../../../scripts/develop/mutate/instrument.ts";
import { faultsOf, readSurvivors } from "../../../../scripts/develop/mutate/survivors.ts";

test("each listed survivor is a mutant of today's code, and has a reason", async (t) => {
  const list = readSurvivors();
  const texts = new Map(list.map(({ file }) => [file, readFileSync(file, "utf8")]));
  const { mutants } = await instrument(texts);
  t.deepEqual(faultsOf(list, mutants), []);
});

test("an entry without its mutant, or without a reason, is a fault", async (t) => {
  const file = "records/some.ts";
  const code = "export const isFull = rows > 9;";
  const { mutants } = await instrument(new Map([[file, code]]));
  const entry = { file, code, original: "rows > 9", replacement: "rows >= 9", reason: "nine rows are never there" };
  t.deepEqual(faultsOf([entry], mutants), []);
  t.is(faultsOf([{ ...entry, code: "export const isFull = rows > 8;" }], mutants).length, 1);
  t.is(faultsOf([{ ...entry, reason: " " }], mutants).length, 1);
});
