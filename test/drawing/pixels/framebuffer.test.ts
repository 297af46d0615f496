import test from "ava";
import fc from "fast-check";
import {
  copyOf,
  createFramebuffer,
  drawLine,
  drawRuns,
  type Framebuffer,
  fillRectangle,
  showsRuns,
} from "../../../drawing/pixels/framebuffer.ts";

const INK = 1;
const blank = (width: number, height: number): Framebuffer => createFramebuffer(width, height, ["white", "black"], 0);

type Point = readonly [x: number, y: number];
const isInked = ({ width, pixels }: Framebuffer, [x, y]: Point): boolean => pixels[y * width + x] === INK;
const points = ({ width, height }: Pick<Framebuffer, "width" | "height">): Point[] =>
  Array.from({ length: width * height }, (_, index): Point => [index % width, Math.floor(index / width)]);

const extent = fc.integer({ min: 1, max: 24 });
const coordinate = fc.integer({ min: -40, max: 60 });
const length = fc.integer({ min: -5, max: 60 });

/** Includes distant points: pixels outside the picture must cost and change nothing. */
const anyCoordinate = fc.oneof(coordinate, fc.integer({ min: -4096, max: 4096 }));

test("a new picture contains only background", (t) => {
  t.deepEqual(createFramebuffer(2, 2, ["white", "black", "red"], 2).pixels, Uint8Array.of(2, 2, 2, 2));
});

test("a rectangle fills exactly its pixels, wherever it lies", (t) => {
  fc.assert(
    fc.property(extent, extent, anyCoordinate, anyCoordinate, length, length, (width, height, x, y, w, h) => {
      const picture = blank(width, height);
      fillRectangle(picture, x, y, w, h, INK);
      t.true(
        points(picture).every(
          (point) =>
            isInked(picture, point) === (point[0] >= x && point[0] < x + w && point[1] >= y && point[1] < y + h),
        ),
      );
      t.is(picture.pixels.length, width * height);
    }),
    { numRuns: 500 },
  );
});

const run = fc
  .tuple(coordinate, coordinate, fc.integer({ min: 0, max: 30 }))
  .map(([y, from, size]) => [y, from, from + size]);

test("runs fill exactly their pixels, wherever they lie", (t) => {
  fc.assert(
    fc.property(
      extent,
      extent,
      fc.array(run, { maxLength: 8 }),
      anyCoordinate,
      anyCoordinate,
      (width, height, runs, x, y) => {
        const picture = blank(width, height);
        drawRuns(picture, Int16Array.from(runs.flat()), x, y, INK, { drawn: 0, hidden: 0 });
        const covers = ([px, py]: Point) =>
          runs.some(([row = 0, from = 0, to = 0]) => py === y + row && px >= x + from && px < x + to);
        t.true(points(picture).every((point) => isInked(picture, point) === covers(point)));
        t.is(picture.pixels.length, width * height);
      },
    ),
    { numRuns: 500 },
  );
});

test("covered runs are counted, and so are those that begin on their own colour", (t) => {
  const picture = blank(10, 2);
  fillRectangle(picture, 0, 0, 4, 1, INK);
  const ink = { drawn: 0, hidden: 0 };
  drawRuns(picture, Int16Array.of(0, 2, 8, 1, 0, 3), 0, 0, INK, ink);
  t.deepEqual(ink, { drawn: 9, hidden: 6 });
  drawRuns(picture, Int16Array.of(0, 1, 5, 9, 0, 1), 8, 0, INK, ink);
  t.deepEqual(ink, { drawn: 10, hidden: 6 }, "pixels outside do not count");
});

test("runs are visible until one of their pixels changes colour", (t) => {
  fc.assert(
    fc.property(
      fc.array(run, { minLength: 1, maxLength: 8 }),
      coordinate,
      coordinate,
      coordinate,
      coordinate,
      (runs, x, y, px, py) => {
        const picture = blank(24, 24);
        const shape = Int16Array.from(runs.flat());
        drawRuns(picture, shape, x, y, INK, { drawn: 0, hidden: 0 });
        t.true(showsRuns(picture, shape, x, y, INK));
        const wasInked = px >= 0 && px < 24 && isInked(picture, [px, py]);
        fillRectangle(picture, px, py, 1, 1, 0);
        t.is(showsRuns(picture, shape, x, y, INK), !wasInked);
      },
    ),
    { numRuns: 500 },
  );
});

test("a copied part has the picture's pixels as far as the part lies within the picture", (t) => {
  const picture = { ...blank(3, 2), pixels: Uint8Array.of(0, 1, 2, 3, 4, 5) };
  t.deepEqual(copyOf(picture, { x: 1, y: 0, width: 2, height: 2 }), Uint8Array.of(1, 2, 4, 5));
  t.deepEqual(copyOf(picture, { x: -1, y: 1, width: 2, height: 9 }), Uint8Array.of(3));
  t.deepEqual(copyOf(picture, { x: 3, y: 0, width: 1, height: 1 }), new Uint8Array());
});

const point = fc.tuple(coordinate, coordinate);
const thickness = fc.integer({ min: 1, max: 9 });
const MARGIN = 120;

test("a line that crosses the edge is the same line, clipped", (t) => {
  fc.assert(
    fc.property(extent, extent, point, point, thickness, (width, height, [x0, y0], [x1, y1], thick) => {
      const [cut, whole] = [blank(width, height), blank(width + 2 * MARGIN, height + 2 * MARGIN)];
      drawLine(cut, [x0, y0], [x1, y1], thick, INK);
      drawLine(whole, [x0 + MARGIN, y0 + MARGIN], [x1 + MARGIN, y1 + MARGIN], thick, INK);
      t.true(points(cut).every(([x, y]) => isInked(cut, [x, y]) === isInked(whole, [x + MARGIN, y + MARGIN])));
      t.is(cut.pixels.length, width * height);
    }),
    { numRuns: 200 },
  );
});

test("a line includes both ends, has no gap, and stays within its thickness of the straight line", (t) => {
  const inner = fc.tuple(fc.integer({ min: 20, max: 60 }), fc.integer({ min: 20, max: 60 }));
  fc.assert(
    fc.property(inner, inner, thickness, (from, to, thick) => {
      const picture = blank(80, 80);
      drawLine(picture, from, to, thick, INK);
      const inked = points(picture).filter((one) => isInked(picture, one));
      t.true(isInked(picture, from) && isInked(picture, to));
      t.true(inked.every((one) => distanceFrom(one, from, to) <= thick));
      const steps = Math.max(Math.abs(to[0] - from[0]), Math.abs(to[1] - from[1]));
      t.true(inked.length >= steps + 1);
    }),
    { numRuns: 200 },
  );
});

test("a vertical or horizontal line has its exact thickness", (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 20, max: 49 }), fc.integer({ min: 50, max: 79 }), thickness, (start, end, thick) => {
      const [level, upright] = [blank(100, 100), blank(100, 100)];
      drawLine(level, [start, 40], [end, 40], thick, INK);
      drawLine(upright, [40, end], [40, start], thick, INK);
      const across = Array.from({ length: 100 }, (_, at) => at);
      t.is(across.filter((at) => isInked(level, [50, at])).length, thick);
      t.is(across.filter((at) => isInked(upright, [at, 50])).length, thick);
    }),
  );
});

/** The distance of a point from a segment. */
function distanceFrom([x, y]: Point, [x0, y0]: Point, [x1, y1]: Point): number {
  const [dx, dy] = [x1 - x0, y1 - y0];
  const along = dx === 0 && dy === 0 ? 0 : ((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy);
  const share = Math.min(1, Math.max(0, along));
  return Math.hypot(x - x0 - share * dx, y - y0 - share * dy);
}
