import { rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { Redis } from "ioredis";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import type { System } from "../../../queues/system.ts";
import { processNames } from "../../../queues/topology.ts";
import { startRedis } from "../../start/servers.ts";
import type { Stack } from "../../start/stack.ts";
import type { DatabaseProxy } from "../proxy/database-proxy.ts";
import { type Dump, dump, failOver, restore, stall } from "./database-faults.ts";

/** A fault and its time, in milliseconds after the start. */
export interface Fault {
  at: number;
  what: string;
  happen(): Promise<void>;
}

const FLUSH = "FLUSHALL";
const FLUSHES = 5;
const REDIS_DOWN_MS = 1500;
const LABEL_SERVER_DOWN_MS = 6_000;
const HOUR_MS = 3_600_000;
/** The times of the backup and of its restore, as parts of the whole time. */
const BACKUP_AT = 0.35;
const RESTORE_AT = 0.5;

/** The parts of a system that faults affect. */
export interface Victims {
  stack: Stack;
  redisFolder: string;
  /** The proxy between the processes and MongoDB. */
  proxy: DatabaseProxy;
  /** This process's system, which reaches the databases directly. */
  system: System;
  /** File with the shift of the label server's clock, in milliseconds. */
  labelServerClock: string;
  /** Called after MongoDB has been restored to an earlier point in time. What was accepted after that point is undone. */
  onRestored(): void;
}

/** Returns the kills of the API and of each worker, and the loss of Redis's data. */
export function killsOf({ stack }: Pick<Victims, "stack">) {
  const killOf = (name: string) => ({ what: `kill -9 of ${name}`, happen: async () => killAll(stack, name) });
  return {
    web: killOf("web"),
    workers: processNames.map(killOf),
    flush: { what: FLUSH, happen: () => flushAll(stack.redis.url) },
  };
}

/** Returns every fault except the restore, once. */
export function faultsOf(victims: Omit<Victims, "onRestored">): Omit<Fault, "at">[] {
  const { stack, redisFolder, proxy } = victims;
  const { workers, flush } = killsOf(victims);
  return [
    ...workers,
    flush,
    { what: "Redis is killed and starts empty", happen: () => restartRedis(stack, redisFolder, true) },
    { what: "Redis is killed and starts with its file", happen: () => restartRedis(stack, redisFolder, false) },
    { what: "MongoDB stalls", happen: () => stall(proxy) },
    { what: "MongoDB rejects commands, as in a failover", happen: () => failOver(proxy) },
    { what: "the label server is down for an hour of its clock", happen: () => stopLabelServer(victims) },
  ];
}

/**
 * Plans the faults. Every worker is killed. Redis is flushed five times, killed and started empty, and killed and started with
 * its file. MongoDB stalls, rejects commands with the codes of a failover, and is restored to an earlier point in time. The
 * label server is down for an hour by its own clock. The seed determines their order and their times within `milliseconds`.
 */
export function planFaults(victims: Victims, seed: number, milliseconds: number): Fault[] {
  const random = xoroshiro128plus(seed);
  const faults = faultsOf(victims).flatMap((fault) =>
    Array.from({ length: fault.what === FLUSH ? FLUSHES : 1 }, () => fault),
  );
  const planned = faults.map((fault) => ({ ...fault, at: uniformInt(random, 0, milliseconds) }));
  return [...planned, ...planRestore(victims, milliseconds)].sort((a, b) => a.at - b.at);
}

/** Plans a backup, and its restore halfway through the run. */
function planRestore({ stack, proxy, system, onRestored }: Victims, milliseconds: number): Fault[] {
  let backup: Dump | undefined;
  return [
    {
      at: milliseconds * BACKUP_AT,
      what: "MongoDB is backed up",
      happen: async () => {
        backup = await dump(system.db);
      },
    },
    {
      at: milliseconds * RESTORE_AT,
      what: "MongoDB is restored to that moment",
      happen: async () => {
        if (backup === undefined) throw new Error("there is no backup");
        await restore(stack, proxy, system, backup);
        onRestored();
      },
    },
  ];
}

/**
 * Does work while faults happen. If the work fails, no further fault happens, because the stack stops next, and a fault in a
 * stopped stack would fail too and hide the reason.
 */
export async function whileFaultsHappen<T>(
  faults: readonly Fault[],
  log: (what: string) => void,
  work: (happening: Promise<void>) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const happening = runFaults(faults, log, ending.signal);
  const working = work(happening).catch((error: Error) => {
    ending.abort();
    throw error;
  });
  await Promise.allSettled([working, happening]);
  await happening;
  return working;
}

/** Runs the faults, each at its time or as soon as the previous one has ended, until `ending`. */
export async function runFaults(
  faults: readonly Fault[],
  log: (what: string) => void,
  ending: AbortSignal,
): Promise<void> {
  const began = performance.now();
  for (const { at, what, happen } of faults) {
    await setTimeout(Math.max(0, began + at - performance.now()), undefined, { signal: ending }).catch(() => {});
    if (ending.aborted) return;
    log(`${((performance.now() - began) / 1000).toFixed(1)} s: ${what}`);
    await happen();
  }
}

/** Stops the label server, and starts it with a clock on which an hour has passed. */
async function stopLabelServer({ stack, labelServerClock }: Omit<Victims, "onRestored">): Promise<void> {
  const pid = stack.processes.find(({ name }) => name === "label-server")?.pid();
  if (pid === undefined) throw new Error("the label server does not run");
  process.kill(pid, "SIGSTOP");
  await setTimeout(LABEL_SERVER_DOWN_MS);
  await writeFile(labelServerClock, String(HOUR_MS));
  killAll(stack, "label-server");
}

function killAll({ processes }: Stack, name: string): void {
  for (const running of processes.filter((process) => process.name === name)) running.kill();
}

async function flushAll(url: string): Promise<void> {
  const redis = new Redis(url, { maxRetriesPerRequest: null });
  await redis.flushall();
  redis.disconnect();
}

async function restartRedis({ redis }: Stack, folder: string, isEmpty: boolean): Promise<void> {
  await redis.server?.kill();
  if (isEmpty) rmSync(folder, { recursive: true, force: true });
  await setTimeout(REDIS_DOWN_MS);
  redis.server = await startRedis(Number(new URL(redis.url).port), folder);
}
