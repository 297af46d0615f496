import type { Logger } from "pino";
import type { ReportBatch, ReportInbox } from "../../../records/outbox/report-inbox.ts";
import { bisect } from "../../../runtime/batch/bisect.ts";
import { inLanes } from "../../../runtime/batch/in-lanes.ts";
import { inBatches } from "../../../schemas/in-batches.ts";
import { labelKey } from "../../../schemas/keys.ts";
import type { ReceivedReport } from "../../../schemas/label-report.ts";

interface Dependencies {
  reportInbox: Pick<ReportInbox, "take" | "remove" | "putOff">;
  /** Stores what labels reported; idempotent. */
  noteReports(reports: readonly ReceivedReport[]): Promise<void>;
  isUnavailable(error: unknown): boolean;
  now(): Date;
  log: Pick<Logger, "error">;
}

/** Minimum number of batches per take. A batch has at most a thousand reports. */
const MIN_BATCHES_PER_TAKE = 16;
/** Maximum number of batches per take, for label servers that send each report separately. */
const MAX_BATCHES_PER_TAKE = 128;
const REPORTS_PER_TAKE = 4_000;
/** Maximum number of takes per run. */
const MAX_TAKES = 8;
const LABELS_PER_WRITE = 500;
/** While the database handles the writes for some labels, this process decides about others; more concurrency gains nothing. */
const CONCURRENT_WRITES = 2;
/** After this time, another process applies the reports of a killed process. */
const LEASE_MS = 60_000;
/** Wait before a report that could not be applied is tried again. */
const RETRY_MS = 3_600_000;

/**
 * Applies the reports that wait in MongoDB. Each report is removed after it is applied, so a killed process loses none;
 * applying a report twice changes nothing.
 */
export function createTakeReports({ reportInbox, noteReports, isUnavailable, now, log }: Dependencies) {
  /**
   * Applies batches together, since a label's reports often come in several batches; returns the ids of the applied batches.
   */
  async function apply(batches: readonly ReportBatch[]): Promise<string[]> {
    const entries = batches.flatMap(({ _id, reports }) => reports.map((report) => ({ _id, report })));
    const byLabel = Map.groupBy(entries, ({ report: { store, barcode } }) => labelKey(store, barcode));
    const failed = new Map<string, ReceivedReport[]>();
    const parts = inBatches([...byLabel.values()], LABELS_PER_WRITE);
    await inLanes(parts, CONCURRENT_WRITES, async (labels) => {
      const note = (some: typeof labels) => noteReports(some.flat().map(({ report }) => report));
      for (const { entry, error } of await bisect(labels, note, isUnavailable)) {
        const { store, barcode, kind, transmission } = entry[0]?.report ?? {};
        const first = { store, barcode, kind, transmission };
        log.error({ reports: entry.length, first, error }, "the reports of a label cannot be applied");
        for (const { _id, report } of entry) failed.set(_id, [...(failed.get(_id) ?? []), report]);
      }
    });
    const retryAt = new Date(now().getTime() + RETRY_MS);
    for (const [id, reports] of failed) await reportInbox.putOff(id, reports, retryAt);
    return batches.map(({ _id }) => _id).filter((id) => !failed.has(id));
  }

  let limit = MIN_BATCHES_PER_TAKE;

  async function takeSome(announced: number): Promise<void> {
    let applied: string[] = [];
    for (let takes = 0; takes < MAX_TAKES; takes += 1) {
      const most = Math.min(announced, limit);
      const [batches] = await Promise.all([reportInbox.take(most, LEASE_MS), reportInbox.remove(applied)]);
      const isLast = batches.length < limit;
      limit = batchesPerTake(batches) ?? limit;
      applied = await apply(batches);
      // A process that stores more reports prompts again.
      if (isLast) break;
    }
    await reportInbox.remove(applied);
  }

  let running: Promise<void> | undefined;
  /** How many batches are waiting, according to the callers. */
  let prompted = 0;

  async function run(): Promise<void> {
    try {
      while (prompted > 0) {
        const announced = prompted;
        prompted = 0;
        await takeSome(announced);
      }
    } finally {
      running = undefined;
    }
  }

  /**
   * Takes the batches that this many prompts announced; without an argument, checks for all waiting batches. A call during a
   * run makes the run check once more, and resolves when the run ends.
   */
  return (prompts = Number.POSITIVE_INFINITY): Promise<void> => {
    prompted += prompts;
    running ??= run();
    return running;
  };
}

/** Decides, from the size of the last batches, how many batches to take next, so that small batches share commands. */
function batchesPerTake(last: readonly ReportBatch[]): number | undefined {
  const reports = last.reduce((sum, batch) => sum + batch.reports.length, 0);
  if (reports === 0) return undefined;
  const wanted = Math.floor((REPORTS_PER_TAKE * last.length) / reports);
  return Math.min(Math.max(wanted, MIN_BATCHES_PER_TAKE), MAX_BATCHES_PER_TAKE);
}
