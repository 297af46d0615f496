import { createRequire } from "node:module";
import test from "ava";
import "../../../../scripts/develop/test/dump-errors.mjs";

test("an error without a stack frame is reported with its test", async (t) => {
  const supertap = await import(createRequire(import.meta.url).resolve("supertap"));
  const error = new Error("nothing called me");
  error.stack = "Error: nothing called me";
  const report: string = supertap.test("a title", { index: 1, passed: false, error });
  t.true(report.startsWith("not ok 1 - a title"));
  t.true(report.includes("message: nothing called me"));
});
