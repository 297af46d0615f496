import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { MultiBar, Presets, type SingleBar } from "cli-progress";
import { signToken } from "../../api/access/sign-token.ts";
import { readSettings } from "../../queues/read-settings.ts";
import { csvLine } from "../../schemas/csv.ts";
import { createClient } from "../client.ts";
import { readSecrets } from "../start/secrets.ts";
import { readItems } from "./import/read-items.ts";
import { runImport } from "./import/run-import.ts";

const USAGE = `usage: npm run import -- FILE.csv [--mapping FILE.json] [--label-type 1328 | --no-links]
                     [--tenant demo] [--store main] [--origin http://127.0.0.1:8080] [--token TOKEN]`;
const FAILED_ROWS_FILE = "import-failures.csv";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    mapping: { type: "string" },
    "label-type": { type: "string", default: "1328" },
    "no-links": { type: "boolean", default: false },
    tenant: { type: "string", default: "demo" },
    store: { type: "string", default: "main" },
    origin: { type: "string" },
    token: { type: "string" },
  },
});
const [file] = positionals;
if (file === undefined || !/^\d{4}$/.test(values["label-type"])) {
  process.stderr.write(`${USAGE}\n`);
  process.exit(2);
}

const settings = readSettings(["PORT", "DATA_DIR", "JWT_SECRET", "JWT_ISSUER", "JWT_AUDIENCE"]);
const rows = await readItems(file, values.mapping);
const bars = new MultiBar(
  { format: "{name} [{bar}] {value}/{total}", noTTYOutput: true, notTTYSchedule: 5000 },
  Presets.shades_grey,
);
const began = performance.now();
const summary = await runImport({
  client: createClient({
    origin: values.origin ?? `http://127.0.0.1:${settings.PORT}`,
    tenantId: values.tenant,
    storeId: values.store,
    token: await obtainToken(),
  }),
  rows,
  labelType: values["no-links"] ? undefined : values["label-type"],
  progress: {
    stored: bar("stored      "),
    linked: values["no-links"] ? () => {} : bar("linked      "),
    acknowledged: values["no-links"] ? () => {} : bar("acknowledged"),
  },
});
bars.stop();

const { stored, created, linked, acknowledged, failed } = summary;
const seconds = ((performance.now() - began) / 1000).toFixed(1);
process.stdout.write(
  `${rows.length} rows in ${seconds} s: ${stored} stored (${created} new), ${linked} linked, ${acknowledged} acknowledged, ${failed.length} failed\n`,
);
if (failed.length > 0) {
  const lines = [["step", "id", "reason"], ...failed.map(({ step, id, reason }) => [step, id, reason])].map(csvLine);
  await writeFile(FAILED_ROWS_FILE, `${lines.join("\n")}\n`);
  process.stderr.write(`the rows that failed, with the reasons, are in ${FAILED_ROWS_FILE}\n`);
  process.exitCode = 1;
}

function bar(name: string): (count: number) => void {
  const progressBar: SingleBar = bars.create(rows.length, 0, { name });
  return (count) => progressBar.update(count);
}

async function obtainToken(): Promise<string> {
  const secret = settings.JWT_SECRET ?? readSecrets(settings.DATA_DIR)?.jwt;
  if (values.token) return values.token;
  if (secret === undefined)
    throw new Error("give a token with --token: there is no JWT_SECRET and no embedded instance here");
  return signToken({
    secret,
    issuer: settings.JWT_ISSUER,
    audience: settings.JWT_AUDIENCE,
    lifetime: "1d",
    tenant: values.tenant,
    stores: [values.store],
    scope: "items:read items:write labels:read labels:write",
  });
}
