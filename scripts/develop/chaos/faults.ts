import { rmSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { Redis } from "ioredis";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { processNames } from "../../../queues/topology.ts";
import { startRedis } from "../../start/servers.ts";
import type { Stack } from "../../start/stack.ts";

/** A fault and its time, in milliseconds after the beginning. */
export interface Fault {
  at: number;
  what: string;
  happen(): Promise<void>;
}

const FLUSHES = 5;
const REDIS_DOWN_MS = 1500;

/**
 * Plans the faults: every worker killed, Redis flushed five times, killed and started empty, and killed and started
 * with its file. The seed decides their order and times within `milliseconds`.
 */
export function planFaults(stack: Stack, redisFolder: string, seed: number, milliseconds: number): Fault[] {
  const random = xoroshiro128plus(seed);
  const faults: Omit<Fault, "at">[] = [
    ...processNames.map((name) => ({ what: `kill -9 of ${name}`, happen: async () => killAll(stack, name) })),
    ...Array.from({ length: FLUSHES }, () => ({ what: "FLUSHALL", happen: () => flush(stack.redis.url) })),
    { what: "Redis is killed and starts empty", happen: () => restartRedis(stack, redisFolder, true) },
    { what: "Redis is killed and starts with its file", happen: () => restartRedis(stack, redisFolder, false) },
  ];
  return faults.map((fault) => ({ ...fault, at: uniformInt(random, 0, milliseconds) })).sort((a, b) => a.at - b.at);
}

/** Makes the faults happen, each at its time or as soon as the previous one is over. */
export async function runFaults(faults: readonly Fault[], log: (what: string) => void): Promise<void> {
  const began = performance.now();
  for (const { at, what, happen } of faults) {
    await setTimeout(Math.max(0, began + at - performance.now()));
    log(`${((performance.now() - began) / 1000).toFixed(1)} s: ${what}`);
    await happen();
  }
}

function killAll({ processes }: Stack, name: string): void {
  for (const running of processes.filter((process) => process.name === name)) running.kill();
}

async function flush(url: string): Promise<void> {
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
