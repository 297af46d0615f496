import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { DemoStack } from "../../../demo/with-stack.ts";
import { printLimitedRow } from "../report.ts";
import { fitLine, type Point } from "./fit-line.ts";
import { openAir } from "./open-air.ts";

const SERVERS = 20;
const LABELS_PER_SERVER = 250;
const READINGS = 100;
const PRINTED_READINGS = 10;
/** The first transmissions fill caches. */
const WARM_UP_SHARE = 0.2;
const MINUTE_MS = 60_000;
const MEGABYTE = 2 ** 20;
const MILLION = 1_000_000;

/** The extent of the measurement. */
interface Extent {
  transmissions: number;
  /** The measurement ends after this time, and counts what was sent by then. */
  minutes: number;
}

/**
 * Measures a transmitter's heap, after a collection, at each hundredth of many transmissions. The least-squares line through
 * these readings must not rise.
 */
export async function benchAirMemory(demo: DemoStack, database: string, extent: Extent): Promise<void> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const air = await openAir(demo, database, SERVERS);
  const keys = air.labelsOf(LABELS_PER_SERVER);
  const readings: Point[] = [];
  const until = performance.now() + extent.minutes * MINUTE_MS;
  try {
    for (let sent = 0; sent < extent.transmissions && performance.now() < until; ) {
      await air.behave({ hanging: 0, answerMs: 0 });
      await air.want(keys);
      await air.untilArrived(keys);
      sent += keys.length;
      if (sent < ((readings.length + 1) * extent.transmissions) / READINGS) continue;
      collect();
      readings.push({ x: sent, y: process.memoryUsage().heapUsed / MEGABYTE });
      if (readings.length % (READINGS / PRINTED_READINGS) === 0) printReading(sent);
    }
  } finally {
    await air.close();
  }
  printGrowth(readings);
}

function printReading(sent: number): void {
  const { heapUsed, external, rss } = process.memoryUsage();
  const figures = [heapUsed, external, rss].map((bytes) => (bytes / MEGABYTE).toFixed(0));
  process.stdout.write(`     ${sent} transmissions: heap, external, resident ${figures.join(", ")} MB\n`);
}

function printGrowth(readings: readonly Point[]): void {
  const warm = readings.slice(Math.floor(readings.length * WARM_UP_SHARE));
  const [first, last] = [warm[0], warm.at(-1)];
  if (first === undefined || last === undefined) return;
  const { slope, at } = fitLine(warm);
  process.stdout.write(
    `     ${warm.length} readings from ${first.x} to ${last.x} transmissions: ${(slope * MILLION).toFixed(2)} MB a million\n`,
  );
  printLimitedRow({
    what: `heap of a transmitter after ${last.x} transmissions, by the line through all readings`,
    ...{ against: `after ${first.x}`, unit: "MB", maxRatio: 1.1 },
    value: at(last.x),
    baseline: at(first.x),
  });
}
