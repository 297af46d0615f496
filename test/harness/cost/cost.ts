import type { WatchedCommand } from "./mongodb-watcher.ts";
import type { RedisCommand } from "./redis-watcher.ts";

/** The commands that a piece of work sends to the databases, by kind. */
export interface Cost {
  reads: number;
  /** Writes that wait for a majority of the replica set, and all other writes. */
  majorityWrites: number;
  otherWrites: number;
  /** Keys named by reads, and documents changed by writes. */
  lookUps: number;
  documents: number;
  jobs: number;
  scripts: number;
}

/** How often each kind of command occurred, and what one such command costs. */
type Counts = Map<string, { times: number; each: Partial<Cost> }>;

export function countCommands(commands: readonly WatchedCommand[], redis: readonly RedisCommand[]): Counts {
  const counts: Counts = new Map();
  const count = (signature: string, each: Partial<Cost>) => {
    const known = counts.get(signature);
    counts.set(signature, { times: (known?.times ?? 0) + 1, each });
  };
  for (const { name, kind, lookUps, writes, isMajority } of commands) {
    if (kind === "read") count(`${name} ${lookUps}`, { reads: 1, lookUps });
    else if (isMajority) count(`${name} ${writes}`, { majorityWrites: 1, documents: writes });
    else count(`${name} ${writes}, w: 1`, { otherWrites: 1, documents: writes });
  }
  for (const { name, key, isInScript, arguments: words } of redis) {
    if (!isInScript && name.startsWith("eval")) count(`${words[0]} ${key}`, { scripts: 1 });
    if (isInScript && name === "xadd" && words.includes("added")) count(`job of ${key}`, { jobs: 1 });
  }
  return counts;
}

/**
 * Returns the cost that all repetitions of a piece of work share. Commands sent at intervals, such as the renewal of a lease, do
 * not occur in every repetition and are left out, however fast the machine is.
 */
export function costOfEach(repetitions: readonly Counts[]): Cost & { commands: string[] } {
  const cost = { reads: 0, majorityWrites: 0, otherWrites: 0, lookUps: 0, documents: 0, jobs: 0, scripts: 0 };
  const [first = new Map()] = repetitions;
  const commands: string[] = [];
  for (const [signature, { each }] of first as Counts) {
    const times = Math.min(...repetitions.map((counts) => counts.get(signature)?.times ?? 0));
    if (times > 0) commands.push(`${times} x ${signature}`);
    for (const [name, value] of Object.entries(each)) cost[name as keyof Cost] += times * value;
  }
  return { ...cost, commands };
}
