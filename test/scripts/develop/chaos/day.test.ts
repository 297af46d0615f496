import test from "ava";
import { findGrowth } from "../../../../scripts/develop/chaos/day/find-growth.ts";
import { planKills } from "../../../../scripts/develop/chaos/day/plan-kills.ts";

const fault = (what: string) => ({ what, happen: async () => {} });
const victims = { web: fault("web"), workers: [fault("item"), fault("merger")], flush: fault("flush") };

test("a process is killed every 20 seconds, each once before any is killed again, and Redis is flushed halfway", (t) => {
  const planned = planKills(victims, 1, 140_000);
  t.deepEqual(
    planned.map(({ at }) => at / 1000),
    [20, 40, 60, 70, 80, 100, 120],
  );
  t.is(planned[3]?.what, "flush");
  const kills = planned.map(({ what }) => what).filter((what) => what !== "flush");
  const all = ["item", "merger", "web"];
  t.deepEqual([kills.slice(0, 3).toSorted(), kills.slice(3).toSorted()], [all, all]);
  t.deepEqual(
    planKills(victims, 1, 140_000).map(({ what }) => what),
    planned.map(({ what }) => what),
  );
});

test("memory counts as growing if its peak in the second half is a quarter above its peak in the first", (t) => {
  const readings = (late: number) =>
    [100, 300, 200, 150, 250, 300, 200, 100, 300, late, 200, 250].map((mb) => mb * 2 ** 20);
  t.deepEqual(findGrowth(readings(370)), []);
  t.deepEqual(findGrowth(readings(380)), [
    "the processes took up to 380 MB in the second half, and 300 MB in the first",
  ]);
  t.deepEqual(findGrowth([1, 9]), []);
  t.is(findGrowth(undefined).length, 1);
});
