import type { Stage } from "../../../queues/changes/stage.ts";
import type { System } from "../../../queues/system.ts";
import { type ProcessName, type QueueName, queuesOf, rowOf } from "../../../queues/topology.ts";
import { walks } from "../../../records/kinds/work.ts";
import { eventually } from "../eventually.ts";

/** A running worker, with a function that audits its queue. */
export interface AuditedWorker {
  name: ProcessName;
  findStale(): Promise<string[]>;
}

/**
 * Maximum number of audits, one of which must find nothing. More than one may be needed, because a change that arrives between
 * the check for work and an audit briefly makes its keys stale.
 */
const AUDITS = 3;
/**
 * Consecutive checks that must find no work. A change that moves between a queue and the outbox can be missed by one check, but
 * not by two.
 */
const QUIET_CHECKS = 2;

/**
 * Waits until the queues of these workers and the outbox are empty, and audits the workers' stages over all keys. Throws an
 * error that names any stale keys, since work without a fault leaves none.
 */
export async function assertNothingStale(system: System, workers: readonly AuditedWorker[]): Promise<void> {
  let stale: string[] = [];
  for (let count = 0; count < AUDITS; count += 1) {
    await untilQuiet(
      system,
      workers.map(({ name }) => name),
    );
    stale = (await Promise.all(workers.map(({ findStale }) => findStale()))).flat();
    if (stale.length === 0) return;
  }
  throw new Error(`stale although no work is left: ${stale.slice(0, 10).join(", ")}`);
}

/** Returns every stale key of these stages, with the name of the stage. */
export async function staleKeysOf(records: System["records"], stages: readonly Stage[]): Promise<string[]> {
  const found = stages.map(async ({ name, over, findStale }) => {
    const stale: string[] = [];
    for await (const keys of records.scanKeys(over, "t/")) stale.push(...(await findStale(keys)));
    return stale.map((key) => `${name} ${key}`);
  });
  return (await Promise.all(found)).flat();
}

/** Waits until these workers have no job, no walk and no change to publish. */
export async function untilQuiet({ db, publisher }: System, names: readonly ProcessName[]): Promise<void> {
  // Changes for observers are not audited, and a receiver may delay them.
  const queues = names.flatMap((name): QueueName[] => queuesOf(name)).filter((queue) => !rowOf(queue).observes);
  let left: string[] = [];
  let quietChecks = 0;
  await eventually("the workers have nothing to do", async () => {
    const counted = queues.map(async (queue) => {
      const counts = await publisher.countJobs(queue, "active", "waiting", "prioritized", "delayed");
      return Object.values(counts).some((count) => count > 0) ? [queue] : [];
    });
    const unfinished = await db
      .collection(walks.name)
      .countDocuments({ queue: { $in: queues }, finishedAt: { $exists: false } });
    const unpublished = await db.collection("outbox").countDocuments();
    left = [
      ...(await Promise.all(counted)).flat(),
      ...(unfinished ? ["walks"] : []),
      ...(unpublished ? ["outbox"] : []),
    ];
    quietChecks = left.length === 0 ? quietChecks + 1 : 0;
    return quietChecks >= QUIET_CHECKS;
  }).catch((error: Error) => {
    throw new Error(`${error.message}; left: ${left.join(", ")}`);
  });
}
