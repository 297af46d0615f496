import type { Report } from "../../../scripts/label-server/emulated-label.ts";
import { createLabels } from "../../../scripts/label-server/labels.ts";

/** The labels' store. */
export const STORE = "t/demo/s/main";
/** The time of all events. */
export const NOW = "2026-03-01T08:00:00.000Z";

/** Returns labels that record all of their reports. */
export function hangUp(airTimeMs = 0) {
  const reports: Report[] = [];
  const clock = { now: NOW };
  const labels = createLabels({ airTimeMs, report: (report) => reports.push(report), now: () => new Date(clock.now) });
  const send = (barcode: string, number: number, content = `picture ${number}`, page = 0) =>
    labels.receive(labels.obtain(barcode, STORE), {
      key: `${barcode}-${page}-${number}`,
      number,
      page,
      png: Buffer.from(content),
    });
  const said = () => reports.map(({ kind, transmission }) => [kind, transmission]);
  const shown = (barcode: string, page = 0) => labels.get(barcode)?.pages.get(page);
  return { labels, clock, reports, send, said, shown };
}
