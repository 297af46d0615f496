import type { ReportedKind } from "../observe.ts";
import { histogramOf, overTime } from "./distribution.ts";
import { durationText, histogramPlot, timePlot } from "./plot.ts";
import { kinds, type Latencies, type LoadReport, type Stage } from "./report.ts";

const INTERVALS = 60;
const BYTES_PER_MB = 2 ** 20;

const stages: readonly Stage[] = ["answered", "completed", "glass"];
const kindNames: Record<ReportedKind, string> = {
  urgent: "Urgent change",
  list: "Whole list",
  flash: "Flash",
  result: "Read of a result",
};
const stageNames: Record<Stage, string> = {
  answered: "to the answer",
  completed: "to the complete result",
  glass: "to the glass",
};

const STYLE = `
  :root { color-scheme: light dark; --ink: light-dark(#222, #ddd); --faint: light-dark(#ddd, #444);
    --p50: light-dark(#1668b8, #6db3f2); --p99: light-dark(#b35900, #f0a04b); --max: light-dark(#a3245c, #ec7fb0) }
  body { font: 15px/1.45 system-ui, sans-serif; margin: 0 auto; padding: 20px; max-width: 1180px; color: var(--ink) }
  h1 { font-size: 21px } h2 { font-size: 17px; margin: 28px 0 6px }
  table { border-collapse: collapse } th, td { padding: 2px 12px 2px 0; text-align: right; font-variant-numeric: tabular-nums }
  th:first-child, td:first-child { text-align: left } th { font-weight: 600; border-bottom: 1px solid var(--faint) }
  .plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(320px, 1fr)); gap: 16px } figure { margin: 0 }
  figcaption { font-size: 13px } svg { width: 100%; font: 11px system-ui, sans-serif } text { fill: var(--ink) }
  .grid { stroke: var(--faint); fill: none } polyline { fill: none; stroke-width: 1.5 } .bars { fill: var(--p50) }
  .p50 { stroke: var(--p50); fill: var(--p50); color: var(--p50) } .p99 { stroke: var(--p99); fill: var(--p99); color: var(--p99) }
  .max { stroke: var(--max); fill: var(--max); color: var(--max) }
`;

/** Returns the report of a load test as one HTML page that loads nothing. */
export const loadPage = (report: LoadReport, latencies: Latencies): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Load test of ${asHtml(report.origin)}</title>
<style>${STYLE}</style>
<h1>Load test of ${asHtml(report.origin)}</h1>
<p>${asHtml(dayText(report))}</p>
<h2>Latency from the planned time of the call</h2>
${table(["", "count", "p50", "p90", "p99", "p99.9", "max"], latencyRows(report))}
${report.sentLate ? `<p>The load test sent its calls up to ${durationText(report.sentLate.max)} late (p99 ${durationText(report.sentLate.p99)}).</p>` : ""}
<h2>Calls</h2>
${table(["", "planned", "refused", "results not complete", "pictures missing", "pictures unknown"], callRows(report))}
${report.isGlassTimed ? "" : "<p>No label acknowledged its picture during the set-up, so times to the glass were not measured.</p>"}
<h2>Refusals</h2>
${report.refusals.length === 0 ? "<p>None.</p>" : table(["", "status", "problem", "count"], refusalRows(report))}
<h2>Processes</h2>
${resourcesPart(report)}
${plots(report, latencies)}
</html>
`;

/** Returns one line about the day that was played. */
export function dayText({ startedAt, day }: LoadReport): string {
  const { stores, labels, durationMs, seed } = day;
  return `${stores} stores with ${labels} labels each, for ${durationText(durationMs)} from ${startedAt}, seed ${seed}.`;
}

/** Returns the latencies of a report as rows of text: what is timed, the count, and the percentiles. */
export const latencyRows = ({ kinds: reports }: LoadReport): string[][] =>
  kinds.flatMap((kind) =>
    stages.flatMap((stage) => {
      const found = reports[kind][stage];
      if (found === undefined) return [];
      const { count, p50, p90, p99, p999, max } = found;
      return [
        [
          `${kindNames[kind]} ${stageNames[stage]}`,
          String(count),
          ...[p50, p90, p99, p999, max].map((ms) => durationText(ms)),
        ],
      ];
    }),
  );

const callRows = ({ kinds: reports }: LoadReport): string[][] =>
  kinds.map((kind) => {
    const { planned, refused, incomplete, missingOnGlass, unknownOnGlass } = reports[kind];
    return [kindNames[kind], ...[planned, refused, incomplete, missingOnGlass, unknownOnGlass].map(String)];
  });

export const refusalRows = ({ refusals }: LoadReport): string[][] =>
  refusals.map(({ kind, status, problem, count }) => [
    kindNames[kind],
    status === 0 ? "no response" : String(status),
    problem,
    String(count),
  ]);

function resourcesPart({ resources }: LoadReport): string {
  if (resources === undefined)
    return "<p>/metrics was not read: METRICS_TOKEN is not set, or differs from the installation's.</p>";
  const megabytes = (bytes: number) => `${(bytes / BYTES_PER_MB).toFixed(0)} MB`;
  const rows = Object.entries(resources.bytes).map(([what, { first, max, last }]) => {
    const cpu = resources.cpuSeconds[what];
    return [what, ...[first, max, last].map(megabytes), cpu === undefined ? "" : `${cpu.toFixed(1)} s`];
  });
  return table(["", "at the start", "at most", "at the end", "processor time"], rows);
}

function plots({ day }: LoadReport, latencies: Latencies): string {
  return kinds
    .flatMap((kind) => stages.map((stage) => ({ kind, stage, timed: latencies[kind][stage] })))
    .filter(({ timed }) => timed.length > 0)
    .map(({ kind, stage, timed }) => {
      // Results are also read after the last planned call.
      const runMs = timed.reduce((last, { at }) => Math.max(last, at), day.durationMs);
      return `<h2>${kindNames[kind]} ${stageNames[stage]}</h2>
<div class="plots">
<figure>${timePlot(overTime(timed, runMs, INTERVALS), runMs)}<figcaption>over the run: <b class="p50">p50</b>, <b class="p99">p99</b>, <b class="max">max</b></figcaption></figure>
<figure>${histogramPlot(histogramOf(timed.map(({ ms }) => ms)))}<figcaption>calls by latency</figcaption></figure>
</div>`;
    })
    .join("\n");
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const row = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${asHtml(cell)}</${tag}>`).join("")}</tr>`;
  return `<table>\n${[row(head, "th"), ...rows.map((cells) => row(cells, "td"))].join("\n")}\n</table>`;
};

const asHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
