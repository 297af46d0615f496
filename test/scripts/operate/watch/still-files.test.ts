import test from "ava";
import { isFinishedName, look, type SeenFile, stillFiles } from "../../../../scripts/operate/watch/still-files.ts";

const STILL_MS = 5_000;
const file = (size: number, mtimeMs: number, name = "a.csv") => ({ name, size, mtimeMs });

const looks: [rule: string, turns: [now: number, files: ReturnType<typeof file>[]][], ready: string[]][] = [
  ["a new file waits", [[0, [file(1, 1)]]], []],
  [
    "a file that has not changed for the required time is ready",
    [
      [0, [file(1, 1)]],
      [5_000, [file(1, 1)]],
    ],
    ["a.csv"],
  ],
  [
    "a file that has not been unchanged for long enough waits",
    [
      [0, [file(1, 1)]],
      [4_999, [file(1, 1)]],
    ],
    [],
  ],
  [
    "a growing file waits from its last change on",
    [
      [0, [file(1, 1)]],
      [4_000, [file(2, 1)]],
      [8_000, [file(2, 1)]],
    ],
    [],
  ],
  [
    "a file that is rewritten with the same size waits as well",
    [
      [0, [file(1, 1)]],
      [4_000, [file(1, 2)]],
      [8_000, [file(1, 2)]],
    ],
    [],
  ],
  [
    "a file that disappeared and came back counts as new",
    [
      [0, [file(1, 1)]],
      [3_000, []],
      [6_000, [file(1, 1)]],
    ],
    [],
  ],
  [
    "files are sorted by the time of their last write, then by name",
    [
      [0, [file(1, 2, "a"), file(1, 1, "z"), file(1, 1, "b")]],
      [5_000, [file(1, 2, "a"), file(1, 1, "z"), file(1, 1, "b")]],
    ],
    ["b", "z", "a"],
  ],
];

for (const [rule, turns, ready] of looks) {
  test(rule, (t) => {
    const seen = turns.reduce<SeenFile[]>((before, [now, files]) => look(before, files, now), []);
    const [now = 0] = turns.at(-1) ?? [];
    t.deepEqual(
      stillFiles(seen, STILL_MS, now).map(({ name }) => name),
      ready,
    );
  });
}

test("names that programs give to unfinished and hidden files are ignored", (t) => {
  const names = ["a.csv", ".a.csv", "~$a.xlsx", "a.csv.part", "a.csv.filepart", "a.TMP", "part.csv"];
  t.deepEqual(names.filter(isFinishedName), ["a.csv", "part.csv"]);
});
