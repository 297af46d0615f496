import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import test from "ava";
import { definitionOf, metricNames } from "../../queues/metrics/definitions.ts";
import { alerts } from "../../scripts/develop/monitoring/alerts.ts";
import { conditions } from "../../scripts/develop/monitoring/conditions.ts";
import { namesIn } from "../../scripts/develop/monitoring/names-in.ts";
import { obtainPromtool } from "../../scripts/develop/monitoring/obtain-promtool.ts";
import type { RecordedState, Recording } from "../../scripts/develop/monitoring/record-states.ts";
import { dashboardExpressions } from "../../scripts/develop/monitoring/write-dashboard.ts";
import { annotationsOf } from "../../scripts/develop/monitoring/write-rules.ts";
import { monitoringDocuments } from "../../scripts/develop/monitoring.ts";

const rules = fileURLToPath(new URL("../../docs/monitoring/alerts.yml", import.meta.url));

/** Runs promtool on a file; throws promtool's message if it finds a fault. */
function promtool(...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(obtainPromtool(), args, { encoding: "utf8" });
  if (status !== 0) throw error ?? new Error(`${stdout}${stderr}`);
  return stdout;
}

test("every monitoring document matches its tables (npm run monitoring)", async (t) => {
  for (const { path, stored, written } of await monitoringDocuments()) t.is(stored, written, path);
});

test("promtool accepts the rules", (t) => {
  t.regex(promtool("check", "rules", rules), new RegExp(`SUCCESS: ${alerts.length + Object.keys(conditions).length} `));
});

test("rules and the dashboard use only existing metrics and defined conditions", (t) => {
  const series = metricNames.flatMap((name) =>
    definitionOf(name).type === "histogram" ? ["bucket", "sum", "count"].map((part) => `${name}_${part}`) : [name],
  );
  const known = new Set([...series, ...Object.keys(conditions)]);
  const expressions = [
    ...Object.values(conditions),
    ...alerts.map(({ expression }) => expression),
    ...dashboardExpressions,
  ];
  for (const expression of expressions) for (const name of namesIn(expression)) t.true(known.has(name), name);
  t.deepEqual(namesIn('sum by (le) (rate(unknown_metric{process="a_b"}[5m])) > 0.5'), ["unknown_metric"]);
});

test("promtool can read every expression of the dashboard", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "shelfwire-dashboard-"));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "dashboard.yml");
  const records = dashboardExpressions.map((expression, index) => ({
    record: `panel:${index}`,
    expr: expression.replaceAll("$__rate_interval", "2m"),
  }));
  writeFileSync(file, JSON.stringify({ groups: [{ name: "dashboard", rules: records }] }));
  t.regex(promtool("check", "rules", file), /SUCCESS/);
});

test("every alert has a section in the runbook with a reason and a remedy", async (t) => {
  const runbook = readFileSync(new URL("../../docs/operations/alerts.md", import.meta.url), "utf8");
  for (const { name, reason, steps } of alerts) {
    const section = runbook.split(`\n### ${name}\n`)[1]?.split("\n### ")[0] ?? "";
    t.true(section.includes(reason), name);
    t.true(steps.length > 0 && steps.every((step) => section.includes(step)), name);
  }
});

/** The alert that fires at the end of each state's recording. No other alert fires at any time in it. */
const fired: Record<RecordedState, { alert: string; labels: Record<string, string> }> = {
  "stalled-worker": { alert: "ShelfwireWorkerStalled", labels: { stage: "renderer" } },
  "full-redis": { alert: "ShelfwireRedisFull", labels: {} },
  "label-server-away": { alert: "ShelfwireLabelServerAway", labels: {} },
  "one-label-server-away": { alert: "ShelfwireOneLabelServerAway", labels: {} },
  "other-label-server-idle": { alert: "ShelfwireOneLabelServerAway", labels: {} },
  "label-server-denies": { alert: "ShelfwireLabelServerDenies", labels: {} },
};

for (const [state, expected] of Object.entries(fired)) {
  test(`recorded figures of a real run: ${state} fires ${expected.alert} and no other alert`, (t) => {
    const path = new URL(`./recordings/${state}.json`, import.meta.url);
    const { intervalSeconds, series }: Recording = JSON.parse(readFileSync(path, "utf8"));
    const samples = Object.values(series)[0]?.split(" ").length ?? 0;
    const end = (samples - 1) * intervalSeconds;
    const expectations = alerts.flatMap((alert) =>
      Array.from({ length: samples }, (_, index) => index * intervalSeconds)
        .filter((at) => alert.name !== expected.alert || at === 0 || at === end)
        .map((at) => ({
          eval_time: `${at}s`,
          alertname: alert.name,
          exp_alerts:
            alert.name === expected.alert && at === end
              ? [
                  {
                    exp_labels: { ...expected.labels, severity: alert.severity },
                    exp_annotations: annotationsOf(alert),
                  },
                ]
              : [],
        })),
    );
    const folder = mkdtempSync(join(tmpdir(), "shelfwire-alerts-"));
    t.teardown(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "test.yml");
    const interval = `${intervalSeconds}s`;
    const run = {
      interval,
      input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
      alert_rule_test: expectations,
    };
    // JSON is YAML.
    writeFileSync(file, JSON.stringify({ rule_files: [rules], evaluation_interval: interval, tests: [run] }));
    t.regex(promtool("test", "rules", file), /SUCCESS/);
  });
}
