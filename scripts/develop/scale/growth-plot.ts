/** A value for a store of one size. */
interface Point {
  labels: number;
  value: number;
}

const WIDTH = 560;
const HEIGHT = 240;
/** Room for the axis labels, and for the names of the lines. */
const LEFT = 60;
const RIGHT = 130;
const TOP = 28;
const BOTTOM = 30;
const TICKS = 4;
const COLORS = ["#1f5fa8", "#b3401f", "#3d7a2e"];

/** Draws values over the size of a store as an SVG, with sizes on a logarithmic scale and values from zero. */
export function growthPlot(title: string, lines: Readonly<Record<string, readonly Point[]>>): string {
  const points = Object.values(lines).flat();
  const sizes = [...new Set(points.map(({ labels }) => labels))].toSorted((one, other) => one - other);
  const [first = 1] = sizes;
  const span = Math.log(Math.max(first * 1.1, sizes.at(-1) ?? 1) / first);
  const top = Math.max(...points.map(({ value }) => value), 1e-9) * 1.1;
  const x = (labels: number) => round(LEFT + (Math.log(labels / first) / span) * (WIDTH - LEFT - RIGHT));
  const y = (value: number) => round(HEIGHT - BOTTOM - (value / top) * (HEIGHT - TOP - BOTTOM));
  const ticks = Array.from({ length: TICKS + 1 }, (_, tick) => (tick / TICKS) * top);
  const parts = [
    `<text x="${LEFT}" y="16">${title}</text>`,
    ...ticks.flatMap((value) => [
      `<path d="M${LEFT} ${y(value)}H${WIDTH - RIGHT}" stroke="#ddd"/>`,
      `<text x="${LEFT - 6}" y="${y(value) + 4}" text-anchor="end">${Number(value.toPrecision(2))}</text>`,
    ]),
    ...sizes.map(
      (labels) =>
        `<text x="${x(labels)}" y="${HEIGHT - 10}" text-anchor="middle">${labels.toLocaleString("en-US")}</text>`,
    ),
    ...Object.entries(lines).flatMap(([name, course], index) => {
      const color = COLORS[index % COLORS.length];
      const path = course.map(({ labels, value }) => `${x(labels)},${y(value)}`);
      const last = course.at(-1);
      return [
        `<polyline points="${path.join(" ")}" fill="none" stroke="${color}" stroke-width="2"/>`,
        ...course.map(({ labels, value }) => `<circle cx="${x(labels)}" cy="${y(value)}" r="3" fill="${color}"/>`),
        `<text x="${WIDTH - RIGHT + 8}" y="${y(last?.value ?? 0) + 4}" fill="${color}">${name}</text>`,
      ];
    }),
  ];
  const attributes = `viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>\n${parts.join("\n")}\n</svg>\n`;
}

const round = (value: number): number => Math.round(value * 10) / 10;
