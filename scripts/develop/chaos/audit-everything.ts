import { setTimeout } from "node:timers/promises";
import { auditKey } from "../../../queues/changes/audit-key.ts";
import type { System } from "../../../queues/system.ts";
import { processNames, rowOf } from "../../../queues/topology.ts";
import { createWalker } from "../../../queues/walks/walk.ts";
import { walks } from "../../../records/kinds/work.ts";

const POLL_INTERVAL_MS = 200;
const TIMEOUT_MS = 120_000;
/**
 * A change under way when an audit begins is not a finding, so only keys that are stale in three consecutive audits are.
 */
const AUDITS = 3;
const audited = processNames.filter((name) => !rowOf(name).observes);

/** Makes every worker audit a store. Returns a finding for each worker whose audits repeatedly find stale records. */
export async function auditEverything(system: System, store: string): Promise<string[]> {
  let wrong: string[] = [];
  for (let count = 0; count < AUDITS; count += 1) {
    wrong = (await Promise.all(audited.map((queue) => auditOnce(system, store, queue)))).flat();
    if (wrong.length === 0) return [];
  }
  return wrong;
}

async function auditOnce(system: System, store: string, queue: (typeof audited)[number]): Promise<string[]> {
  const key = auditKey(queue, store);
  const walker = createWalker({ ...system, queue, stages: [] });
  const begun = await walker.begin(key, `${store}/`, { reason: "chaos is over" });
  const deadline = performance.now() + TIMEOUT_MS;
  while (performance.now() < deadline) {
    const walk = (await system.records.read(walks, [key])).get(key);
    if (walk?.finishedAt !== undefined && walk.epoch === begun?.epoch)
      return walk.stale > 0 ? [`an audit of ${queue} finds ${walk.stale} stale records`] : [];
    await setTimeout(POLL_INTERVAL_MS);
  }
  return [`the audit of ${queue} does not end`];
}
