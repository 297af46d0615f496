import { type Change, ChangeBatch, type Topic, type Urgency } from "../../schemas/topics.ts";
import { type Check, compileCheck } from "../../schemas/validate.ts";
import { createBatcher } from "../batch/batcher.ts";
import { type Handlers, type JobHandler, type QueueName, rowOf } from "../topology.ts";

/** What became of a job's data: handled, or to be tried again later, maybe after so many milliseconds. */
export type Verdict = "done" | "later" | { afterMs: number };

interface Entry {
  size: number;
  data: unknown;
}

/** Where the jobs of one name are gathered into batches, one at a time of each urgency, or worked on one by one. */
interface NamedHandler {
  /** Faults of a job's data; none means that it may be handled. */
  check: Check;
  handle(data: unknown, urgency: Urgency): Promise<Verdict>;
}

/**
 * The lanes of a queue, by the names of its jobs. Throws where a handler is missing, unknown or named twice: the
 * compiler demands every handler, this refuses what reaches it untyped.
 */
export function createJobHandlers<Q extends QueueName>(
  queue: Q,
  handlers: Handlers<Q>,
  handleChanges: (topic: Topic, changes: readonly Change[]) => Promise<unknown>,
): ReadonlyMap<string, NamedHandler> {
  const { topics, jobs, batch, concurrency: atOnce } = rowOf(queue);
  const given: Record<string, unknown> = handlers;
  assertComplete(queue, [...topics, ...Object.keys(jobs)], Object.keys(given));

  const handlerOf = (check: Check, run: (entries: readonly Entry[]) => Promise<readonly Verdict[]>): NamedHandler => {
    if (atOnce !== undefined) return { check, handle: async (data) => (await run([{ size: 1, data }]))[0] ?? "done" };
    const batcher = () => createBatcher<Entry, Verdict>({ run, weigh: ({ size }) => size, most: batch });
    const byUrgency = { interactive: batcher(), bulk: batcher() };
    return { check, handle: (data, urgency) => byUrgency[urgency]({ size: sizeOf(data as object), data }) };
  };
  const checkBatch = compileCheck(ChangeBatch);
  const ofTopics = topics.map((topic): [string, NamedHandler] => [
    topic,
    handlerOf(checkBatch, async (entries) => {
      await handleChanges(
        topic,
        entries.flatMap(({ data }) => (data as ChangeBatch).changes),
      );
      return entries.map(() => "done");
    }),
  ]);
  const ofJobs = Object.entries(jobs).map(([name, schema]): [string, NamedHandler] => [
    name,
    handlerOf(compileCheck(schema), async (entries) => {
      const later = await (given[name] as JobHandler<unknown>)(entries.map(({ data }) => data));
      return entries.map(({ data }) => verdictOf(later, data));
    }),
  ]);
  return new Map([...ofTopics, ...ofJobs]);
}

function verdictOf(later: Awaited<ReturnType<JobHandler<unknown>>>, data: unknown): Verdict {
  if (!(later instanceof Map)) return (later as readonly unknown[]).includes(data) ? "later" : "done";
  const afterMs = later.get(data);
  return afterMs === undefined ? "done" : { afterMs };
}

/** How many changes, rows or reports a job carries. */
const sizeOf = ({ changes, reports, size }: { changes?: unknown[]; reports?: unknown[]; size?: number }): number =>
  changes?.length ?? reports?.length ?? size ?? 1;

function assertComplete(queue: QueueName, expected: readonly string[], given: readonly string[]): void {
  const missing = expected.filter((name) => !given.includes(name));
  const unknown = given.filter((name) => !expected.includes(name));
  if (new Set(expected).size < expected.length) throw new Error(`the queue "${queue}" names a handler twice`);
  if (missing.length > 0) throw new Error(`the queue "${queue}" has no handler for ${missing.join(", ")}`);
  if (unknown.length > 0) throw new Error(`the queue "${queue}" does not take ${unknown.join(", ")}`);
}
