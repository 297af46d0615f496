import type { Logger } from "pino";
import type { RecordKind } from "../../records/kind.ts";
import type { Change, Topic } from "../../schemas/topics.ts";
import type { Publisher } from "../publish/publisher.ts";
import type { QueueName } from "../topology.ts";
import type { Derivation } from "./derivation.ts";
import type { Derive } from "./derive.ts";

/** A step of the pipeline, in which an audit finds stale derived records. */
export interface Stage {
  name: string;
  /** The kind whose keys are walked. */
  over: RecordKind<unknown>;
  /** Returns the keys, among these, whose derived record is stale. */
  findStale(keys: readonly string[]): Promise<string[]>;
  /** The topic under which a stale key is enqueued again. */
  topic: Topic;
  /** Returns the stage's key for a link; absent if its keys have nothing to do with links. */
  keyOfLink?(link: string): string;
}

/** For stages whose keys are link keys. */
export const ofLink = (link: string): string => link;

/**
 * Returns the stage of a derivation whose records have the same keys as the records of the walked kind. If these are link keys,
 * `keyOfLink` must be `ofLink`.
 */
export function stageOf<Facts, Body>(
  { findStale }: Derive,
  derivation: Derivation<Facts, Body>,
  over: RecordKind<unknown>,
  topic: Topic,
  keyOfLink?: Stage["keyOfLink"],
): Stage {
  const name = derivation.kind.name;
  return { name, over, topic, findStale: (keys) => findStale(derivation, keys), ...(keyOfLink && { keyOfLink }) };
}

/** Enqueues stale keys of a stage as changes without fields. Returns false if Redis did not accept them. */
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
