import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import test from "ava";
import { metricNames } from "../../../queues/metrics/definitions.ts";
import { processNames } from "../../../queues/topology.ts";
import { REFUSED_CODE } from "../../../runtime/end-where-refused.ts";
import { chartDocuments, type Manifest, manifestsOf, renderChart } from "../../../scripts/develop/chart/chart.ts";
import { presentHelm } from "../../../scripts/develop/chart/obtain-helm.ts";
import { chartSettings } from "../../../scripts/develop/chart/values-schema.ts";
import { which } from "../../../scripts/prepare/programs.mjs";
import { allocator } from "../../../scripts/start/supervise.ts";

const read = (file: string): string => readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8");
const { version } = JSON.parse(read("package.json"));
/** The lines of the Procfile, with the program that the settings choose. */
const procfile = new Map(
  [...read("Procfile").matchAll(/^([\w-]+): (.*)$/gm)].map(([, name = "", command = ""]) => [
    name,
    command.replace(/\$\{WEB_PROGRAM:-(.*)\}/, "$1"),
  ]),
);
const inImage = (name: string) => procfile.get(name)?.replace("--require ./scripts/check-node.cjs ", "");

const { schema, manifests } = await chartDocuments();
const rendered = manifestsOf(manifests.stored);
const ofKind = (kind: string): Manifest[] => rendered.filter((manifest) => manifest.kind === kind);

interface Pod {
  containers: {
    command: string[];
    env: { name: string; value: string }[];
    envFrom: object[];
    securityContext: object;
  }[];
  [field: string]: unknown;
}
const podOf = (manifest: Manifest): Pod => (manifest.spec as { template: { spec: Pod } }).template.spec;
const componentOf = ({ metadata }: Manifest) => metadata.name.replace("shelf-shelfwire-", "");

test("the chart's schema and rendering are current (npm run chart)", (t) => {
  t.is(schema.stored, schema.written);
  t.true(manifests.stored.startsWith(manifests.head), "the chart has changed since it was rendered");
  const helm = presentHelm();
  // Only if helm is installed; npm run chart builds it with Go.
  if (helm !== undefined) t.deepEqual(manifestsOf(renderChart(helm)), rendered);
});

test("the chart has the product's version", (t) => {
  t.regex(read("deploy/helm/shelfwire/Chart.yaml"), new RegExp(`^version: ${version}\nappVersion: ${version}$`, "m"));
});

test("the chart runs the Procfile's processes, each with a disruption budget", (t) => {
  const all = ["web", ...processNames].toSorted();
  t.deepEqual(ofKind("Deployment").map(componentOf).toSorted(), all);
  t.deepEqual(ofKind("PodDisruptionBudget").map(componentOf).toSorted(), all);
  for (const manifest of [...ofKind("Deployment"), ...ofKind("Job")]) {
    const { containers, ...pod } = podOf(manifest);
    t.is(containers[0]?.command.join(" "), inImage(componentOf(manifest)), manifest.metadata.name);
    t.like(pod, { terminationGracePeriodSeconds: 30, automountServiceAccountToken: false });
    t.like(pod.securityContext as object, { runAsNonRoot: true });
    t.like(containers[0]?.securityContext as object, { readOnlyRootFilesystem: true });
  }
});

test("a version's release job runs before its processes, and only once the Secret that it reads exists", (t) => {
  const [job] = ofKind("Job");
  const [secret] = ofKind("Secret");
  const hook = "pre-install,pre-upgrade";
  const annotations = ({ metadata }: Manifest) => (metadata as unknown as { annotations: object }).annotations;
  t.like(annotations(job as Manifest), { "helm.sh/hook": hook, "helm.sh/hook-weight": "0" });
  t.like(annotations(secret as Manifest), { "helm.sh/hook": hook, "helm.sh/hook-weight": "-5" });
});

test("settings keep their digits, and every secret is in the Secret", async (t) => {
  const { plain, secret } = await chartSettings();
  t.true(plain.includes("RATE_LIMIT") && secret.includes("JWT_SECRET") && !plain.includes("JWT_SECRET"));
  for (const manifest of ofKind("Deployment")) {
    const [{ env = [], envFrom = [] } = {}] = podOf(manifest).containers;
    t.deepEqual(
      env
        .filter(({ name }) => name === "GLASS_HISTORY" || name === "OTEL_TRACES_SAMPLER_ARG")
        .map(({ value }) => value),
      ["3024000", "0.01"],
    );
    t.false(env.some(({ name }) => secret.some((one) => one === name)));
    t.deepEqual(envFrom, [{ secretRef: { name: "shelf-shelfwire" } }]);
  }
});

test("workers are scaled by the age of their waiting work, and its metric exists", (t) => {
  const [renderer] = ofKind("HorizontalPodAutoscaler").filter((one) => componentOf(one) === "renderer");
  const { metrics } = (renderer as Manifest).spec as {
    metrics: { external: { metric: { name: string; selector: object } } }[];
  };
  t.true(metricNames.some((name) => name === metrics[0]?.external.metric.name));
  t.deepEqual(metrics[0]?.external.metric.selector, { matchLabels: { stage: "renderer" } });
});

test("Prometheus scrapes all web processes through one target, the Service", (t) => {
  const [monitor] = ofKind("ServiceMonitor");
  const { endpoints } = (monitor as Manifest).spec as { endpoints: { params: object; relabelings: object[] }[] };
  t.deepEqual(endpoints[0]?.params, { all: [""] });
  t.deepEqual(endpoints[0]?.relabelings, [
    { targetLabel: "__address__", replacement: "shelf-shelfwire-web.default.svc:80" },
    { action: "labeldrop", regex: "pod|container|node" },
  ]);
});

test("one network policy blocks callers of every process, and others admit callers of web and pushes", (t) => {
  const policies = ofKind("NetworkPolicy");
  t.deepEqual(policies.map(({ metadata }) => metadata.name).toSorted(), [
    "shelf-shelfwire",
    "shelf-shelfwire-renderer",
    "shelf-shelfwire-web",
  ]);
  const [all] = policies.filter(({ metadata }) => metadata.name === "shelf-shelfwire");
  t.like(all?.spec as object, { ingress: [], policyTypes: ["Ingress", "Egress"] });
});

/** Returns a unit's `name=value` lines, by name. */
const unitOf = (file: string) =>
  Map.groupBy(
    [...read(`deploy/systemd/${file}`).matchAll(/^(\w+)=(.*)$/gm)].map(([, name = "", value = ""]) => ({
      name,
      value,
    })),
    ({ name }) => name,
  );
const valuesOf = (file: string, name: string) => (unitOf(file).get(name) ?? []).map(({ value }) => value);

test("systemd's units run the Procfile's lines, and the target starts all of them", (t) => {
  const commandOf = (file: string, instance = "") =>
    valuesOf(file, "ExecStart")[0]?.replace("/usr/bin/", "").replaceAll("%i", instance);
  t.is(commandOf("shelfwire-release.service"), procfile.get("release"));
  t.is(commandOf("shelfwire-web.service"), procfile.get("web"));
  for (const name of processNames) t.is(commandOf("shelfwire@.service", name), procfile.get(name));
  t.deepEqual(
    valuesOf("shelfwire.target", "Wants").join(" ").split(" ").toSorted(),
    ["shelfwire-web.service", ...processNames.map((name) => `shelfwire@${name}.service`)].toSorted(),
  );
  for (const file of ["shelfwire-web.service", "shelfwire@.service"]) {
    const environment = valuesOf(file, "Environment").join(" ").split(" ");
    t.deepEqual(environment, ["NODE_ENV=production", ...Object.entries(allocator).map((pair) => pair.join("="))]);
    t.deepEqual(valuesOf(file, "RestartPreventExitStatus"), [String(REFUSED_CODE)]);
    t.deepEqual(valuesOf(file, "Requires"), ["shelfwire-release.service"]);
  }
});

test("systemd finds no fault in its units", (t) => {
  const analyze = which("systemd-analyze");
  const files = readdirSync(new URL("../../../deploy/systemd", import.meta.url));
  t.deepEqual(files.toSorted(), [
    "shelfwire-release.service",
    "shelfwire-web.service",
    "shelfwire.target",
    "shelfwire@.service",
  ]);
  if (analyze === undefined) return;
  const { stderr } = spawnSync(analyze, ["verify", "--man=no", ...files.map((file) => `deploy/systemd/${file}`)], {
    encoding: "utf8",
  });
  // Without Node in /usr/bin, the missing Node is the only fault.
  const faults = stderr.split("\n").filter((line) => line !== "" && !line.includes("/usr/bin/node is not executable"));
  t.deepEqual(faults, []);
});
