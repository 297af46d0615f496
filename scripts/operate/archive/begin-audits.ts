import { auditKey } from "../../../queues/changes/audit-key.ts";
import type { System } from "../../../queues/system.ts";
import { processNames } from "../../../queues/topology.ts";
import { createWalker } from "../../../queues/walks/walk.ts";

/** Makes the workers audit a store now. They compare each derived record with its sources and enqueue stale ones. */
export async function beginAudits(system: System, store: string, reason: string): Promise<void> {
  for (const queue of processNames)
    await createWalker({ ...system, queue, stages: [] }).begin(auditKey(queue, store), `${store}/`, { reason });
}
