import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { readSettings } from "../../../queues/read-settings.ts";
import { openSystem, systemSettings } from "../../../queues/system.ts";
import type { ItemPatch } from "../../../schemas/item.ts";
import { storeKey } from "../../../schemas/keys.ts";
import { STORE_ID, TENANT_ID } from "../../demo/catalogue.ts";
import { type DemoStack, withDemoStack } from "../../demo/with-stack.ts";
import { openProxy, type StoreProxy } from "../proxy/store-proxy.ts";
import { auditEverything } from "./audit-everything.ts";
import { describeWaiting } from "./describe-waiting.ts";
import { planFaults, runFaults } from "./faults.ts";
import { type Findings, sendUnderFaults } from "./price-lists.ts";

const DATABASE_TIMEOUT_MS = 20_000;
/** Half of what the clocks of two processes differ by. */
const CLOCK_SHIFT_MS = 5_000;

interface Options {
  rows: readonly ItemPatch[];
  seed: number;
  /** The faults are spread over this time. */
  milliseconds: number;
  mongoUrl: string;
  log(what: string): void;
}

/**
 * Runs the whole stack, with processes whose clocks differ, and sends price lists while workers are killed, Redis forgets
 * and MongoDB stalls, refuses and is restored. At the end every glass is compared, and an audit must find nothing.
 */
export async function runChaos(options: Options): Promise<Findings> {
  const { mongoUrl, log } = options;
  const folder = await mkdtemp(join(tmpdir(), "shelfwire-chaos-"));
  const labelServerClock = join(folder, "clock");
  const proxy = await openProxy(mongoUrl);
  const stackOptions = {
    dataFolder: folder,
    database: `chaos-${process.pid}`,
    isKept: true,
    workerProcesses: 1,
    mongoUrl: proxy.url,
    environment: { LOG_LEVEL: "fatal", SWEEP_EVERY: "5" },
    environmentOf: (name: string, index: number) => ({
      NODE_OPTIONS: `--import ${shiftOf(name, index, labelServerClock)}`,
    }),
    log,
  };
  try {
    return await withDemoStack(stackOptions, (demo) =>
      underFaults(options, demo, proxy, folder, stackOptions.database),
    );
  } finally {
    await proxy.close();
    await rm(folder, { recursive: true });
  }
}

/** The module that shifts a process's clock: workers are ahead and behind in turn, the API between them is right. */
function shiftOf(name: string, index: number, labelServerClock: string): string {
  const url = new URL("shift-clock.ts", import.meta.url);
  if (name === "label-server") url.searchParams.set("file", labelServerClock);
  else if (name !== "web") url.searchParams.set("milliseconds", String(index % 2 ? CLOCK_SHIFT_MS : -CLOCK_SHIFT_MS));
  return url.href;
}

async function underFaults(
  { rows, seed, milliseconds, mongoUrl, log }: Options,
  { stack, client }: DemoStack,
  proxy: StoreProxy,
  folder: string,
  database: string,
): Promise<Findings> {
  const urls = { REDIS_URL: stack.redis.url, MONGODB_URL: mongoUrl, MONGODB_DATABASE: database };
  const settings = readSettings(systemSettings, [], { ...urls, LOG_LEVEL: "fatal" });
  const system = openSystem(settings, pino({ level: "silent" }), DATABASE_TIMEOUT_MS);
  system.sweeper.stop();
  let overAt: number | undefined;
  let restores = 0;
  const onRestored = () => {
    restores += 1;
  };
  const [redisFolder, labelServerClock] = [join(folder, "redis"), join(folder, "clock")];
  const victims = { stack, redisFolder, proxy, system, labelServerClock, onRestored };
  try {
    const happening = runFaults(planFaults(victims, seed, milliseconds), log).then(() => {
      overAt = performance.now();
    });
    const found = sendUnderFaults({
      client,
      emulator: stack.emulator,
      rows,
      isOver: () => overAt !== undefined,
      overAt: () => overAt ?? 0,
      undone: () => restores,
      describeWaiting: () => describeWaiting(system),
      log,
    });
    const [findings] = await Promise.all([found, happening]);
    const stale = await auditEverything(system, storeKey(TENANT_ID, STORE_ID));
    if (stale.length === 0) log("an audit of everything finds nothing");
    return { ...findings, wrong: [...findings.wrong, ...stale] };
  } finally {
    await system.close();
  }
}
