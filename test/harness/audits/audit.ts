import { auditKey } from "../../../queues/changes/audit-key.ts";
import { type ProcessName, processNames, rowOf } from "../../../queues/topology.ts";
import { createWalker } from "../../../queues/walks/walk.ts";
import { walks } from "../../../records/kinds/work.ts";
import { eventually } from "../eventually.ts";
import { DEMO_STORE } from "../glass.ts";
import type { Shelfwire } from "../shelfwire.ts";
import { untilQuiet } from "./stale-keys.ts";

/** Workers whose records an audit can find stale. Observers and the drawing of page images derive no records. */
const audited = processNames.filter((name) => !rowOf(name).observes && name !== "pages");

/**
 * Makes every worker audit the demo's store once the workers are idle; returns the number of stale records by queue. All of these
 * workers must be running.
 */
export async function auditStore({ system }: Pick<Shelfwire, "system">): Promise<Record<string, number>> {
  // Records with pending work do not count as stale.
  await untilQuiet(system, audited);
  for (const queue of audited) {
    const walker = createWalker({ ...system, queue, stages: [] });
    await walker.begin(auditKey(queue, DEMO_STORE), `${DEMO_STORE}/`, { reason: "a test requests it" });
  }
  const found = await Promise.all(
    audited.map((queue) =>
      eventually(`the audit of ${queue}`, async () => {
        const key = auditKey(queue, DEMO_STORE);
        const walk = (await system.records.read(walks, [key])).get(key);
        return walk?.finishedAt !== undefined && ([queue, walk.stale] as const);
      }),
    ),
  );
  return Object.fromEntries(found);
}

/** Returns the current audit of each queue: a later audit has a larger epoch. */
export async function auditEpochs({
  records,
}: Pick<Shelfwire["system"], "records">): Promise<Map<ProcessName, number>> {
  const found = await records.read(
    walks,
    processNames.map((queue) => auditKey(queue)),
  );
  return new Map(processNames.map((queue) => [queue, found.get(auditKey(queue))?.epoch ?? 0]));
}

/** The result of an audit that finds nothing stale. */
export const nothingBehind: Record<string, number> = Object.fromEntries(audited.map((queue) => [queue, 0]));
