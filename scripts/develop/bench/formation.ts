import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import type { ItemPatch } from "../../../schemas/item.ts";
import type { DemoStack } from "../../demo/with-stack.ts";
import { markdownTable } from "../documents/markdown-table.ts";
import { storeAndShow } from "./price-list.ts";
import { type Usage, usageOf } from "./report.ts";

/** Time after which the processes have loaded everything and freed what they needed only at startup. */
const IDLE_AFTER_MS = 10_000;
/** A process that was busy for less than this took hardly any part in the list, so its rate would be meaningless. */
const MIN_BUSY_SECONDS = 2;
/** Programs that are not part of a production installation, or that other tools measure. */
const notOurs = ["label-server", "redis", "mongodb"];
const columns = ["process", "connections to Redis", "idle", "peak", "labels a second of one core"];

/**
 * Sends a price list with a label for each item, and prints for each process its connections to Redis, its resident memory in MB
 * (idle and peak), and how many labels per second it would process with a core of its own. Throws if a process ended. Needs
 * Linux.
 */
export async function benchFormation({ stack, client }: DemoStack, items: readonly ItemPatch[]): Promise<void> {
  await setTimeout(IDLE_AFTER_MS);
  const idle = usageOf(stack);
  const seconds = await storeAndShow(client, items, stack.emulator);
  const after = usageOf(stack);
  const restarted = after.filter(({ name, pid }) => !idle.some((one) => one.name === name && one.pid === pid));
  if (restarted.length > 0) throw new Error(`${restarted.map(({ name }) => name).join(", ")} ended under the list`);
  const port = Number(new URL(stack.redis.url).port);
  const ours = after.filter(({ name }) => !notOurs.includes(name));
  const rows = ours.map((usage) => rowOf(usage, idle, port, items.length));
  const lines = markdownTable(columns, rows);
  process.stdout.write(`${items.length} labels in ${seconds.toFixed(0)} s\n${lines.join("\n")}\n`);
}

function rowOf({ name, pid, cpu, peak }: Usage, idle: readonly Usage[], port: number, labels: number): string[] {
  const before = idle.find((one) => one.name === name);
  const spent = cpu - (before?.cpu ?? 0);
  return [
    `\`${name}\``,
    String(connectionsTo(port, pid)),
    (before?.resident ?? 0).toFixed(0),
    peak.toFixed(0),
    spent < MIN_BUSY_SECONDS ? "" : (labels / spent).toFixed(0),
  ];
}

/** Returns how many connections a process has to a port of this machine. */
function connectionsTo(port: number, pid: number | undefined): number {
  const sockets = new Set(
    ["tcp", "tcp6"].flatMap((family) =>
      readFileSync(`/proc/net/${family}`, "utf8")
        .split("\n")
        .map((line) => line.trim().split(/\s+/))
        .filter(([, , remote]) => Number.parseInt(remote?.split(":")[1] ?? "", 16) === port)
        .map((fields) => `socket:[${fields[9]}]`),
    ),
  );
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).filter((fd) => sockets.has(readlinkSync(`${folder}/${fd}`))).length;
}
