import test from "ava";
import { filesAtOnce } from "../../../../scripts/develop/test/files-at-once.mjs";

const GIBIBYTE = 2 ** 30;

test("three files per processor run concurrently if memory allows", (t) => {
  t.is(filesAtOnce(1, 64 * GIBIBYTE), 3);
  t.is(filesAtOnce(2, 16 * GIBIBYTE), 6);
  t.is(filesAtOnce(4, 16 * GIBIBYTE), 12);
});

test("a machine with little free memory runs fewer files, but at least one", (t) => {
  t.is(filesAtOnce(2, 6 * GIBIBYTE), 4);
  t.is(filesAtOnce(8, 4.5 * GIBIBYTE), 2);
  t.is(filesAtOnce(2, GIBIBYTE), 1);
});

test("one database serves at most twelve files", (t) => {
  t.is(filesAtOnce(64, 256 * GIBIBYTE), 12);
});
