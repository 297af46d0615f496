import test from "ava";
import { watchLoop } from "../../api/loop-watch.ts";

/** Returns a watch with its own clock, which checks the event loop only when a test says so. */
function watch(t: { teardown(end: () => void): void }) {
  const lines: { milliseconds: number; operations: string[] }[] = [];
  let now = 0;
  const log = { warn: (fields: unknown) => void lines.push(fields as (typeof lines)[number]) };
  const watched = watchLoop(log, () => now, 1_000_000);
  t.teardown(watched.stop);
  const lookAfter = (lateMs: number) => {
    now += 1_000_000 + lateMs;
    watched.look();
  };
  return { ...watched, lines, lookAfter };
}

test("an event loop that is not blocked is not reported", (t) => {
  const { lookAfter, counts, lines } = watch(t);
  for (const late of [0, 3, 200, 250]) lookAfter(late);
  t.deepEqual(counts(), { stalls: 0, longestMs: 0 });
  t.deepEqual(lines, []);
});

test("a blocked event loop is counted and logged with the work in progress or just finished", (t) => {
  const { begin, lookAfter, counts, lines } = watch(t);
  begin("PUT /earlier")();
  lookAfter(0);
  const end = begin("PUT /communication-packs/:packId");
  begin("GET /items");
  end();
  lookAfter(900);
  lookAfter(300);
  t.deepEqual(counts(), { stalls: 2, longestMs: 900 });
  t.deepEqual(
    lines.map(({ milliseconds }) => milliseconds),
    [900, 300],
  );
  t.deepEqual(lines[0]?.operations, ["PUT /communication-packs/:packId (0 ms)", "GET /items (1000900 ms)"]);
});
