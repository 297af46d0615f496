import { type Handlers, type QueueName, rowOf } from "../../../queues/topology.ts";
import type { RequestChunk } from "../../../schemas/jobs.ts";
import type { Change } from "../../../schemas/topics.ts";

/** The names of a queue's topics and jobs. */
export const namesOf = (queue: QueueName): string[] => [...rowOf(queue).topics, ...Object.keys(rowOf(queue).jobs)];
/** Handlers that the compiler does not check. */
export const handlersOf = <Q extends QueueName>(_queue: Q, names: readonly string[]): Handlers<Q> =>
  Object.fromEntries(names.map((name) => [name, async () => []])) as unknown as Handlers<Q>;
/** The result of a handler that has read every change at its announced rev. */
export const nothingBehind = { behind: new Map<string, number>() };
/** Handles changes by doing nothing. */
export const ignore = async () => nothingBehind;
/** The signal of a process that does not close. */
export const stays = new AbortController().signal;
const run = <T>(work: () => Promise<T>) => work();
/** Runs each batch immediately, whatever its urgency. */
export const unordered = { interactive: run, bulk: run };

/** A chunk that belongs to a request of its own. */
export const chunk = (number: number, size = 1): RequestChunk => ({
  key: `t/demo/s/main/requests/${number}/0`,
  store: "t/demo/s/main",
  number,
  index: 0,
  ordered: false,
  size,
});
/** A bulk change to a record. */
export const change = (key: string): Change => ({ key, rev: 1, operation: "UPDATED", changed: [], urgency: "bulk" });
