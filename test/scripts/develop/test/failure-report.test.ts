import test from "ava";
import { endReport } from "../../../../scripts/develop/test/failure-report.ts";

const FILE = "test/api/items/items.test.ts";
const failed = (...lines: string[]) =>
  ["not ok 2 - api › items › an item may be read", "  ---", "    name: AssertionError", ...lines, "  ..."].join("\n");

const reports: [what: string, report: string, expected: string | undefined][] = [
  [
    "two values that differ",
    failed(
      "    assertion: t.is()",
      "    details:",
      "      'Difference (- actual, + expected):': |-",
      "        - 1",
      "        + 2",
    ),
    "2",
  ],
  [
    "two objects that differ in a part",
    failed(
      "    assertion: t.deepEqual()",
      "    details:",
      "      'Difference (- actual, + expected):': |2-",
      "          {",
      "            id: 1,",
      "        -   price: 2,",
      "        +   price: 3,",
      "          }",
    ),
    "{\n#     id: 1,\n#     price: 3,\n#   }",
  ],
  [
    "a string that does not match",
    failed(
      "    assertion: t.regex()",
      "    details:",
      "      'Value must match expression:': '''a'''",
      "      'Regular expression:': /b/",
    ),
    "a text that matches /b/",
  ],
  [
    "a value in a test that logged",
    "not ok 2 - api › items › an item may be read\n#   after 3 s\n  ---\n    assertion: t.true()\n  ...",
    "t.true() to hold",
  ],
  ["a value that is not true", failed("    assertion: t.true()", "    message: a sentence"), "t.true() to hold"],
  [
    "two long lists that differ",
    failed(
      "    assertion: t.deepEqual()",
      "    details:",
      "      'Difference (- actual, + expected):': |-",
      ...Array.from({ length: 20 }, (_, index) => `        + ${index}`),
    ),
    [...Array(12).keys(), "..."].join("\n#   "),
  ],
  ["an error that no assertion reports", failed("    message: 'it failed: {'"), undefined],
  ["a thread that ended", "not ok 2 - api › items › an item may be read", undefined],
];
for (const [what, report, expected] of reports)
  test(`the report of ${what} ends with its rule, what was expected, and how to run its file alone`, (t) => {
    t.is(
      endReport(FILE, report),
      [
        report,
        "# rule: api › items › an item may be read",
        ...(expected === undefined ? [] : [`# expected: ${expected}`]),
        `# alone: npm test -- ${FILE}`,
      ].join("\n"),
    );
  });

test("a failure outside any file names no file to run alone", (t) => {
  t.is(endReport("", "AVA ended with code 1"), "AVA ended with code 1");
});

test("a failure in a thorough run is reported with that run's option", (t) => {
  t.regex(
    endReport(FILE, failed(), ["--thorough"]),
    /^# alone: npm test -- --thorough test\/api\/items\/items\.test\.ts$/m,
  );
});
