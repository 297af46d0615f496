import test from "ava";
import { createBoots } from "../../../../workers/transmitter/air/boots.ts";

function atTime() {
  const time = { ms: 0 };
  return { time, boots: createBoots(() => time.ms) };
}

test("a label server's first known run is not a restart, and the next run is", (t) => {
  const { time, boots } = atTime();
  boots.note("a");
  boots.note("a");
  t.is(boots.restartedAt(), undefined);
  time.ms = 500;
  boots.note("b");
  t.is(boots.restartedAt(), 500);
});

test("a late report from an earlier run is not a restart", (t) => {
  const { time, boots } = atTime();
  for (const bootId of ["a", "b"]) boots.note(bootId);
  time.ms = 60_000;
  boots.note("a");
  boots.note("b");
  t.is(boots.restartedAt(), 0);
});

test("a label server that names a different run in every answer counts as restarted at most every 30 seconds", (t) => {
  const { time, boots } = atTime();
  const restarts = new Set<number | undefined>();
  for (time.ms = 0; time.ms <= 60_000; time.ms += 1_000) {
    boots.note(String(time.ms));
    restarts.add(boots.restartedAt());
  }
  t.deepEqual([...restarts], [undefined, 1_000, 31_000]);
});
