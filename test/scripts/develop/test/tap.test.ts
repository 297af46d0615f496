import test from "ava";
import { createTapReader } from "../../../../scripts/develop/test/tap.ts";

const report = [
  "TAP version 13",
  "# api › items › an item",
  "ok 1 - api › items › an item may be read",
  "not ok 2 - api › items › an item may be written",
  "  ---",
  "    message: 503",
  "  ...",
  "ok 3 - api › links › a link may be read",
  "not ok 4 - api › links › a link may be written",
  "  ---",
  "",
  "1..4",
  "# tests 4",
];

function read() {
  const tap = createTapReader((title) => title.split(" › ")[1] ?? "");
  const counted: number[] = [];
  const shown = report.map((line) => {
    const read = tap.read(line);
    counted.push(tap.filesSoFar());
    return read;
  });
  return { shown, counted, files: tap.end() };
}

test("passes and failures are counted for each file, each failure with its report", (t) => {
  const { files } = read();
  t.deepEqual(
    [...files],
    [
      [
        "items",
        { passed: 1, failures: ["not ok 2 - api › items › an item may be written\n  ---\n    message: 503\n  ..."] },
      ],
      ["links", { passed: 1, failures: ["not ok 4 - api › links › a link may be written\n  ---\n"] }],
    ],
  );
});

test("the report of a failed test contains what the test logged, before the details", (t) => {
  const tap = createTapReader(() => "items");
  const lines = ["not ok 1 - an item may be read", "#   after 3 s", "  ---", "    message: 503", "  ..."];
  for (const line of [...lines, "# items › after hook"]) tap.read(line);
  t.deepEqual(tap.end().get("items")?.failures, [lines.join("\n")]);
});

test("lines that do not help a reader are omitted", (t) => {
  const { shown } = read();
  t.deepEqual(
    shown.filter((line) => line !== undefined),
    report.slice(1, -3),
  );
});

test("while the report is read, the files that have reported a test are counted", (t) => {
  t.deepEqual(read().counted, [0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2]);
});

test("an uncaught error and the end of its thread are failures of that thread's file", (t) => {
  const tap = createTapReader((title) => (title.startsWith("api") ? "items" : ""));
  const lines = [
    "not ok 1 - TypeError: fetch failed",
    "  ---",
    "ok 2 - api › items › an item may be read",
    "not ok 3 - test/faults/links.test.ts exited with a non-zero exit code: 1",
  ];
  for (const line of lines) tap.read(line);
  t.deepEqual(Object.fromEntries(tap.end()), {
    items: { passed: 1, failures: [] },
    "test/faults/links.test.ts": { passed: 0, failures: [lines.slice(0, 2).join("\n"), lines[3]] },
  });
});
