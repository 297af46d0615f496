import test from "ava";
import { announcement, createProgress } from "../../../../scripts/develop/test/progress.ts";

const announcements: [files: number, cores: number, isWhole: boolean, text: string][] = [
  [652, 2, true, "# 652 test files take about 15 minutes on 2 idle cores"],
  [652, 8, true, "# 652 test files take about 4 minutes on 8 idle cores"],
  [1, 2, false, "# 1 test file takes about a minute on 2 idle cores"],
  [200, 2, false, "# 200 test files take about 5 minutes on 2 idle cores"],
];
for (const [files, cores, isWhole, text] of announcements)
  test(`a run of ${files} files on ${cores} cores says how long it takes`, (t) => {
    t.is(announcement(files, cores, isWhole), text);
  });

test("a run reports its progress after each twentieth of its files, even if several files report at the same time", (t) => {
  const progress = createProgress(100);
  const told = [0, 1, 4, 5, 5, 9, 12, 16, 17, 100].map(progress);
  t.deepEqual(
    told.filter((line) => line !== undefined),
    ["# 5 of 100 files", "# 12 of 100 files", "# 17 of 100 files", "# 100 of 100 files"],
  );
});

test("a run of few files reports nothing in between", (t) => {
  t.is(createProgress(3)(3), undefined);
});
