import { readFile, writeFile } from "node:fs/promises";
import { definitionOf, metricNames, TENANTS } from "../../queues/metrics/definitions.ts";

/** `npm run monitoring`: writes docs/monitoring/metrics.md from the table of metrics; a test fails when it drifts. */
const file = new URL("../../docs/monitoring/metrics.md", import.meta.url);

/** The document as it is stored. */
export const storedMetrics = (): Promise<string> => readFile(file, "utf8");

/** The document as the table of metrics makes it. */
export function writeMetrics(): string {
  const rows = metricNames.map((name) => {
    const { type, help, labels } = definitionOf(name);
    const described = Object.entries(labels).map(
      ([label, values]) => `\`${label}\`: ${values === TENANTS ? "the busiest tenants, or other" : values.join(", ")}`,
    );
    return [`\`${name}\``, type, help, described.join("; ")];
  });
  const table = [["metric", "type", "what it says", "labels"], ["---", "---", "---", "---"], ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
  return `# Metrics

Every metric of \`/metrics\` ([for operators](../operations.md#metrics)). Each has the labels \`process\` and \`process_id\`
as well. Made from \`queues/metrics/definitions.ts\` by \`npm run monitoring\`.

${table}
`;
}

if (import.meta.main) await writeFile(file, writeMetrics());
