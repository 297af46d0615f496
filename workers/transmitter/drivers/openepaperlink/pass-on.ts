import { setTimeout } from "node:timers/promises";
import type { LabelReport } from "../../../../schemas/label-report.ts";
import type { Report } from "../label-server.ts";

const RETRY_MS = 1_000;
const MAX_REPORTS = 1_000;

/**
 * Passes reports on in order, and repeats each until it is accepted. A killed process's reports are lost, so its pictures are
 * sent again.
 */
export function createPassOn(report: Report) {
  const waiting: LabelReport[] = [];
  let running: Promise<void> | undefined;
  let isClosed = false;

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_REPORTS);
      const isTaken = await report(batch).catch(() => false);
      if (isTaken) waiting.splice(0, batch.length);
      else if (isClosed) return;
      else await setTimeout(RETRY_MS, undefined, { ref: false });
    }
  }

  return {
    add(one: LabelReport): void {
      waiting.push(one);
      running ??= run().finally(() => {
        running = undefined;
      });
    },
    async close(): Promise<void> {
      isClosed = true;
      await running;
    },
  };
}
