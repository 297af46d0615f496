import { readFile, writeFile } from "node:fs/promises";
import type { GrowthFigures, OfSize } from "../bench/growth/growth.ts";
import { type Cpu, sumOf } from "../bench/growth/measure.ts";
import { readCommandLine } from "../command-line.ts";
import { insertPart } from "../documents/insert-part.ts";
import { markdownTable } from "../documents/markdown-table.ts";
import { growthPlot } from "./growth-plot.ts";
import { type Assumptions, agedSizes, bytesOfLabel, neededFor, wallsOf } from "./model.ts";

/**
 * `npm run scale` computes the tables of docs/scale.md and its plots from measured figures. A test fails if they are out of
 * date.
 */
const file = new URL("../../../docs/scale.md", import.meta.url);
const plots = {
  change: new URL("../../../docs/pictures/scale-change.svg", import.meta.url),
  idle: new URL("../../../docs/pictures/scale-idle.svg", import.meta.url),
};
const measured = new URL("./growth.json", import.meta.url);
const assumed = new URL("./assumptions.json", import.meta.url);

const readJson = async <T>(from: URL): Promise<T> => JSON.parse(await readFile(from, "utf8")) as T;

/** Reads the figures of `npm run bench -- growth --out scripts/develop/scale/growth.json`. */
export const storedFigures = (): Promise<GrowthFigures> => readJson(measured);

/** Reads what the model assumes: the installation, counts, bounds and prices. */
export const storedAssumptions = (): Promise<Assumptions> => readJson(assumed);

/** Returns the stored document. */
export const storedScale = (): Promise<string> => readFile(file, "utf8");

/** Returns the stored plots. */
export const storedPlots = async (): Promise<Record<keyof typeof plots, string>> => ({
  change: await readFile(plots.change, "utf8"),
  idle: await readFile(plots.idle, "utf8"),
});

/** Draws the plots from the figures. */
export function writePlots({ sizes }: GrowthFigures): Record<keyof typeof plots, string> {
  const series = [...Map.groupBy(sizes, ({ changes }) => changes)];
  const lines = (values: Record<string, (size: OfSize) => number>) =>
    Object.fromEntries(
      series.flatMap(([changes, group]) =>
        Object.entries(values).map(([what, read]) => [
          `${what}, history ${changes}`,
          group.map((size) => ({ labels: size.labels, value: read(size) })),
        ]),
      ),
    );
  return {
    change: growthPlot(
      "CPU seconds of 1,000 changes",
      lines({ list: ({ list }) => sumOf(list), urgent: ({ urgent }) => sumOf(urgent) }),
    ),
    idle: growthPlot(
      "CPU seconds of an idle hour, without MongoDB",
      lines({ idle: ({ idle: { mongodb: _, ...others } }) => sumOf(others) }),
    ),
  };
}

/** Returns the document with its generated parts updated. */
export function writeScale(document: string, figures: GrowthFigures, assumptions: Assumptions): string {
  const parts = {
    growth: growthTable(figures),
    measured: measuredTable(figures),
    documents: documentsTable(figures),
    counts: countsTable(assumptions),
    needed: neededTable(figures, assumptions),
    processes: processesTable(figures, assumptions),
    walls: wallsTable(figures, assumptions),
    prices: pricesTable(assumptions),
  };
  return Object.entries(parts).reduce(
    (text, [name, lines]) => insertPart("docs/scale.md", text, name, lines),
    document,
  );
}

const count = (value: number): string => Math.round(value).toLocaleString("en-US");
const digits = (value: number, most = 3): string => String(Number(value.toPrecision(most)));
const sizeOf = (bytes: number): string => (bytes < 1e9 ? `${count(bytes / 1e6)} MB` : `${count(bytes / 1e9)} GB`);

/** Returns the figures of the largest measured store. A value below zero is random variation of idle processes. */
function measuredTable(figures: GrowthFigures): string[] {
  const { audit, checkIns } = figures;
  const { list, urgent, idle } = agedSizes(figures).at(-1) ?? { list: {}, urgent: {}, idle: {} };
  const columns: Cpu[] = [list, urgent, audit, checkIns, idle];
  const cells = (of: (cpu: Cpu) => number) => columns.map((cpu) => digits(Math.max(0, of(cpu)), 2));
  const rows = Object.keys(idle).map((name) => [`\`${name}\``, ...cells((cpu) => cpu[name] ?? 0)]);
  return markdownTable(
    ["process", "rows of a list", "urgent changes", "audited", "check-ins", "idle hour"],
    [...rows, ["all", ...cells(sumOf)]],
  );
}

const growthTable = ({ sizes }: GrowthFigures): string[] =>
  markdownTable(
    [
      "labels of the store",
      "changes of each before",
      "rows of a list",
      "urgent changes",
      "idle hour: without MongoDB",
      "MongoDB",
    ],
    sizes.map(({ labels, changes, list, urgent, idle: { mongodb = 0, ...others } }, index) => {
      const before = sizes[index - 1]?.changes === changes ? sizes[index - 1] : undefined;
      const grown = (now: Cpu, then: Cpu | undefined) =>
        `${digits(sumOf(now))}${then ? ` (${signed(sumOf(now) / sumOf(then) - 1)})` : ""}`;
      return [
        ...[count(labels), changes],
        ...[grown(list, before?.list), grown(urgent, before?.urgent)],
        ...[grown(others, before && { ...before.idle, mongodb: 0 }), digits(mongodb)],
      ];
    }),
  );

const signed = (share: number): string => `${share < 0 ? "" : "+"}${Math.round(share * 100)}%`;

const documentsTable = (figures: GrowthFigures): string[] => [
  ...markdownTable(
    ["collection", "documents a label", "bytes of one"],
    Object.entries(figures.documents).map(([name, { perLabel, bytes }]) => [
      `\`${name}\``,
      name === "glass" || name === "image" ? "one a change" : perLabel,
      count(bytes),
    ]),
  ),
  "",
  `Without the log of what it showed and without pictures a label takes ${count(bytesOfLabel(figures))} bytes.`,
];

const countsTable = ({ counts: { urgent, row, idleHour } }: Assumptions): string[] =>
  markdownTable(
    ["", "urgent change", "row of a list", "idle hour"],
    [
      ["reads of MongoDB", urgent.reads, "", count(idleHour.reads)],
      ["keys that reads look up", urgent.lookUps, row.lookUps, ""],
      [
        "writes that wait for a majority; others",
        `${urgent.majorityWrites}; ${urgent.otherWrites}`,
        "",
        `${count(idleHour.writes)} in all`,
      ],
      ["documents written", urgent.documents, row.documents, ""],
      ["jobs; scripts of Redis", `${urgent.jobs}; ${urgent.scripts}`, "", `${count(idleHour.redisCommands)} commands`],
    ],
  );

function neededTable(figures: GrowthFigures, assumptions: Assumptions): string[] {
  const { labels, rate, processes, database, redisBytes, cost } = neededFor(figures, assumptions);
  const { prices } = assumptions;
  const money = (value: number) => `${count(value)} ${prices.currency}`;
  return markdownTable(
    ["what", "needed"],
    [
      ["labels", count(labels)],
      ["labels a second whose prices change: mean; in the busiest hour", `${count(rate.mean)}; ${count(rate.peak)}`],
      ["processes", count(processes.reduce((sum, one) => sum + one.count, 0))],
      [
        "MongoDB: BSON; on disk with indexes, each member",
        `${sizeOf(database.rawBytes)}; ${sizeOf(database.storedBytes + database.indexBytes)}`,
      ],
      [
        "MongoDB: cores; operations a second of all disks; shards",
        `${count(database.cores)}; ${count(database.iops)}; ${database.shards}`,
      ],
      ["Redis", sizeOf(redisBytes)],
      [
        "a month: processes; members of MongoDB; storage",
        [cost.processes, cost.members, cost.storage].map(money).join("; "),
      ],
      ["a label and month", `${(cost.perLabel * 100).toFixed(3)} cents`],
    ],
  );
}

const processesTable = (figures: GrowthFigures, assumptions: Assumptions): string[] =>
  markdownTable(
    ["process", "cores in the busiest hour", "processes"],
    neededFor(figures, assumptions).processes.map(({ name, cores, count: many }) => [
      `\`${name}\``,
      cores.toFixed(1),
      many,
    ]),
  );

const wallsTable = (figures: GrowthFigures, assumptions: Assumptions): string[] =>
  markdownTable(
    ["bound", "today", "needed", ""],
    wallsOf(figures, assumptions).map(({ what, has, needs, unit }) => [
      what,
      `${count(has)}${unit}`,
      `${count(needs)}${unit}`,
      needs > has ? `exceeded ${digits(needs / has, 2)} times` : "holds",
    ]),
  );

const pricesTable = ({ prices: { currency, coreHour, memberHour, gigabyteMonth, iopsMonth } }: Assumptions): string[] =>
  markdownTable(
    ["what", `price (${currency})`, "source"],
    [
      ["core of a process, an hour", coreHour.price, coreHour.source],
      ["member of MongoDB, an hour", memberHour.price, memberHour.source],
      ["gigabyte of disk, a month", gigabyteMonth.price, gigabyteMonth.source],
      ["operation a second, a month", iopsMonth.price, iopsMonth.source],
    ],
  );

if (import.meta.main) {
  readCommandLine("npm run scale --", {
    arguments: [],
    means: "compute the tables and plots of docs/scale.md from the measured figures",
    options: {},
  });
  const figures = await storedFigures();
  await writeFile(file, writeScale(await storedScale(), figures, await storedAssumptions()));
  for (const [name, svg] of Object.entries(writePlots(figures)))
    await writeFile(plots[name as keyof typeof plots], svg);
}
