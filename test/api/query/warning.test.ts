import test from "ava";
import { warning } from "../../../api/query/warning.ts";

for (const [what, remarks, header] of [
  ["each remark is a value of code 299", ["one", "two"], '299 - "one", 299 - "two"'],
  ["quotes are escaped", ['a "b" \\'], '299 - "a \\"b\\" \\\\"'],
  ["other letters are percent-encoded", ["č\n\ud800"], '299 - "%C4%8D%0A%EF%BF%BD"'],
] as const)
  test(`in a Warning, ${what}`, (t) => t.is(warning(remarks), header));

test("a Warning has at most nine values, and the last value says how many remarks are left out", (t) => {
  const header = warning(Array.from({ length: 300 }, (_, index) => `${index}`));
  t.true(header.endsWith('299 - "7", 299 - "and 292 more"'));
});
