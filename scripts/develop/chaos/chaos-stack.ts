import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { openSystem, type System, systemSettings } from "../../../queues/system.ts";
import { openDatabase } from "../../../records/client.ts";
import { readSettings } from "../../../runtime/read-settings.ts";
import { type DemoStack, withDemoStack } from "../../demo/with-stack.ts";
import { openProxy } from "../proxy/database-proxy.ts";
import type { Victims } from "./faults.ts";

const DATABASE_TIMEOUT_MS = 20_000;
/** Half of the difference between the clocks of two processes. */
const CLOCK_SHIFT_MS = 5_000;

/** A running Shelfwire to which faults can happen. */
export interface ChaosStack extends DemoStack {
  victims: Omit<Victims, "onRestored">;
  /** This process's system, which reaches the databases directly. */
  system: System;
}

interface Options {
  mongoUrl: string;
  /** More settings for every process. */
  environment?: Readonly<Record<string, string>>;
  log(what: string): void;
}

/** Starts the whole stack, with processes whose clocks differ and a proxy in front of MongoDB, does the work, and stops it. */
export async function withChaosStack<T>(
  { mongoUrl, environment, log }: Options,
  work: (chaos: ChaosStack) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "shelfwire-chaos-"));
  const [redisFolder, labelServerClock] = [join(folder, "redis"), join(folder, "clock")];
  const proxy = await openProxy(mongoUrl);
  const stackOptions = {
    dataFolder: folder,
    database: `chaos-${randomUUID()}`,
    isKept: true,
    workerProcesses: 1,
    mongoUrl: proxy.url,
    environment: { LOG_LEVEL: "fatal", SWEEP_EVERY: "5", ...environment },
    environmentOf: (name: string, index: number) => ({
      NODE_OPTIONS: `--import ${shiftOf(name, index, labelServerClock)}`,
    }),
    log,
  };
  try {
    const result = await withDemoStack(stackOptions, async (demo) => {
      const { stack } = demo;
      const urls = { REDIS_URL: stack.redis.url, MONGODB_URL: mongoUrl, MONGODB_DATABASE: stackOptions.database };
      const settings = readSettings(systemSettings, [], { ...urls, LOG_LEVEL: "fatal" });
      const system = openSystem(settings, pino({ level: "silent" }), DATABASE_TIMEOUT_MS);
      system.sweeper.stop();
      try {
        return await work({ ...demo, system, victims: { stack, redisFolder, proxy, system, labelServerClock } });
      } finally {
        await system.close();
      }
    });
    await drop(mongoUrl, stackOptions.database);
    return result;
  } finally {
    await proxy.close();
    // A killed process may still write its last file.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function drop(url: string, database: string): Promise<void> {
  const { db, close } = openDatabase(url, database, DATABASE_TIMEOUT_MS);
  try {
    await db.dropDatabase();
  } finally {
    await close();
  }
}

/**
 * Returns the module that shifts a process's clock: workers' clocks are ahead and behind in turn, and the API's clock is
 * correct.
 */
function shiftOf(name: string, index: number, labelServerClock: string): string {
  const url = new URL("shift-clock.ts", import.meta.url);
  if (name === "label-server") url.searchParams.set("file", labelServerClock);
  else if (name !== "web") url.searchParams.set("milliseconds", String(index % 2 ? CLOCK_SHIFT_MS : -CLOCK_SHIFT_MS));
  return url.href;
}
