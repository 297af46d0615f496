import type { Bucket, Interval } from "./distribution.ts";

const WIDTH = 560;
const HEIGHT = 220;
/** Room for the axis labels. */
const LEFT = 56;
const BOTTOM = 24;
const TOP = 10;
const RIGHT = 12;
/** Where the axes end. */
const INNER_RIGHT = WIDTH - RIGHT;
const INNER_BOTTOM = HEIGHT - BOTTOM;
const TIME_TICKS = 5;
/** Maximum number of labels on an axis, so that they do not touch. */
const BAR_TICKS = 8;

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Returns a duration as the page shows it: in the unit that keeps the number short, with this many significant digits. */
export function durationText(ms: number, digits = 3): string {
  const [value, unit] =
    Math.abs(ms) < SECOND_MS
      ? [ms, "ms"]
      : Math.abs(ms) < 2 * MINUTE_MS
        ? [ms / SECOND_MS, "s"]
        : Math.abs(ms) < 2 * HOUR_MS
          ? [ms / MINUTE_MS, "min"]
          : [ms / HOUR_MS, "h"];
  return `${Number(value.toPrecision(digits))} ${unit}`;
}

/**
 * Returns latency over the time of a run as an SVG: the median, the 99th percentile and the maximum of each interval, on a
 * logarithmic scale.
 */
export function timePlot(intervals: readonly Interval[], runMs: number): string {
  const powers = powersAround(intervals.flatMap(({ p50, max }) => [p50, max]));
  const [lowest = 0] = powers;
  const highest = powers.at(-1) ?? 1;
  const x = (at: number) => LEFT + (at / runMs) * (INNER_RIGHT - LEFT);
  const y = (ms: number) => {
    const share = (Math.log10(Math.max(ms, 10 ** lowest)) - lowest) / (highest - lowest);
    return INNER_BOTTOM - share * (INNER_BOTTOM - TOP);
  };
  const line = (of: "p50" | "p99" | "max") => {
    const points = intervals.map((interval) => `${round(x(interval.at))},${round(y(interval[of]))}`);
    const dots = points.map((point) => `<circle cx="${point.replace(",", '" cy="')}" r="1.5"/>`);
    return `<g class="${of}"><polyline points="${points.join(" ")}"/>${dots.join("")}</g>`;
  };
  const times = Array.from({ length: TIME_TICKS + 1 }, (_, tick) => (tick / TIME_TICKS) * runMs);
  return svg(
    ...powers.map((power) => yTick(y(10 ** power), durationText(10 ** power))),
    ...times.map((at) => xTick(x(at), durationText(at))),
    ...(["max", "p99", "p50"] as const).map(line),
  );
}

/** Returns a histogram of latencies as an SVG, with a bar for each bucket. */
export function histogramPlot(buckets: readonly Bucket[]): string {
  const most = Math.max(1, ...buckets.map(({ count }) => count));
  const width = (INNER_RIGHT - LEFT) / Math.max(1, buckets.length);
  const height = (count: number) => (count / most) * (INNER_BOTTOM - TOP);
  const bars = buckets.map(({ from, to, count }, index) => {
    const place = `x="${round(LEFT + index * width)}" y="${round(INNER_BOTTOM - height(count))}"`;
    const size = `width="${round(Math.max(1, width - 1))}" height="${round(height(count))}"`;
    return `<rect ${place} ${size}><title>${durationText(from)} to ${durationText(to)}: ${count}</title></rect>`;
  });
  const step = Math.ceil(buckets.length / BAR_TICKS);
  const ticks = buckets.flatMap(({ from }, index) =>
    index % step === 0 ? [xTick(LEFT + index * width, durationText(from, 2))] : [],
  );
  return svg(yTick(INNER_BOTTOM, "0"), yTick(TOP, String(most)), ...ticks, `<g class="bars">${bars.join("")}</g>`);
}

/** Returns the powers of ten from below the smallest to above the largest duration, at least two. */
function powersAround(durations: readonly number[]): number[] {
  const smallest = durations.reduce((least, ms) => Math.min(least, ms), Number.POSITIVE_INFINITY);
  const largest = durations.reduce((most, ms) => Math.max(most, ms), 1);
  const first = Math.floor(Math.log10(Math.max(1, Math.min(smallest, largest))));
  const last = Math.max(first + 1, Math.ceil(Math.log10(largest)));
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

const round = (value: number): number => Math.round(value * 10) / 10;

const svg = (...parts: readonly string[]): string =>
  `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img">${parts.join("")}</svg>`;

const yTick = (y: number, text: string): string =>
  `<path class="grid" d="M${LEFT} ${round(y)}H${INNER_RIGHT}"/><text x="${LEFT - 6}" y="${round(y) + 4}" text-anchor="end">${text}</text>`;

const xTick = (x: number, text: string): string =>
  `<path class="grid" d="M${round(x)} ${INNER_BOTTOM}v4"/><text x="${round(x)}" y="${HEIGHT - 6}" text-anchor="middle">${text}</text>`;
