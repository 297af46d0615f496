import { DelayedError, type Job, UnrecoverableError } from "bullmq";
import type { Logger } from "pino";
import type { Background } from "../../runtime/background.ts";
import { distinctCauses, withCauses } from "../../runtime/causes.ts";
import type { Cause } from "../../schemas/cause.ts";
import { tenantOf } from "../../schemas/keys.ts";
import type { Change, Topic } from "../../schemas/topics.ts";
import { urgencyOfJob } from "../publish/priority.ts";
import type { QueueName } from "../topology.ts";
import type { BulkPlaces } from "./bulk-places.ts";
import { behindFailure, type createRecordFailed } from "./change-handler.ts";
import type { createJobHandlers, NamedHandler, Verdict } from "./job-handlers.ts";

interface Dependencies {
  jobHandlers: ReturnType<typeof createJobHandlers>;
  bulkPlaces: BulkPlaces;
  recordFailed: ReturnType<typeof createRecordFailed>;
  /** The jobs in progress in this process. */
  running: Background;
  /** Once aborted, jobs that have not begun are returned to the queue. */
  closing: AbortSignal;
  /** Resolves when a closing process hands over the jobs in progress. */
  handOver: Promise<Verdict>;
  /** Called for each job that was finished or postponed, or that has failed. */
  onProgress(): void;
  isUnavailable(error: unknown): boolean;
  reasonOf(error: Error): string;
  log: Pick<Logger, "warn">;
  now(): Date;
  random(): number;
  maxStartsBehind?: number;
}

/** How long a bulk job without a place waits. This is rare, since Redis holds few bulk jobs of a tenant. */
const NO_PLACE_WAIT_MS = 500;
/**
 * Maximum number of attempts at a job whose records are older than announced. They take about 20 seconds, longer than a deposed
 * primary takes to notice that it was deposed. After that, the job's changes are failures, which are listed, counted and retried.
 */
const MAX_STARTS_BEHIND = 24;
/**
 * A job that stalls more often than this kills or blocks the processes that handle it. It ends here rather than in BullMQ, which
 * would drop its changes.
 */
const MAX_STALLS = 10;
const MIN_WAIT_MS = 50;
const MAX_WAIT_MS = 1_000;
const UNAVAILABLE_WAIT_MS = 2_000;

/**
 * Processes a job: checks it, handles it if its tenant has a place, and delays it if it must wait. A job with changes fails
 * permanently only once each of its changes is recorded as a failure. Recorded failures are retried.
 */
export function createProcessJob(queue: QueueName, dependencies: Dependencies) {
  const { jobHandlers, bulkPlaces, recordFailed, running, closing, handOver, onProgress } = dependencies;
  const { maxStartsBehind = MAX_STARTS_BEHIND } = dependencies;
  const handle = createHandleJob(dependencies);
  const { delay, giveBack } = createDelays(dependencies);
  /** Jobs in progress here, by id and time, since a chunk's job may be added again under its id after Redis has lost data. */
  const inProgress = new Map<string, Promise<Verdict | "unavailable">>();

  /**
   * Handles a job; undefined if its tenant has no place. If this process was blocked, a stalled job may be started here again;
   * it then joins its first run.
   */
  function handleOnce(jobHandler: NamedHandler, job: Job): Promise<Verdict | "unavailable"> | undefined {
    const identity = `${job.id} ${job.timestamp}`;
    const present = inProgress.get(identity);
    if (present) return present;
    const isBulk = urgencyOfJob(job) === "bulk";
    const tenant = tenantOfJob(job);
    if (isBulk && !bulkPlaces.take(tenant)) return undefined;
    const handled = handle(jobHandler, job).finally(() => {
      inProgress.delete(identity);
      if (isBulk) bulkPlaces.leave(tenant);
    });
    inProgress.set(identity, handled);
    return handled;
  }

  return async (job: Job, token?: string): Promise<void> => {
    const jobHandler = jobHandlers.get(job.name);
    if (jobHandler === undefined) throw new UnrecoverableError(`the queue "${queue}" has no handler for "${job.name}"`);
    const [fault] = jobHandler.check(job.data);
    if (fault) throw new UnrecoverableError(`${job.name}: ${fault.pointer || "/"} ${fault.detail}`);
    if (closing.aborted) return giveBack(job, token);
    const handled = handleOnce(jobHandler, job);
    if (handled === undefined) return delay(job, token, NO_PLACE_WAIT_MS);
    const verdict = await Promise.race([running.add(handled), handOver]).finally(onProgress);
    if (verdict === "given back") await giveBack(job, token);
    if (typeof verdict === "object" && "behind" in verdict && job.attemptsStarted >= maxStartsBehind)
      await recordFailed(job.name as Topic, verdict.behind.map(behindFailure));
    else if (verdict !== "done") await delay(job, token, waitAfter(verdict, job.attemptsStarted));
  };
}

const createHandleJob = ({ recordFailed, isUnavailable, reasonOf, log }: Dependencies) => {
  const postpone = (job: Job, error: Error, message = "the database is unavailable; jobs wait"): "unavailable" => {
    withCauses(causesOfJob(job), () => log.warn({ job: job.name, error: reasonOf(error) }, message));
    return "unavailable";
  };

  /** Ends a job permanently once its changes are recorded; until they can be recorded, the job waits. */
  async function giveUp(job: Job, error: Error): Promise<"unavailable"> {
    const { changes } = job.data as { changes?: Change[] };
    if (changes === undefined) throw error;
    const failed = changes.map((entry) => ({ entry, error }));
    const fault = await recordFailed(job.name as Topic, failed).catch((fault: Error) => fault);
    if (fault) return postpone(job, fault, "the changes of a job cannot be recorded, so it waits");
    throw error;
  }

  return async (jobHandler: NamedHandler, job: Job): Promise<Verdict | "unavailable"> => {
    if (job.stalledCounter > MAX_STALLS)
      return giveUp(job, new UnrecoverableError(`its processes ended or were blocked ${job.stalledCounter} times`));
    try {
      return await jobHandler.handle(job.data, urgencyOfJob(job));
    } catch (error) {
      if (isUnavailable(error)) return postpone(job, error as Error);
      if (job.attemptsMade + 1 < (job.opts.attempts ?? 1)) throw error;
      return giveUp(job, error as Error);
    }
  };
};

/** Returns two functions that end the processing of a job with an error that BullMQ recognises. */
function createDelays({ now, random }: Pick<Dependencies, "now" | "random">) {
  return {
    async delay(job: Job, token: string | undefined, waitMs: number): Promise<never> {
      await job.moveToDelayed(now().getTime() + waitMs * (1 + random() / 2), token);
      throw new DelayedError();
    },

    /**
     * Returns the job to the queue as a delayed job that is due immediately: BullMQ wakes an idle worker for a delayed job, but
     * not for a waiting job that is put back.
     */
    async giveBack(job: Job, token: string | undefined): Promise<never> {
      await job.moveToDelayed(now().getTime(), token);
      throw new DelayedError();
    },
  };
}

/** Returns the tenant of a job's changes, or of its store; empty if there is none. */
function tenantOfJob({ data }: Job): string {
  const { changes, store } = data as { changes?: Change[]; store?: string };
  return tenantOf(changes?.[0]?.key ?? store ?? "");
}

/** Returns the causes of a job's changes, or of its chunk. */
export function causesOfJob({ data }: Job): Cause[] {
  const { changes = [], number } = data as { changes?: Change[]; number?: number };
  return distinctCauses([...changes.map(({ cause }) => cause), ...(number === undefined ? [] : [{ request: number }])]);
}

/** Returns how long a job waits before it is tried again, in milliseconds. */
function waitAfter(verdict: Verdict | "unavailable", starts: number): number {
  if (verdict === "unavailable") return UNAVAILABLE_WAIT_MS;
  return typeof verdict === "object" && "afterMs" in verdict
    ? verdict.afterMs
    : Math.min(MIN_WAIT_MS * 2 ** (starts - 1), MAX_WAIT_MS);
}
