import test from "ava";
import fc from "fast-check";
import { histogramOf, overTime } from "../../../../../scripts/develop/load/report/distribution.ts";
import { durationText, histogramPlot, timePlot } from "../../../../../scripts/develop/load/report/plot.ts";

test("a duration has the unit that makes its number short", (t) => {
  t.deepEqual(
    [0, 0.4, 12.34, 999, 1_000, 61_000, 600_000, 7_200_000].map((ms) => durationText(ms)),
    ["0 ms", "0.4 ms", "12.3 ms", "999 ms", "1 s", "61 s", "10 min", "2 h"],
  );
});

test("plots stay within their frame, whatever the durations are", (t) => {
  const timed = fc.array(
    fc.record({ at: fc.integer({ min: 0, max: 60_000 }), ms: fc.double({ min: -50, max: 1e7, noNaN: true }) }),
    { minLength: 1, maxLength: 60 },
  );
  fc.assert(
    fc.property(timed, (found) => {
      const line = timePlot(overTime(found, 60_000, 20), 60_000);
      for (const [, x, y] of line.matchAll(/cx="([^"]+)" cy="([^"]+)"/g)) {
        t.true(Number(x) >= 56 && Number(x) <= 548, line);
        t.true(Number(y) >= 10 && Number(y) <= 196, line);
      }
      const bars = histogramPlot(histogramOf(found.map(({ ms }) => ms)));
      for (const [, y, height] of bars.matchAll(/y="([^"]+)" width="[^"]+" height="([^"]+)"/g))
        t.true(Math.abs(Number(y) + Number(height) - 196) < 0.2, bars);
      t.notRegex(line + bars, /NaN|Infinity|undefined/);
    }),
    { numRuns: 100 },
  );
  t.pass();
});
