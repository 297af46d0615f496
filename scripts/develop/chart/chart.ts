import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { root, run } from "../../prepare/programs.mjs";
import { readCommandLine } from "../command-line.ts";
import { obtainHelm } from "./obtain-helm.ts";
import { valuesSchema } from "./values-schema.ts";

const chart = join(root, "deploy/helm/shelfwire");
const schemaFile = join(chart, "values.schema.json");
/** Values that make every template render something. */
const valuesFile = join(root, "test/fixtures/chart/values.yaml");
/** The manifests that helm renders from these values. */
const manifestsFile = join(root, "test/fixtures/chart/manifests.yaml");
const KUBERNETES = "1.31.0";

/** The parts of a manifest that are checked. */
export type Manifest = { kind: string; metadata: { name: string }; [field: string]: unknown };

/** Returns the manifests in a YAML string, which may contain several documents. */
export const manifestsOf = (text: string): Manifest[] =>
  parseAllDocuments(text)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);

/**
 * Returns a digest of what the rendering depends on: the values, and every file of the chart except the schema, against which
 * helm only validates.
 */
function digest(): string {
  const files = readdirSync(chart, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(ya?ml|tpl)$/.test(file))
    .toSorted();
  const hash = createHash("sha256");
  for (const path of [...files.map((file) => join(chart, file)), valuesFile]) hash.update(readFileSync(path));
  return `# npm run chart, from files of the sha256 ${hash.digest("hex")}\n`;
}

/** Returns the chart's stored documents, each with the content or the first line that it must have. */
export const chartDocuments = async () => ({
  schema: {
    stored: readFileSync(schemaFile, "utf8"),
    written: `${JSON.stringify(await valuesSchema(), undefined, 2)}\n`,
  },
  manifests: { stored: readFileSync(manifestsFile, "utf8"), head: digest() },
});

/** Lints the chart, and renders it with the test's values. Throws an error that says what helm finds wrong. */
export function renderChart(helm: string): string {
  run(helm, ["lint", "--strict", chart, "--values", valuesFile, "--kube-version", KUBERNETES]);
  return run(helm, ["template", "shelf", chart, "--values", valuesFile, "--kube-version", KUBERNETES]);
}

if (import.meta.main) {
  readCommandLine("npm run chart --", {
    arguments: [],
    means: "lint and render the Helm chart, and write the schema of its values from the table of settings",
    options: {},
  });
  writeFileSync(schemaFile, `${JSON.stringify(await valuesSchema(), undefined, 2)}\n`);
  writeFileSync(manifestsFile, `${digest()}${renderChart(obtainHelm())}`);
}
