import { rmSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { Redis } from "ioredis";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { processNames } from "../../../queues/topology.ts";
import { startRedis } from "../../start/servers.ts";
import type { Stack } from "../../start/stack.ts";

/** Something that goes wrong, and when: milliseconds after the beginning. */
export interface Fault {
  at: number;
  what: string;
  happen(): Promise<void>;
}

const FLUSHES = 5;
const DOWN_MS = 1500;

/**
 * Every worker killed, Redis flushed five times, killed and started again empty, killed and started again with its
 * file: in an order and at moments that the seed decides, over `milliseconds`.
 */
export function planFaults(stack: Stack, redisFolder: string, seed: number, milliseconds: number): Fault[] {
  const random = xoroshiro128plus(seed);
  const faults: Omit<Fault, "at">[] = [
    ...processNames.map((name) => ({ what: `kill -9 of ${name}`, happen: async () => killAll(stack, name) })),
    ...Array.from({ length: FLUSHES }, () => ({ what: "FLUSHALL", happen: () => flush(stack.redis.url) })),
    { what: "Redis is killed and starts empty", happen: () => restartRedis(stack, redisFolder, true) },
    { what: "Redis is killed and starts with its file", happen: () => restartRedis(stack, redisFolder, false) },
  ];
  return faults
    .map((fault) => ({ ...fault, at: uniformInt(random, 0, milliseconds) }))
    .sort((one, other) => one.at - other.at);
}

/** Lets faults happen, each at its time or as soon as the one before is over. */
export async function letHappen(faults: readonly Fault[], tell: (what: string) => void): Promise<void> {
  const began = performance.now();
  for (const { at, what, happen } of faults) {
    await setTimeout(Math.max(0, began + at - performance.now()));
    tell(`${((performance.now() - began) / 1000).toFixed(1)} s: ${what}`);
    await happen();
  }
}

function killAll({ processes }: Stack, name: string): void {
  for (const one of processes.filter((process) => process.name === name)) one.kill();
}

async function flush(url: string): Promise<void> {
  const redis = new Redis(url, { maxRetriesPerRequest: null });
  await redis.flushall();
  redis.disconnect();
}

async function restartRedis({ redis }: Stack, folder: string, isEmpty: boolean): Promise<void> {
  await redis.server?.kill();
  if (isEmpty) rmSync(folder, { recursive: true, force: true });
  await setTimeout(DOWN_MS);
  redis.server = await startRedis(Number(new URL(redis.url).port), folder);
}
