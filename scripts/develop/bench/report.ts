import { readFileSync } from "node:fs";
import type { Stack } from "../../start/stack.ts";

/** One row of the bench: the measurement, its baseline, and the required ratio. */
export interface BenchRow {
  what: string;
  against: string;
  /** Units per second. */
  rate: number;
  baseline: number;
  unit: string;
  minRatio: number;
}

export function printRow({ what, against, rate, baseline, unit, minRatio }: BenchRow): void {
  const ratio = rate / baseline;
  const verdict = ratio >= minRatio ? "ok  " : "MISS";
  const figures = `${rate.toFixed(0)} against ${baseline.toFixed(0)} ${unit}/s`;
  process.stdout.write(`${verdict} ${ratio.toFixed(2)} (at least ${minRatio})  ${what} / ${against}: ${figures}\n`);
}

/** A row of the bench with an upper limit: a time or a size, and the largest multiple of its baseline that is allowed. */
interface LimitedRow {
  what: string;
  against: string;
  value: number;
  baseline: number;
  unit: string;
  maxRatio: number;
}

export function printLimitedRow({ what, against, value, baseline, unit, maxRatio }: LimitedRow): void {
  const ratio = value / baseline;
  const verdict = ratio <= maxRatio ? "ok  " : "MISS";
  const figures = `${value.toFixed(0)} against ${baseline.toFixed(0)} ${unit}`;
  process.stdout.write(`${verdict} ${ratio.toFixed(2)} (at most ${maxRatio})  ${what} / ${against}: ${figures}\n`);
}

export interface Usage {
  name: string;
  pid: number | undefined;
  /** CPU seconds so far. */
  cpu: number;
  /** Resident memory now, and its maximum so far, in MB. */
  resident: number;
  peak: number;
}

/** Returns the CPU time and memory of each process of a stack so far. */
export const usageOf = ({ processes, redis, mongo }: Stack): Usage[] =>
  usageOfProcesses([
    ...processes.map(({ name, pid }) => [name, pid()] as const),
    ["redis", redis.server?.pid()],
    ["mongodb", mongo.server?.pid()],
  ]);

/** Returns the CPU time and memory of processes so far, from the kernel. Empty on systems without /proc. */
export function usageOfProcesses(processes: readonly (readonly [name: string, pid: number | undefined])[]): Usage[] {
  return processes.flatMap(([name, pid]) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      const megabytes = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(status)?.[1]) / 1024;
      const cpu = (Number(fields[11]) + Number(fields[12])) / 100;
      return [{ name, pid, cpu, resident: megabytes("VmRSS"), peak: megabytes("VmHWM") }];
    } catch {
      // Without /proc, the bench runs without these figures.
      return [];
    }
  });
}

/** Returns the usage of processes with the CPU seconds between two readings. */
export const spentBetween = (before: readonly Usage[], after: readonly Usage[]): Usage[] =>
  after.map((usage) => ({ ...usage, cpu: usage.cpu - (before.find(({ pid }) => pid === usage.pid)?.cpu ?? 0) }));

export function printUsage(before: readonly Usage[], after: readonly Usage[]): void {
  for (const { name, cpu, peak } of spentBetween(before, after)) {
    process.stdout.write(
      `     ${name.padEnd(14)} ${cpu.toFixed(2).padStart(6)} s CPU, at most ${peak.toFixed(0)} MB\n`,
    );
  }
}

/** Returns the median of some values, the upper one of two. */
export const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

export async function timed<T>(work: () => Promise<T>): Promise<{ seconds: number; value: T }> {
  const began = performance.now();
  const value = await work();
  return { seconds: (performance.now() - began) / 1000, value };
}
