import { randomUUID } from "node:crypto";
import type { Db } from "mongodb";
import type { LabelReport, ReceivedReport } from "../../schemas/label-report.ts";
import { REPEATABLE } from "../mongodb/repeatable.ts";
import { dueAtOnce, takeDue, takeLongestDue } from "./take-due.ts";

/** Label server reports that were stored together. */
export interface ReportBatch {
  _id: string;
  reports: ReceivedReport[];
}

/** Reports that the transmitter has yet to apply. They are stored in MongoDB: no report depends on Redis. */
export interface ReportInbox {
  /** Stores reports. Returns false if too many are waiting: the label server must report again later. */
  add(reports: readonly LabelReport[]): Promise<boolean>;
  /** Leases the oldest batches for the given milliseconds. */
  take(limit: number, milliseconds: number): Promise<ReportBatch[]>;
  /** Removes batches that were applied. */
  remove(ids: readonly string[]): Promise<void>;
  /** Keeps only these reports of a batch, to be applied again later. */
  putOff(id: string, reports: readonly LabelReport[], due: Date): Promise<void>;
}

interface ReportDocument {
  _id: string;
  /** JSON: no query reads a single report. */
  reports: string;
  since: Date;
  due: Date;
}

export const MAX_BATCHES = 20_000;
const COUNT_INTERVAL_MS = 1_000;

export function openReportInbox(db: Db, now: () => Date, maxBatches = MAX_BATCHES): ReportInbox {
  const batches = db.collection<ReportDocument>("report");
  let counted = { at: Number.NEGATIVE_INFINITY, isFull: false };

  async function isFull(): Promise<boolean> {
    const at = now().getTime();
    if (at - counted.at >= COUNT_INTERVAL_MS)
      counted = { at, isFull: (await batches.estimatedDocumentCount()) >= maxBatches };
    return counted.isFull;
  }

  return {
    async add(reports) {
      if (await isFull()) return false;
      const since = now();
      await batches.insertOne({ _id: randomUUID(), reports: JSON.stringify(reports), since, due: dueAtOnce(since) });
      return true;
    },

    async take(limit, milliseconds) {
      const taken =
        limit === 1
          ? await takeLongestDue(batches, { now, milliseconds })
          : await takeDue(batches, {}, limit, { now, milliseconds });
      return taken.map(({ _id, reports, since: receivedAt }) => ({
        _id,
        reports: (JSON.parse(reports) as LabelReport[]).map((report) => ({ ...report, receivedAt })),
      }));
    },

    async remove(ids) {
      // If a failover restores reports, they are applied again, which changes nothing.
      if (ids.length > 0) await batches.deleteMany({ _id: { $in: [...ids] } }, REPEATABLE);
    },

    async putOff(id, reports, due) {
      await batches.updateOne({ _id: id }, { $set: { reports: JSON.stringify(reports), due } });
    },
  };
}
