import type { Logger } from "pino";
import type { Change } from "../../schemas/topics.ts";
import type { Publisher } from "../publish/publisher.ts";
import type { QueueName } from "../topology.ts";
import type { Stage } from "./stage.ts";

/** Enqueues stale keys of a stage as changes without fields. False: Redis did not take them. */
export async function enqueueStale(
  { publisher, log }: { publisher: Pick<Publisher, "enqueue">; log: Logger },
  queue: QueueName,
  { name, topic }: Stage,
  staleKeys: readonly string[],
): Promise<boolean> {
  const [first] = staleKeys;
  if (first === undefined) return true;
  log.warn({ queue, stage: name, stale: staleKeys.length, first }, "a walk found stale keys");
  const changes = staleKeys.map((key): Change => ({ key, rev: 0, operation: "UPDATED", changed: [], urgency: "bulk" }));
  return publisher.enqueue(queue, [{ name: topic, data: { changes }, urgency: "bulk" }]);
}
