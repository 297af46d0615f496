import { apiSettings } from "../../../api/settings.ts";
import { processNames } from "../../../queues/topology.ts";
import { tracingSettings } from "../../../queues/tracing/open-tracing.ts";
import { workerSettings } from "../../../queues/worker/open-worker.ts";
import type { SettingName } from "../../../schemas/environment.ts";
import type { Setting } from "../../../schemas/settings/setting.ts";
import { settings } from "../../../schemas/settings.ts";
import { workerBuilds } from "../../operate/worker-builds.ts";

/** Set by the chart itself. */
const ofChart: ReadonlySet<SettingName> = new Set(["NODE_ENV", "PORT", "LISTEN_HOST"]);
/** Addresses may contain a password. */
const addresses: readonly SettingName[] = ["REDIS_URL", "MONGODB_URL"];
/** Variables of libraries and of the runtime, which are not settings of Shelfwire. */
const FOREIGN = "^(OTEL|NODE|MALLOC|UV)_[A-Z0-9_]+$";

const isSecret = (name: SettingName): boolean => (settings[name] as Setting).secret === true;

/** Returns the settings that the processes read, sorted, with secrets separate. */
export async function chartSettings(): Promise<{ plain: SettingName[]; secret: SettingName[] }> {
  const builds = await Promise.all(processNames.map((name) => workerBuilds[name]()));
  const read = [...apiSettings, ...workerSettings, ...tracingSettings, "WEB_CONCURRENCY" as const];
  const names = [...new Set([...read, ...builds.flatMap((build) => build.names)])].toSorted();
  const offered = names.filter((name) => !ofChart.has(name));
  return {
    plain: offered.filter((name) => !isSecret(name)),
    secret: offered.filter((name) => isSecret(name) || addresses.includes(name)),
  };
}

const object = (properties: Record<string, unknown>) => ({ type: "object", properties, additionalProperties: false });
const string = { type: "string" };
const boolean = { type: "boolean" };
const count = { type: "integer", minimum: 0 };
const strings = { type: "object", additionalProperties: string };
const list = { type: "array" };
const map = { type: "object" };

const processOf = (target: string) =>
  object({
    replicas: count,
    resources: map,
    autoscaling: object({ enabled: boolean, minReplicas: count, maxReplicas: count, [target]: count }),
  });

/**
 * Returns the JSON schema of the chart's values. With it, helm rejects a name that is not a setting, and a secret among plain
 * settings.
 */
export async function valuesSchema(): Promise<object> {
  const { plain, secret } = await chartSettings();
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    ...object({
      global: map,
      image: object({
        repository: string,
        tag: string,
        digest: { type: "string", pattern: "^(sha256:[0-9a-f]{64})?$" },
        pullPolicy: { enum: ["Always", "IfNotPresent", "Never"] },
      }),
      imagePullSecrets: list,
      settings: {
        type: "object",
        properties: Object.fromEntries(plain.map((name) => [name, { type: ["string", "number"] }])),
        patternProperties: { [FOREIGN]: { type: ["string", "number"] } },
        additionalProperties: false,
      },
      secret: object({
        existing: string,
        values: {
          type: "object",
          properties: Object.fromEntries(secret.map((name) => [name, string])),
          patternProperties: { [FOREIGN]: string },
          additionalProperties: false,
        },
      }),
      web: processOf("cpuPercent"),
      workers: object(Object.fromEntries(processNames.map((name) => [name, processOf("maxAgeSeconds")]))),
      release: object({ resources: map }),
      ingress: object({ enabled: boolean, className: string, host: string, tlsSecret: string, annotations: strings }),
      podDisruptionBudget: object({ enabled: boolean, maxUnavailable: { type: ["integer", "string"] } }),
      networkPolicy: object({ enabled: boolean, webFrom: list, egress: list }),
      serviceMonitor: object({ enabled: boolean, interval: string, labels: strings }),
      podAnnotations: strings,
      nodeSelector: strings,
      tolerations: list,
      affinity: map,
    }),
  };
}
