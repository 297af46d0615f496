import test from "ava";
import fc from "fast-check";
import { fitLine } from "../../../../scripts/develop/bench/air/fit-line.ts";

const coordinate = fc.integer({ min: -1_000, max: 1_000 });

test("a line fitted to points on a line is that line, and points evenly above and below do not tilt it", (t) => {
  fc.assert(
    fc.property(
      coordinate,
      coordinate,
      fc.uniqueArray(coordinate, { minLength: 2 }),
      coordinate,
      (rise, base, xs, off) => {
        const on = (x: number) => base + rise * x;
        // The same distance above and below each point of the line.
        const points = xs.flatMap((x) => [
          { x, y: on(x) + off },
          { x, y: on(x) - off },
        ]);
        const { slope, at } = fitLine(points);
        return Math.abs(slope - rise) < 1e-6 && Math.abs(at(0) - base) < 1e-3;
      },
    ),
  );
  t.deepEqual([fitLine([{ x: 3, y: 5 }]).slope, fitLine([{ x: 3, y: 5 }]).at(9)], [0, 5]);
});
