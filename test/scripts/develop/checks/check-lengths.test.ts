import test from "ava";
import { longFiles } from "../../../../scripts/develop/checks/check-lengths.ts";

const long = "records/records.ts has 251 lines, more than the maximum of 250: split it by duty, or use a table";
for (const [what, path, text, faults] of [
  ["250 lines", "records/records.ts", "line\n".repeat(250), []],
  ["250 lines, the last without a line break", "records/records.ts", `${"line\n".repeat(249)}line`, []],
  ["251 lines", "records/records.ts", "line\n".repeat(251), [long]],
  ["251 lines, the last without a line break", "records/records.ts", `${"line\n".repeat(250)}line`, [long]],
  ["a client that ships as one file", "docs/typescript-client/index.ts", "line\n".repeat(900), []],
] as const)
  test(`${what}: ${faults.length === 0 ? "well" : "refused"}`, (t) => {
    t.deepEqual(longFiles([[path, text]]), [...faults]);
  });
