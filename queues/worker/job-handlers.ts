import { createGroupBatcher } from "../../runtime/batch/batcher.ts";
import { inBatches } from "../../schemas/in-batches.ts";
import { RequestChunk } from "../../schemas/jobs.ts";
import { ownerOf, tenantOf } from "../../schemas/keys.ts";
import { type Change, ChangeBatch, type Topic } from "../../schemas/topics.ts";
import type { Urgency } from "../../schemas/urgency.ts";
import { type Check, compileCheck } from "../../schemas/validate.ts";
import type { Precedence } from "../batch/precedence.ts";
import { type Handlers, type JobHandler, type QueueName, rowOf } from "../topology.ts";

/**
 * The verdict on a job: it is done; it is retried later, after the given or the default wait; or it was not fully processed
 * because the process is closing, and is handed to another process immediately. `behind` lists changes whose records were read
 * at older revs than announced.
 */
export type Verdict = "done" | "later" | "given back" | { afterMs: number } | { behind: readonly Change[] };

/** The result of processing changes. */
export interface HandledChanges {
  /** Changes that failed individually; they are recorded and retried. */
  failed: readonly Change[];
  /** The records that were read at an older rev than announced, with the rev that was read. */
  behind: ReadonlyMap<string, number>;
}

/** The data of a job, or of a part of a job; `size` counts its changes, rows or reports. */
interface Entry {
  size: number;
  data: unknown;
  /** The store or tenant whose turn the job uses. */
  owner: string;
}

/** Processes the jobs of one name: in batches, one per urgency at a time, or each job individually. */
export interface NamedHandler {
  /** Returns the faults of a job's data; only data without faults may be handled. */
  check: Check;
  handle(data: unknown, urgency: Urgency): Promise<Verdict>;
}

/**
 * The job handlers of a queue, by job name. Batches of chunks and changes run under `precedence`, by their urgency. Once
 * `closing` is aborted, no batch begins. Throws if a handler is missing, unknown or named twice, which the compiler checks only
 * for typed handlers.
 */
export function createJobHandlers<Q extends QueueName>(
  queue: Q,
  handlers: Handlers<Q>,
  handleChanges: (topic: Topic, changes: readonly Change[]) => Promise<Pick<HandledChanges, "behind">>,
  closing: AbortSignal,
  precedence: Pick<Precedence, Urgency>,
): ReadonlyMap<string, NamedHandler> {
  const { topics, jobs, batch, concurrency } = rowOf(queue);
  const given: Record<string, unknown> = handlers;
  assertComplete(queue, [...topics, ...Object.keys(jobs)], Object.keys(given));

  const handlerOf = (
    check: Check,
    run: (entries: readonly Entry[]) => Promise<readonly Verdict[]>,
    // False for a prompt, since bulk work causes prompts, too.
    isWork = true,
  ): NamedHandler => {
    if (concurrency !== undefined)
      return { check, handle: async (data) => (await run([{ size: 1, data, owner: "" }]))[0] ?? "done" };
    const batcher = (urgency: Urgency) =>
      createGroupBatcher<Entry, Verdict>({
        run: (entries) => (isWork ? precedence[urgency](() => run(entries)) : run(entries)),
        weigh: ({ size }) => size,
        maxWeight: batch,
        ownersOf: ({ owner }) => [tenantOf(owner), owner],
        closing: { signal: closing, result: "given back" },
      });
    const byUrgency = { interactive: batcher("interactive"), bulk: batcher("bulk") };
    return { check, handle: (data, urgency) => verdictOn(byUrgency[urgency](partsOf(data as object, batch))) };
  };
  const checkBatch = compileCheck(ChangeBatch);
  const ofTopics = topics.map((topic): [string, NamedHandler] => [
    topic,
    handlerOf(checkBatch, async (entries) => {
      const { behind } = await handleChanges(
        topic,
        entries.flatMap(({ data }) => (data as ChangeBatch).changes),
      );
      return entries.map(({ data }) => verdictOfChanges((data as ChangeBatch).changes, behind));
    }),
  ]);
  const ofJobs = Object.entries(jobs).map(([name, schema]): [string, NamedHandler] => [
    name,
    handlerOf(
      compileCheck(schema),
      async (entries) => {
        const postponed = await (given[name] as JobHandler<unknown>)(entries.map(({ data }) => data));
        return entries.map(({ data }) => verdictOf(postponed, data));
      },
      schema === RequestChunk,
    ),
  ]);
  return new Map([...ofTopics, ...ofJobs]);
}

function verdictOfChanges(changes: readonly Change[], behind: ReadonlyMap<string, number>): Verdict {
  const older = changes.filter(({ key, rev }) => rev > (behind.get(key) ?? rev));
  return older.length === 0 ? "done" : { behind: older };
}

function verdictOf(postponed: Awaited<ReturnType<JobHandler<unknown>>>, data: unknown): Verdict {
  if (!(postponed instanceof Map)) return (postponed as readonly unknown[]).includes(data) ? "later" : "done";
  const afterMs = postponed.get(data);
  return afterMs === undefined ? "done" : { afterMs };
}

/**
 * Returns the parts of a job. Changes are split by owner and into batches, so that other owners get turns in between; every
 * other job is one part.
 */
function partsOf(data: { changes?: Change[]; store?: string; size?: number }, maxSize: number): Entry[] {
  const { changes, store = "", size = 1 } = data;
  if (changes === undefined) return [{ size, data, owner: store }];
  return [...Map.groupBy(changes, ({ key }) => ownerOf(key))].flatMap(([owner, own]) =>
    inBatches(own, maxSize).map((part) => ({ size: part.length, data: { changes: part }, owner })),
  );
}

/** Returns the verdict on a job once all of its parts have been processed; rejects if one of them failed. */
async function verdictOn(parts: readonly Promise<Verdict>[]): Promise<Verdict> {
  const handled = await Promise.allSettled(parts);
  const failed = handled.find(({ status }) => status === "rejected");
  if (failed) throw (failed as PromiseRejectedResult).reason;
  const verdicts = await Promise.all(parts);
  if (verdicts.includes("given back")) return "given back";
  const behind = verdicts.flatMap((verdict) =>
    typeof verdict === "object" && "behind" in verdict ? verdict.behind : [],
  );
  return behind.length > 0 ? { behind } : (verdicts[0] ?? "done");
}

function assertComplete(queue: QueueName, expected: readonly string[], given: readonly string[]): void {
  const missing = expected.filter((name) => !given.includes(name));
  const unknown = given.filter((name) => !expected.includes(name));
  if (new Set(expected).size < expected.length)
    throw new Error(`the queue "${queue}" has two handlers for the same name`);
  if (missing.length > 0) throw new Error(`the queue "${queue}" has no handler for ${missing.join(", ")}`);
  if (unknown.length > 0) throw new Error(`the queue "${queue}" does not accept ${unknown.join(", ")}`);
}
