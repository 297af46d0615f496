import test from "ava";
import { createBoots } from "../../../../workers/transmitter/air/boots.ts";

function atTime() {
  const time = { ms: 0 };
  return { time, boots: createBoots(() => time.ms) };
}

test("the first run of a label server is no restart, and the next one is", (t) => {
  const { time, boots } = atTime();
  boots.note("a");
  boots.note("a");
  t.is(boots.restartedAt(), undefined);
  time.ms = 500;
  boots.note("b");
  t.is(boots.restartedAt(), 500);
});

test("a late report of an earlier run is no restart", (t) => {
  const { time, boots } = atTime();
  for (const bootId of ["a", "b"]) boots.note(bootId);
  time.ms = 60_000;
  boots.note("a");
  boots.note("b");
  t.is(boots.restartedAt(), 0);
});

test("a label server with another run in every answer restarts at most every 30 seconds", (t) => {
  const { time, boots } = atTime();
  const restarts = new Set<number | undefined>();
  for (time.ms = 0; time.ms <= 60_000; time.ms += 1_000) {
    boots.note(String(time.ms));
    restarts.add(boots.restartedAt());
  }
  t.deepEqual([...restarts], [undefined, 1_000, 31_000]);
});
