import { Type } from "typebox";
import { api } from "./settings/api.ts";
import { databases } from "./settings/databases.ts";
import { mail } from "./settings/mail.ts";
import { otherServers } from "./settings/other-servers.ts";
import { count, days, matching, port, type Setting, seconds, text, url } from "./settings/setting.ts";
import { signOn } from "./settings/sign-on.ts";

const level = Type.Enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]);

/** Every setting with its form, its meaning and its default. `.env.example` is generated from this table. */
export const settings = {
  NODE_ENV: {
    schema: text,
    initial: "development",
    means: "`production` on a hosting platform: nothing is installed or launched automatically",
  },
  PORT: { schema: port, initial: 8080, means: "Port of the API" },
  LISTEN_HOST: {
    schema: text,
    optional: true,
    means: "Address on which servers listen; all addresses if absent, 127.0.0.1 with `npm start`",
  },
  ...databases,
  ...api,
  ...signOn,
  ...otherServers,
  ...mail,
  RESULT_TTL: {
    schema: seconds,
    initial: 86_400,
    means: "How long results of requests and idempotency keys are kept, in seconds",
  },
  GLASS_HISTORY: {
    schema: seconds,
    initial: 3_024_000,
    means: "How long the history of items and prices shown on each label is kept, in seconds",
  },
  ACTIVITY_DAYS: {
    schema: days,
    initial: 365,
    means: "How long the activity log keeps who changed what, in days",
  },
  UNDO_DAYS: {
    schema: days,
    initial: 7,
    means: "How long a price list can be undone, in days",
  },
  SWEEP_EVERY: {
    schema: seconds,
    initial: 30,
    means: "Interval of the search for unpublished changes and waiting requests, in seconds",
  },
  AUDIT_EVERY: { schema: seconds, initial: 900, means: "Interval between two audits of every store, in seconds" },
  ACKNOWLEDGE_WITHIN: {
    schema: seconds,
    initial: 120,
    means:
      "Wait for a report before a transmission is sent again, in seconds: about 15 s at first, then twice as long each time, up to this number",
  },
  OFFLINE_AFTER: {
    schema: seconds,
    initial: 86_400,
    means: "Number of seconds without a sign of life after which a label counts as OFFLINE",
  },
  DATA_DIR: {
    schema: text,
    initial: ".data",
    means: "Folder in which the embedded databases of `npm start` keep their data",
  },
  SHELFWIRE_DATA: { schema: text, initial: "../shared/data", means: "Folder with real price lists, for benchmarks" },
  WEB_CONCURRENCY: {
    schema: count,
    initial: 1,
    means: "Number of processes that serve the API on its port; a platform may set it by machine size",
  },
  WORKER_PROCESSES: { schema: count, initial: 1, means: "Number of processes of each worker that `npm start` runs" },
  EMULATOR_PORT: {
    schema: port,
    optional: true,
    means: "Port of the emulated label server; PORT + 1 if absent",
  },
  EMULATOR_REPORTS_TO: {
    schema: url,
    optional: true,
    means: "URL to which the emulated label server sends its reports",
  },
  EMULATOR_FILE: {
    schema: text,
    optional: true,
    means: "File in which the emulated labels keep their pictures between runs",
  },
  EMULATOR_AIR_TIME: {
    schema: Type.Integer({ minimum: 0 }),
    initial: 0,
    means: "Simulated transmission time of a picture, in milliseconds",
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: url,
    optional: true,
    means: "Endpoint for traces (OTLP/HTTP, `/v1/traces` is appended); tracing is off if absent",
  },
  OTEL_TRACES_SAMPLER_ARG: {
    schema: matching("^(0|1|0?\\.\\d{1,9}|1\\.0+)$", "must be a number from 0 to 1"),
    initial: "1",
    means:
      "Fraction of requests that is traced, from 0 to 1; for a request that carries trace context, its sampling flag decides",
  },
  LOG_LEVEL: { schema: level, initial: "info", means: "Lowest level that is logged, as JSON lines" },
} as const satisfies Record<string, Setting>;
