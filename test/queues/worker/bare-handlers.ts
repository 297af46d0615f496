import { type Handlers, type QueueName, rowOf } from "../../../queues/topology.ts";
import type { RequestChunk } from "../../../schemas/jobs.ts";
import type { Change } from "../../../schemas/topics.ts";

/** The topics and jobs of a queue. */
export const namesOf = (queue: QueueName): string[] => [...rowOf(queue).topics, ...Object.keys(rowOf(queue).jobs)];
/** Handlers that the compiler does not check. */
export const handlersOf = <Q extends QueueName>(_queue: Q, names: readonly string[]): Handlers<Q> =>
  Object.fromEntries(names.map((name) => [name, async () => []])) as unknown as Handlers<Q>;
/** Of changes that the records have reached. */
export const nothingBehind = { behind: new Map<string, number>() };
/** Handles changes by doing nothing. */
export const ignore = async () => nothingBehind;
/** Of a process that does not close. */
export const stays = new AbortController().signal;
const run = <T>(work: () => Promise<T>) => work();
/** Each batch runs at once, whatever its urgency. */
export const unordered = { interactive: run, bulk: run };

/** A chunk of a request of its own. */
export const chunk = (number: number, size = 1): RequestChunk => ({
  key: `t/demo/s/main/requests/${number}/0`,
  store: "t/demo/s/main",
  number,
  index: 0,
  ordered: false,
  size,
});
/** A bulk change of a record. */
export const change = (key: string): Change => ({ key, rev: 1, operation: "UPDATED", changed: [], urgency: "bulk" });
