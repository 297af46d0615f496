import { createRequire } from "node:module";
import { PlState } from "../../schemas/label.ts";
import { topics } from "../../schemas/topics.ts";
import { type processNames, queueNames } from "../topology.ts";

/** The release that this process runs. */
export const { version } = createRequire(import.meta.url)("../../package.json") as { version: string };

/** The values of a label that names a tenant: the ids of the busiest tenants, and `other` for all other tenants together. */
export const TENANTS = "tenants";

interface Definition {
  type: "counter" | "gauge" | "histogram";
  help: string;
  /** Every value that each label may have, so that the number of series is bounded. */
  labels: Readonly<Record<string, readonly string[] | typeof TENANTS>>;
  /** Upper bounds of a histogram's buckets, in the unit of its name. */
  buckets?: readonly number[];
}

export const httpMethods = ["GET", "PUT", "POST", "PATCH", "DELETE", "other"] as const;
/** The subject of a call: the noun of a store operation, or the name of another interface. */
export const httpRoutes = [
  "items",
  "labels",
  "links",
  "results",
  "flash",
  "switches",
  "management",
  "platform",
  "label-server",
  "login",
  "probes",
  "other",
] as const;

const ofTenant = { tenant: TENANTS } as const;
const ofQueue = { queue: queueNames } as const;
const ANSWER_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const STORE_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
const GLASS_SECONDS = [0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600];

/** Every metric of a process. Names and units follow Prometheus's conventions: base units, `_total` for counters. */
const definitions = {
  process_start_time_seconds: { type: "gauge", help: "Start time of the process, in seconds since 1970", labels: {} },
  process_cpu_seconds_total: { type: "counter", help: "Processor time used by the process", labels: {} },
  process_resident_memory_bytes: { type: "gauge", help: "Resident memory of the process", labels: {} },
  shelfwire_build_info: {
    type: "gauge",
    help: "Always 1; the label names the release that the process runs",
    labels: { version: [version] },
  },
  nodejs_version_info: {
    type: "gauge",
    help: "Always 1; the label names the Node that the process runs on",
    labels: { version: [process.version] },
  },
  nodejs_heap_size_total_bytes: { type: "gauge", help: "Memory reserved for JavaScript objects", labels: {} },
  nodejs_heap_size_used_bytes: { type: "gauge", help: "Memory used by JavaScript objects", labels: {} },
  nodejs_external_memory_bytes: { type: "gauge", help: "Memory of objects outside the heap", labels: {} },
  nodejs_active_resources: {
    type: "gauge",
    help: "Sockets, timers and requests that keep the process alive",
    labels: {},
  },
  shelfwire_event_loop_delay_seconds: {
    type: "gauge",
    help: "Delay of the process's timers in the last 15 seconds",
    labels: { statistic: ["median", "p99", "max"] },
  },
  shelfwire_http_answers_total: {
    type: "counter",
    help: "Responses of the API, by method, route and status class",
    labels: { method: httpMethods, route: httpRoutes, status: ["2xx", "3xx", "4xx", "5xx"] },
  },
  shelfwire_http_answer_seconds: {
    type: "histogram",
    help: "Time from an API request to its response",
    labels: {},
    buckets: ANSWER_SECONDS,
  },
  shelfwire_rows_accepted_total: {
    type: "counter",
    help: "Rows of requests that were journaled and accepted (202)",
    labels: ofTenant,
  },
  shelfwire_rows_applied_total: {
    type: "counter",
    help: "Rows of requests that were applied, or rejected individually with a reason",
    labels: ofTenant,
  },
  shelfwire_changes_published_total: {
    type: "counter",
    help: "Published changes of records, by topic: the output of each stage",
    labels: { topic: topics },
  },
  shelfwire_pictures_drawn_total: { type: "counter", help: "Pictures of links that were drawn", labels: ofTenant },
  shelfwire_pictures_transmitted_total: {
    type: "counter",
    help: "Pictures that label servers accepted, including repetitions",
    labels: ofTenant,
  },
  shelfwire_pictures_acknowledged_total: {
    type: "counter",
    help: "Reports that a label shows a picture",
    labels: ofTenant,
  },
  shelfwire_call_to_glass_seconds: {
    type: "histogram",
    help: "Time from the acceptance of a request to the acknowledgement of the resulting picture, by the request's urgency",
    labels: { urgency: ["interactive", "bulk"] },
    buckets: GLASS_SECONDS,
  },
  shelfwire_jobs_completed_total: { type: "counter", help: "Completed jobs", labels: ofQueue },
  shelfwire_jobs_failed_total: {
    type: "counter",
    help: "Failed attempts at jobs; most are retried",
    labels: ofQueue,
  },
  shelfwire_keys_failed_total: {
    type: "counter",
    help: "Keys of records that could not be processed and wait for an individual retry",
    labels: ofQueue,
  },
  shelfwire_cache_lookups_total: {
    type: "counter",
    help: "Lookups in caches: designs chosen by the evaluator, pictures drawn by the renderer",
    labels: { cache: ["choices", "pictures"], result: ["hit", "miss"] },
  },
  shelfwire_expression_faults_total: {
    type: "counter",
    help: "Evaluations of expressions that failed and counted as false",
    labels: {},
  },
  shelfwire_label_server_answers_total: {
    type: "counter",
    help: "Calls to label servers, by response; denied: 401 or 403, none: no response in time",
    labels: {
      call: ["page", "switch", "flash", "display-page", "fingerprint"],
      answer: ["accepted", "busy", "refused", "denied", "none"],
    },
  },
  shelfwire_label_server_call_seconds: {
    type: "histogram",
    help: "Time from a call to a label server to its response",
    labels: {},
    buckets: ANSWER_SECONDS,
  },
  shelfwire_label_servers: {
    type: "gauge",
    help: "Label servers called by a transmitter: the installation's, and those of tenants",
    labels: {},
  },
  shelfwire_label_servers_away: {
    type: "gauge",
    help: "Label servers that did not respond to the last calls of a transmitter",
    labels: {},
  },
  shelfwire_label_servers_denying: {
    type: "gauge",
    help: "Label servers that rejected the last calls of a transmitter because of its secret",
    labels: {},
  },
  shelfwire_label_servers_slowed: {
    type: "gauge",
    help: "Label servers whose responses make a transmitter send fewer concurrent calls than allowed, or pause",
    labels: {},
  },
  shelfwire_label_server_pictures_per_second: {
    type: "gauge",
    help: "Pictures per second that label servers accept, as a transmitter has learnt from their responses",
    labels: { statistic: ["slowest", "median", "fastest"] },
  },
  shelfwire_mongodb_command_seconds: {
    type: "histogram",
    help: "How long commands held a connection to MongoDB",
    labels: {},
    buckets: STORE_SECONDS,
  },
  shelfwire_mongodb_connection_failures_total: {
    type: "counter",
    help: "Commands that could not get a connection to MongoDB",
    labels: {},
  },
  shelfwire_redis_command_seconds: {
    type: "histogram",
    help: "Time from a Redis command to its response; one command in sixteen is measured",
    labels: {},
    buckets: STORE_SECONDS,
  },
  shelfwire_redis_failures_total: {
    type: "counter",
    help: "Redis commands that failed or got no response; one command in sixteen is measured",
    labels: {},
  },
  shelfwire_labels: {
    type: "gauge",
    help: "Labels by state, counted every few minutes; each transmitter counts the labels of its stores",
    labels: { state: PlState.enum },
  },
  shelfwire_queue_jobs: {
    type: "gauge",
    help: "Jobs in the queues of the whole installation",
    labels: { queue: queueNames, state: ["waiting", "active", "delayed", "failed"] },
  },
  shelfwire_oldest_waiting_seconds: {
    type: "gauge",
    help: "Age of the oldest waiting entry: in a queue, or in MongoDB for the named kinds; 0 if none is waiting",
    labels: {
      stage: ["accepted rows", "unpublished changes", "events", "label reports", "pictures to send", ...queueNames],
    },
  },
  shelfwire_mongodb_up: { type: "gauge", help: "1 while MongoDB is reachable, otherwise 0", labels: {} },
  shelfwire_redis_up: { type: "gauge", help: "1 while Redis is reachable, otherwise 0", labels: {} },
  shelfwire_redis_memory_used_bytes: {
    type: "gauge",
    help: "Memory used by Redis; in a cluster, by its fullest node",
    labels: {},
  },
  shelfwire_redis_memory_max_bytes: {
    type: "gauge",
    help: "Memory available to Redis or, in a cluster, to its fullest node; 0 if unlimited",
    labels: {},
  },
} as const satisfies Record<string, Definition>;

type Definitions = typeof definitions;
type Values<L> = L extends readonly string[] ? L[number] : string;
export type MetricName = keyof Definitions;
type NameOf<Type extends Definition["type"]> = {
  [N in MetricName]: Definitions[N]["type"] extends Type ? N : never;
}[MetricName];
export type CounterName = NameOf<"counter">;
export type GaugeName = NameOf<"gauge">;
export type HistogramName = NameOf<"histogram">;
/** The labels of a metric, each with one of its values. A tenant is named by its id. */
export type LabelsOf<N extends MetricName> = {
  [L in keyof Definitions[N]["labels"]]: Values<Definitions[N]["labels"][L]>;
};

export const definitionOf = (name: MetricName): Definition => definitions[name];
export const metricNames = Object.keys(definitions) as MetricName[];

/** The process of a series: its name and its own id, new at each start. */
export interface ProcessLabels {
  process: "web" | "all" | (typeof processNames)[number];
  process_id: string;
}
