import { type Clock, monotonicClock } from "./send-at-times.ts";

interface Sample {
  name: string;
  labels: Readonly<Record<string, string>>;
  value: number;
}

/** The first, largest and last value of a gauge during a run. */
export interface Course {
  first: number;
  max: number;
  last: number;
}

/** The resources that the installation's processes used during a run, by their names. */
export interface Resources {
  /** Processor seconds. */
  cpuSeconds: Record<string, number>;
  /** Resident memory by process, and other metrics in bytes by their names. */
  bytes: Record<string, Course>;
  /** Total resident memory of all processes, in bytes, at each reading. */
  residentBytes: number[];
}

const RESIDENT = "process_resident_memory_bytes";
const CPU = "process_cpu_seconds_total";
/** A web process reads the installation's metrics at most once every ten seconds. */
const READ_INTERVAL_MS = 10_000;

/** Returns the samples of a page in Prometheus's text format. */
export function parseMetrics(page: string): Sample[] {
  return page.split("\n").flatMap((line) => {
    const [, name, labels = "", value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name === undefined) return [];
    const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label = "", text = ""]) => [label, text]);
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }];
  });
}

/**
 * Returns the processor time and memory that consecutive metrics pages show. Processes with the same name are added up. A
 * restarted process counts from its start.
 */
export function resourcesOf(pages: readonly (readonly Sample[])[]): Resources {
  const bytes: Resources["bytes"] = {};
  for (const page of pages) {
    // A limit is not usage.
    const measured = page.filter(({ name }) => name.endsWith("_bytes") && !name.endsWith("_max_bytes"));
    const sums = Map.groupBy(measured, ({ name, labels }) => (name === RESIDENT ? labels.process : undefined) ?? name);
    for (const [what, group] of sums) {
      const value = group.reduce((sum, sample) => sum + sample.value, 0);
      const { first = value, max = value } = bytes[what] ?? {};
      bytes[what] = { first, max: Math.max(max, value), last: value };
    }
  }
  const cpuSeconds: Resources["cpuSeconds"] = {};
  const before = new Map<string, number>();
  for (const [index, page] of pages.entries())
    for (const { labels, value } of page.filter(({ name }) => name === CPU)) {
      const { process = "", process_id = "" } = labels;
      // A process that appears during the run has spent all its processor time in the run.
      const spent = value - (before.get(process_id) ?? (index === 0 ? value : 0));
      cpuSeconds[process] = (cpuSeconds[process] ?? 0) + spent;
      before.set(process_id, value);
    }
  const residentOf = (page: readonly Sample[]) =>
    page.filter(({ name }) => name === RESIDENT).reduce((sum, { value }) => sum + value, 0);
  return { cpuSeconds, bytes, residentBytes: pages.map(residentOf) };
}

/** Reads `/metrics?all` until `end` is called. Without METRICS_TOKEN there is nothing to read. */
export function watchResources(origin: string, token: string | undefined, clock: Clock = monotonicClock) {
  const pages: Sample[][] = [];
  let isOver = false;
  const over = Promise.withResolvers<void>();

  async function read(): Promise<void> {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${origin}/metrics?all`, { headers }).catch(() => undefined);
    if (answer?.ok) pages.push(parseMetrics(await answer.text()));
  }

  async function watch(): Promise<void> {
    while (!isOver) {
      await read();
      await Promise.race([clock.wait(READ_INTERVAL_MS), over.promise]);
    }
    await read();
  }

  const watching = token === undefined ? undefined : watch();
  return {
    /** Returns undefined if the metrics could not be read. */
    async end(): Promise<Resources | undefined> {
      isOver = true;
      over.resolve();
      await watching;
      return pages.length === 0 ? undefined : resourcesOf(pages);
    },
  };
}
