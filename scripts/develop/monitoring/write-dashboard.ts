interface Panel {
  title: string;
  /** Grafana's name of the unit. */
  unit: "s" | "ops" | "short" | "percentunit" | "bytes";
  /** PromQL, and how a series is named. */
  lines: readonly (readonly [expression: string, legend: string])[];
}

const rateOf = (metric: string, by: string) => `sum by (${by}) (rate(${metric}[$__rate_interval]))`;
const slowest = (metric: string, by = "") =>
  `histogram_quantile(0.95, sum by (le${by && `, ${by}`}) (rate(${metric}_bucket[$__rate_interval])))`;

/** From what an operator looks at first down to single processes. */
const panels: readonly Panel[] = [
  {
    title: "Rows",
    unit: "ops",
    lines: [
      ["sum(rate(shelfwire_rows_accepted_total[$__rate_interval]))", "accepted"],
      ["sum(rate(shelfwire_rows_applied_total[$__rate_interval]))", "applied"],
    ],
  },
  {
    title: "Pictures",
    unit: "ops",
    lines: [
      ["sum(rate(shelfwire_pictures_drawn_total[$__rate_interval]))", "drawn"],
      ["sum(rate(shelfwire_pictures_transmitted_total[$__rate_interval]))", "transmitted"],
      ["sum(rate(shelfwire_pictures_acknowledged_total[$__rate_interval]))", "acknowledged"],
    ],
  },
  {
    title: "From a call to the glass, 99 of 100",
    unit: "s",
    lines: [
      [
        "histogram_quantile(0.99, sum by (le, urgency) (rate(shelfwire_call_to_glass_seconds_bucket[$__rate_interval])))",
        "{{urgency}}",
      ],
    ],
  },
  {
    title: "Age of the oldest change that waits",
    unit: "s",
    lines: [["max by (stage) (shelfwire_oldest_waiting_seconds)", "{{stage}}"]],
  },
  { title: "Labels by state", unit: "short", lines: [["sum by (state) (shelfwire_labels)", "{{state}}"]] },
  {
    title: "Rows accepted, by tenant",
    unit: "ops",
    lines: [[rateOf("shelfwire_rows_accepted_total", "tenant"), "{{tenant}}"]],
  },
  {
    title: "Changes published, by topic",
    unit: "ops",
    lines: [[rateOf("shelfwire_changes_published_total", "topic"), "{{topic}}"]],
  },
  {
    title: "Jobs that wait",
    unit: "short",
    lines: [[`max by (queue) (shelfwire_queue_jobs{state="waiting"})`, "{{queue}}"]],
  },
  {
    title: "Failures",
    unit: "ops",
    lines: [
      [rateOf("shelfwire_jobs_failed_total", "queue"), "jobs of {{queue}}"],
      [rateOf("shelfwire_keys_failed_total", "queue"), "keys of {{queue}}"],
      ["sum(rate(shelfwire_expression_faults_total[$__rate_interval]))", "expressions"],
    ],
  },
  {
    title: "Answers of the label server",
    unit: "ops",
    lines: [[rateOf("shelfwire_label_server_answers_total", "answer"), "{{answer}}"]],
  },
  {
    title: "19 of 20 calls end within",
    unit: "s",
    lines: [
      [slowest("shelfwire_http_answer_seconds"), "API"],
      [slowest("shelfwire_label_server_call_seconds"), "label server"],
      [slowest("shelfwire_mongodb_command_seconds"), "MongoDB"],
      [slowest("shelfwire_redis_command_seconds"), "Redis"],
    ],
  },
  {
    title: "Answers of the API",
    unit: "ops",
    lines: [[rateOf("shelfwire_http_answers_total", "status"), "{{status}}"]],
  },
  {
    title: "Caches: part of the lookups that hit",
    unit: "percentunit",
    lines: [
      [
        `${rateOf('shelfwire_cache_lookups_total{result="hit"}', "cache")} / ${rateOf("shelfwire_cache_lookups_total", "cache")}`,
        "{{cache}}",
      ],
    ],
  },
  {
    title: "Redis's memory",
    unit: "bytes",
    lines: [
      ["shelfwire_redis_memory_used_bytes", "used"],
      ["shelfwire_redis_memory_max_bytes", "most"],
    ],
  },
  {
    title: "Processor time a second",
    unit: "s",
    lines: [["sum by (process) (rate(process_cpu_seconds_total[$__rate_interval]))", "{{process}}"]],
  },
  {
    title: "Memory",
    unit: "bytes",
    lines: [["sum by (process) (process_resident_memory_bytes)", "{{process}}"]],
  },
  {
    title: "Delay of the event loop (99 of 100 timers)",
    unit: "s",
    lines: [[`max by (process) (shelfwire_event_loop_delay_seconds{statistic="p99"})`, "{{process}}"]],
  },
];

const [COLUMNS, WIDTH, HEIGHT] = [2, 12, 8];
const datasource = { type: "prometheus", uid: "${datasource}" };

/** Every expression of the dashboard. */
export const dashboardExpressions = panels.flatMap(({ lines }) => lines.map(([expression]) => expression));

/** The dashboard as Grafana imports it. */
export function writeDashboard(): string {
  const dashboard = {
    uid: "shelfwire",
    title: "Shelfwire",
    description: "Made by `npm run monitoring`",
    schemaVersion: 39,
    editable: true,
    refresh: "30s",
    time: { from: "now-3h", to: "now" },
    templating: { list: [{ name: "datasource", label: "Prometheus", type: "datasource", query: "prometheus" }] },
    panels: panels.map(({ title, unit, lines }, index) => ({
      id: index + 1,
      type: "timeseries",
      title,
      datasource,
      gridPos: { h: HEIGHT, w: WIDTH, x: (index % COLUMNS) * WIDTH, y: Math.floor(index / COLUMNS) * HEIGHT },
      fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
      options: { legend: { displayMode: "list", placement: "bottom" }, tooltip: { mode: "multi", sort: "desc" } },
      targets: lines.map(([expr, legendFormat], line) => ({
        refId: String.fromCharCode(65 + line),
        datasource,
        expr,
        legendFormat,
      })),
    })),
  };
  return `${JSON.stringify(dashboard, null, 2)}\n`;
}
