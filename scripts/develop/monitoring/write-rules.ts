import { alerts } from "./alerts.ts";
import { conditions } from "./conditions.ts";
import type { Alert } from "./database-alerts.ts";

/** An expression on one line. */
const flat = (expression: string): string => expression.replaceAll(/\s+/g, " ").trim();
/** A text as YAML takes it: JSON's texts are YAML's. */
const quoted = (text: string): string => JSON.stringify(text);

/** Prometheus's rules: the conditions first, since alerts use them. */
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

/** The annotations of an alert. */
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

/** The part of the runbook on alerts: a section each. */
export const writeRunbook = (): string =>
  alerts
    .map(
      ({ name, severity, summary, reason, steps }) =>
        `### ${name}\n\n${summary} (${severity}). ${reason}\n\n${steps.map((step, index) => `${index + 1}. ${step}`).join("\n")}\n`,
    )
    .join("\n");
