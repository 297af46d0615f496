import { readFile, writeFile } from "node:fs/promises";
import { definitionOf, metricNames, TENANTS } from "../../queues/metrics/definitions.ts";
import { readCommandLine } from "./command-line.ts";
import { insertPart } from "./documents/insert-part.ts";
import { markdownTable } from "./documents/markdown-table.ts";
import { recordedStates, recordState } from "./monitoring/record-states.ts";
import { writeDashboard } from "./monitoring/write-dashboard.ts";
import { writeRules, writeRunbook } from "./monitoring/write-rules.ts";

/**
 * `npm run monitoring` writes everything that is generated from the tables of metrics and alerts. A test fails if it is out
 * of date. `npm run monitoring -- record [state ...]` records, from the real product, the figures on which the rules are
 * tested.
 */
const documents: Record<string, (stored: string) => string> = {
  "docs/monitoring/metrics.md": writeMetrics,
  "docs/monitoring/alerts.yml": writeRules,
  "docs/monitoring/grafana.json": writeDashboard,
  "docs/operations/alerts.md": (stored) =>
    insertPart("docs/operations/alerts.md", stored, "alerts", [writeRunbook().trimEnd()]),
};

const place = (path: string): URL => new URL(`../../${path}`, import.meta.url);

/** Returns every document that this command writes completely or in part: as it is stored, and as it would be written. */
export const monitoringDocuments = () =>
  Promise.all(
    Object.entries(documents).map(async ([path, write]) => {
      const stored = await readFile(place(path), "utf8").catch(() => "");
      return { path, stored, written: write(stored) };
    }),
  );

function writeMetrics(): string {
  const rows = metricNames.map((name) => {
    const { type, help, labels } = definitionOf(name);
    const described = Object.entries(labels).map(
      ([label, values]) => `\`${label}\`: ${values === TENANTS ? "the busiest tenants, or other" : values.join(", ")}`,
    );
    return [`\`${name}\``, type, help, described.join("; ")];
  });
  const table = markdownTable(["metric", "type", "meaning", "labels"], rows).join("\n");
  return `# Metrics

Every metric of \`/metrics\` ([for operators](../operations/monitor.md#metrics)). Those of processes have the labels \`process\` and
\`process_id\` as well. Made from \`queues/metrics/definitions.ts\` by \`npm run monitoring\`.

${table}
`;
}

if (import.meta.main) {
  const {
    arguments: [command, ...states],
  } = readCommandLine("npm run monitoring --", {
    arguments: ["record", "STATE..."],
    means:
      "write everything generated from the tables of metrics and alerts; record also records the metrics of the states against which the rules are tested",
    options: {},
  });
  if (command !== undefined && command !== "record") {
    process.stderr.write(`"${command}" is not a command of npm run monitoring; the only command is record\n`);
    process.exit(2);
  }
  for (const { path, written } of await monitoringDocuments()) await writeFile(place(path), written);
  if (command === "record")
    for (const state of recordedStates.filter((known) => states.length === 0 || states.includes(known))) {
      const recording = await recordState(state, (line) => process.stdout.write(`${line}\n`));
      await writeFile(place(`test/docs/recordings/${state}.json`), `${JSON.stringify(recording, null, 2)}\n`);
    }
}
