import test from "ava";
import { isOfFolder, isPure, nearestTests } from "../../../../scripts/develop/mutate/nearest-tests.ts";
import { referrersOf } from "../../../../scripts/develop/test/changed-tests.ts";

const files = new Map([
  ["records/requests/accept.ts", ""],
  ["api/items.ts", 'import "../records/requests/accept.ts";'],
  ["test/harness/own.ts", 'import "../../api/items.ts";'],
  ["test/harness/searches/turns.ts", ""],
  ["test/records/requests/accept.test.ts", 'import "../../../api/items.ts";'],
  ["test/records/requests/accept-late.test.ts", 'import "../../../records/requests/accept.ts";'],
  ["test/records/requests/numbers.test.ts", 'import "../../harness/own.ts";'],
  ["test/api/items.test.ts", 'import "../../api/items.ts";'],
  ["test/flow/price.test.ts", 'import "../harness/own.ts";'],
  ["test/flow/turns.test.ts", 'import "../harness/searches/turns.ts"; test.serial("one", play);'],
  ["test/scripts/run.test.ts", 'import { spawn } from "node:child_process";'],
  ["test/flow/hooks.test.ts", "test.before(open);"],
]);

test("a file's nearest tests share its name, then its folder, or refer to it directly; others are omitted", (t) => {
  t.deepEqual(nearestTests("records/requests/accept.ts", referrersOf(files, [...files.keys()])), [
    "test/records/requests/accept.test.ts",
    "test/records/requests/accept-late.test.ts",
    "test/records/requests/numbers.test.ts",
    "test/api/items.test.ts",
    "test/flow/price.test.ts",
  ]);
});

for (const [name, expected] of [
  ["test/api/items.test.ts", true],
  ["test/flow/turns.test.ts", true],
  ["test/flow/price.test.ts", false],
  ["test/scripts/run.test.ts", false],
  ["test/flow/hooks.test.ts", false],
] as const)
  test(`a test file is pure if it opens nothing: ${name}`, (t) => t.is(isPure(name, files), expected));

for (const [name, expected] of [
  ["test/records/requests/numbers.test.ts", true],
  ["test/records/requests/numbers/numbers-order.test.ts", true],
  ["test/records/requests/held/holds.test.ts", false],
  ["test/records/records.test.ts", false],
] as const)
  test(`a test belongs to a file's folder if it is in the mirrored folder, or in a subfolder that only tests have: ${name}`, (t) => {
    const repository = new Map([...files, ["records/requests/held/holds.ts", ""], [name, ""]]);
    t.is(isOfFolder(name, "records/requests/accept.ts", repository), expected);
  });
