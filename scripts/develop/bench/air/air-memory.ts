import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { DemoStack } from "../../../demo/with-stack.ts";
import { printLimitedRow } from "../report.ts";
import { openAir } from "./open-air.ts";

const SERVERS = 20;
const LABELS_PER_SERVER = 250;
const READINGS = 10;
const MEGABYTE = 2 ** 20;

/** The heap of a transmitter after each tenth of many transmissions: it does not grow. */
export async function benchAirMemory(demo: DemoStack, database: string, transmissions: number): Promise<void> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const air = await openAir(demo, database, SERVERS);
  const keys = air.labelsOf(LABELS_PER_SERVER);
  const heaps: number[] = [];
  try {
    for (let sent = 0; sent < transmissions; ) {
      await air.behave({ hanging: 0, answerMs: 0 });
      await air.want(keys);
      await air.untilArrived(keys);
      sent += keys.length;
      if (sent < ((heaps.length + 1) * transmissions) / READINGS) continue;
      collect();
      const { heapUsed, rss, external } = process.memoryUsage();
      heaps.push(heapUsed / MEGABYTE);
      const figures = [heapUsed, external, rss].map((bytes) => (bytes / MEGABYTE).toFixed(0));
      process.stdout.write(`     ${sent} transmissions: heap, external, resident ${figures.join(", ")} MB\n`);
    }
  } finally {
    await air.close();
  }
  // The first tenths fill caches.
  const [, , before = 1] = heaps;
  printLimitedRow({
    what: `heap of a transmitter after ${transmissions} transmissions`,
    ...{ against: "after three tenths of them", unit: "MB", maxRatio: 1.1 },
    value: heaps.at(-1) ?? before,
    baseline: before,
  });
}
