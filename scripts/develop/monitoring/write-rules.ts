import { alerts } from "./alerts.ts";
import { conditions } from "./conditions.ts";
import type { Alert } from "./database-alerts.ts";

/** Returns an expression on one line. */
const flat = (expression: string): string => expression.replaceAll(/\s+/g, " ").trim();
/** Quotes a string for YAML. JSON strings are valid YAML. */
const quoted = (text: string): string => JSON.stringify(text);

/** Returns Prometheus's rules: the conditions first, because alerts use them. */
export function writeRules(): string {
  const records = Object.entries(conditions).map(
    ([name, expression]) => `      - record: ${name}\n        expr: ${quoted(flat(expression))}\n`,
  );
  return `# Alert rules for Prometheus. Made from scripts/develop/monitoring/alerts.ts by \`npm run monitoring\`.
groups:
  - name: shelfwire
    rules:
${records.join("")}${alerts.map(writeAlert).join("")}`;
}

/** Returns the annotations of an alert. */
export const annotationsOf = ({ name, summary, reason, steps }: Alert): Record<string, string> => ({
  summary,
  description: `${reason} What to do: ${steps.map((step, index) => `(${index + 1}) ${step}`).join(" ")}`,
  runbook: `docs/operations/alerts.md#${name.toLowerCase()}`,
});

const writeAlert = (alert: Alert): string => `      - alert: ${alert.name}
        expr: ${quoted(flat(alert.expression))}
        for: ${alert.for}
        labels: { severity: ${alert.severity} }
        annotations:
${Object.entries(annotationsOf(alert))
  .map(([name, text]) => `          ${name}: ${quoted(text)}\n`)
  .join("")}`;

/** Returns the runbook's part on alerts, with a section for each. */
export const writeRunbook = (): string =>
  alerts
    .map(
      ({ name, severity, summary, reason, steps }) =>
        `### ${name}\n\n${summary} (${severity}). ${reason}\n\n${steps.map((step, index) => `${index + 1}. ${step}`).join("\n")}\n`,
    )
    .join("\n");
