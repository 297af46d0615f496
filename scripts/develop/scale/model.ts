import type { GrowthFigures, OfSize } from "../bench/growth/growth.ts";
import type { Cpu } from "../bench/growth/measure.ts";
import type assumed from "./assumptions.json";

export type Assumptions = typeof assumed;

/** The needs of an installation of a given size. */
interface Needed {
  labels: number;
  /** Labels per second whose prices change: on average, and in the busiest hour. */
  rate: { mean: number; peak: number };
  /** Cores in use by process, and the number of processes with one core each, in the busiest hour. */
  processes: { name: string; cores: number; count: number }[];
  database: { rawBytes: number; storedBytes: number; indexBytes: number; cores: number; iops: number; shards: number };
  redisBytes: number;
  /** Costs per month. */
  cost: { processes: number; members: number; storage: number; perLabel: number };
}

const DAY_SECONDS = 86_400;
const HOUR_SECONDS = 3_600;
/** Processes whose cores count as the databases' cores. */
const DATABASES: readonly string[] = ["mongodb", "redis"];

/** Computes what an installation needs from measurements and assumptions. Pure, so that a test can compare its results. */
export function neededFor(figures: GrowthFigures, assumptions: Assumptions): Needed {
  const { installation, prices, database, use } = assumptions;
  const labels = installation.stores * installation.labelsPerStore;
  const perDay = labels * installation.changesPerLabelAndDay;
  const rate = { mean: perDay / DAY_SECONDS, peak: (perDay * installation.busiestHourShare) / HOUR_SECONDS };
  const cores = coresAt(rate.peak, labels, figures, assumptions);
  const processes = Object.entries(cores)
    .filter(([name]) => !DATABASES.includes(name))
    .map(([name, used]) => ({ name, cores: used, count: Math.max(2, Math.ceil(used / use)) }));
  const stored = storedIn(labels, figures, assumptions);
  const iops = iopsAt(rate.peak, figures, assumptions);
  const shards = Math.max(
    1,
    Math.ceil((cores.mongodb ?? 0) / (database.coresPerMember * use)),
    Math.ceil((stored.storedBytes + stored.indexBytes) / (database.bytesPerMember * use)),
    Math.ceil(iops / (database.iopsPerMember * use)),
  );
  const members = shards * database.members;
  const volumeIops = Math.max(0, iops / shards / use - prices.iopsIncluded);
  const cost = {
    processes: processes.reduce((sum, { count }) => sum + count, 0) * prices.coreHour.price * prices.hoursPerMonth,
    members: members * prices.memberHour.price * prices.hoursPerMonth,
    storage:
      (database.members * (stored.storedBytes + stored.indexBytes) * prices.gigabyteMonth.price) / 1e9 / use +
      members * volumeIops * prices.iopsMonth.price,
  };
  return {
    ...{ labels, rate, processes, redisBytes: redisAt(rate.peak, figures, assumptions) },
    database: { ...stored, cores: cores.mongodb ?? 0, iops, shards },
    cost: { ...cost, perLabel: (cost.processes + cost.members + cost.storage) / labels },
  };
}

/** Returns the sizes that were measured with the longest history, which labels have after some weeks. */
export function agedSizes({ sizes }: GrowthFigures): OfSize[] {
  const longest = Math.max(...sizes.map(({ changes }) => changes));
  return sizes.filter(({ changes }) => changes === longest);
}

/** Returns the cores in use by process: for changes, check-ins and audits, and when nothing happens. */
function coresAt(rate: number, labels: number, figures: GrowthFigures, { installation, limits }: Assumptions): Cpu {
  const { checkIns, audit } = figures;
  const series = agedSizes(figures);
  const [smallest] = series;
  const largest = series.at(-1);
  if (smallest === undefined || largest === undefined) throw new Error("the figures have no size");
  const urgent = rate * installation.urgentShare;
  const checkInRate = (labels * installation.checkInsPerLabelAndHour) / HOUR_SECONDS;
  const audited = limits.auditedRecordsPerSecond / limits.auditedKinds;
  const parts: [Cpu, number][] = [
    [largest.list, (rate - urgent) / 1_000],
    [largest.urgent, urgent / 1_000],
    [checkIns, checkInRate / 1_000],
    [audit, audited / 1_000],
    [smallest.idle, 1 / HOUR_SECONDS],
  ];
  const cores: Cpu = {};
  for (const [cpu, factor] of parts)
    for (const [name, seconds] of Object.entries(cpu)) cores[name] = (cores[name] ?? 0) + Math.max(0, seconds) * factor;
  return cores;
}

/** Returns the size of a label, in bytes, in all collections except those that keep history. */
export const bytesOfLabel = ({ documents }: GrowthFigures): number =>
  Object.entries(documents)
    .filter(([name]) => name !== "glass" && name !== "image")
    .reduce((sum, [, { perLabel, bytes }]) => sum + perLabel * bytes, 0);

function storedIn(labels: number, { documents }: GrowthFigures, { installation, database }: Assumptions) {
  const kept: Record<string, number> = {
    glass: installation.glassDays * installation.changesPerLabelAndDay,
    image: installation.picturesPerLabel,
  };
  const entries: Record<string, number> = database.indexEntries;
  let rawBytes = 0;
  let indexBytes = 0;
  for (const [name, { perLabel, bytes }] of Object.entries(documents)) {
    const count = labels * (kept[name] ?? perLabel);
    rawBytes += count * bytes;
    indexBytes += count * (entries[name] ?? 1) * database.indexBytesPerEntry;
  }
  return { rawBytes, indexBytes, storedBytes: rawBytes * database.compression };
}

/**
 * Returns disk operations per second. The rows of a list lie side by side in each collection, so each page of a store is read
 * and written once. An urgent change finds every document on a different page.
 */
function iopsAt(rate: number, figures: GrowthFigures, { installation, counts, database }: Assumptions): number {
  const urgent = rate * installation.urgentShare;
  const pagesOfRow = (bytesOfLabel(figures) * database.compression) / database.pageBytes;
  return (rate - urgent) * 2 * pagesOfRow + urgent * (counts.urgent.lookUps + counts.urgent.documents);
}

/** Returns the peak size of Redis while lists are applied, including the results of the last minutes. */
const redisAt = (rate: number, { redis }: GrowthFigures, { limits }: Assumptions): number =>
  redis.peak + rate * limits.resultSeconds * limits.resultBytesPerRow;

/** A limit of the current design, and how much of it this installation would need. */
interface Wall {
  what: string;
  has: number;
  needs: number;
  unit: string;
}

/** Returns the limits of the design, ordered by how far the installation exceeds them. */
export function wallsOf(figures: GrowthFigures, assumptions: Assumptions): Wall[] {
  const { installation, limits } = assumptions;
  const { labels, rate, processes } = neededFor(figures, assumptions);
  const connections = processes.reduce((sum, { count }) => sum + count, 0) * limits.connectionsPerProcess;
  const walls: Wall[] = [
    {
      what: "an audit of all labels within its interval: records of one kind a second",
      ...{ has: limits.auditedRecordsPerSecond, needs: labels / limits.auditEverySeconds, unit: "/s" },
    },
    {
      what: "labels of one tenant an hour (16 chunks and 32 change jobs under way)",
      ...{ has: limits.tenantLabelsPerHour, needs: rate.peak * HOUR_SECONDS, unit: "/h" },
    },
    {
      what: "urgent changes in one queue a second, which is one slot of a Redis Cluster",
      ...{ has: limits.urgentChangesPerSecondAndQueue, needs: rate.peak * installation.urgentShare, unit: "/s" },
    },
    {
      what: "connections to MongoDB if every process opens its maximum",
      ...{ has: limits.connections, needs: connections, unit: "" },
    },
  ];
  return walls.toSorted((one, other) => other.needs / other.has - one.needs / one.has);
}
