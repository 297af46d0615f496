import type { Report } from "./emulated-label.ts";

const FLUSH_INTERVAL_MS = 20;
const REPORTS_PER_CALL = 1000;
const RETRY_INTERVAL_MS = 500;

/**
 * Sends reports to Shelfwire in batches, in order. Retries if Shelfwire cannot be reached, fails or is busy, but not if it
 * rejects the reports. `beforeSend` stores their content, so that a report that was sent stays true.
 */
export function createReporter(url: string, secret: string, bootIdOf: () => string, beforeSend: () => void) {
  let waiting: Report[] = [];
  let isAway = false;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  async function send(reports: readonly Report[]): Promise<boolean> {
    const bootId = bootIdOf();
    try {
      const answer = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${secret}` },
        body: JSON.stringify({ reports: reports.map((one, index) => (index === 0 ? { ...one, bootId } : one)) }),
      });
      if (answer.status === 429 || answer.status >= 500) return false;
      if (!answer.ok) process.stderr.write(`reports were rejected: ${await answer.text()}\n`);
      return true;
    } catch {
      // Shelfwire cannot be reached, so the same reports are sent again.
      return false;
    }
  }

  async function flush(): Promise<void> {
    let wait = FLUSH_INTERVAL_MS;
    while (waiting.length > 0 && !stopped) {
      const batch = waiting.slice(0, REPORTS_PER_CALL);
      beforeSend();
      if (isAway || !(await send(batch))) {
        wait = RETRY_INTERVAL_MS;
        break;
      }
      // The reports may have been forgotten meanwhile.
      if (waiting[0] === batch[0]) waiting = waiting.slice(batch.length);
    }
    timer = undefined;
    if (waiting.length > 0) schedule(wait);
  }

  function schedule(wait: number): void {
    if (timer === undefined && !stopped) timer = setTimeout(flush, wait);
  }

  return {
    report(report: Report): void {
      waiting.push(report);
      schedule(FLUSH_INTERVAL_MS);
    },
    waiting: () => waiting.length,
    /** Sends nothing until `back` is called. */
    leave(): void {
      isAway = true;
    },
    back(): void {
      isAway = false;
    },
    /** Forgets the waiting reports. */
    forget(): void {
      waiting = [];
    },
    stop(): void {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
