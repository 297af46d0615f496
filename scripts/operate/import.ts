import { writeFile } from "node:fs/promises";
import { MultiBar, Presets, type SingleBar } from "cli-progress";
import { signToken } from "../../api/access/sign-token.ts";
import { readSettings } from "../../runtime/read-settings.ts";
import { csvLine, LINE_END } from "../../schemas/csv.ts";
import { createClient } from "../client.ts";
import { command, Refusal } from "./admin/command.ts";
import { dataOptions, type Program } from "./admin/parse-call.ts";
import { readSigner } from "./admin/read-signer.ts";
import { runCommandLine } from "./admin/run-command-line.ts";
import { readItems } from "./import/read-items.ts";
import { runImport } from "./import/run-import.ts";

const FAILED_ROWS_FILE = "import-failures.csv";

const importList = command({
  name: "",
  arguments: ["FILE.csv"],
  means: "send a price list to the API, with a label for each item",
  options: {
    mapping: { takes: "FILE.json", means: "maps columns of the file to fields" },
    "label-type": { takes: "TYPE", initial: "1328", means: "label type, four digits" },
    "no-links": { means: "send only the items" },
    tenant: { takes: "TENANT", initial: "demo", means: "tenant of the store" },
    store: { takes: "STORE", initial: "main", means: "id of the store" },
    origin: { takes: "URL", means: "address of the API (http://127.0.0.1 with PORT)" },
    token: { takes: "TOKEN", means: "access token; if absent, one is signed with JWT_SECRET" },
  },
  async run({ arguments: [file = ""], options }) {
    const { "label-type": labelType, "no-links": isWithoutLinks, tenant, store } = options;
    if (!/^\d{4}$/.test(labelType)) throw new Refusal(`--label-type must have four digits, not "${labelType}".`);
    const { PORT } = readSettings(["PORT"]);
    const token = options.token ?? (await signOwn(tenant, store));
    const rows = await readItems(file, options.mapping);
    const bars = new MultiBar(
      { format: "{name} [{bar}] {value}/{total}", noTTYOutput: true, notTTYSchedule: 5000 },
      Presets.shades_grey,
    );
    const bar = (name: string): ((count: number) => void) => {
      const progressBar: SingleBar = bars.create(rows.length, 0, { name });
      return (count) => progressBar.update(count);
    };
    const began = performance.now();
    const priceList = `import-${new Date().toISOString().slice(0, 19).replaceAll(/\D/g, "")}`;
    const origin = options.origin ?? `http://127.0.0.1:${PORT}`;
    const summary = await runImport({
      client: createClient({ origin, tenantId: tenant, storeId: store, token, onRetry: sayOnce() }),
      rows,
      priceList,
      labelType: isWithoutLinks ? undefined : labelType,
      progress: {
        stored: bar("stored      "),
        linked: isWithoutLinks ? () => {} : bar("linked      "),
        acknowledged: isWithoutLinks ? () => {} : bar("acknowledged"),
      },
    }).finally(() => bars.stop());
    const { stored, created, linked, acknowledged, failed } = summary;
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    if (failed.length > 0) await writeFailed(failed);
    process.stderr.write(`the price list is ${priceList}, which can be undone\n`);
    const counts = `${stored} stored (${created} new), ${linked} linked, ${acknowledged} acknowledged, ${failed.length} failed`;
    const data = { rows: rows.length, stored, created, linked, acknowledged, failed };
    return { lines: [`${rows.length} rows in ${seconds} s: ${counts}`], data, hasFailed: failed.length > 0 };
  },
});

/** Returns a function that prints why the API does not accept a call yet, each reason once. */
function sayOnce(): (reason: string) => void {
  const said = new Set<string>();
  return (reason) => {
    if (!said.has(reason)) process.stderr.write(`sending the call again: ${reason}\n`);
    said.add(reason);
  };
}

async function writeFailed(failed: readonly { step: string; id: string; reason: string }[]): Promise<void> {
  const lines = [["step", "id", "reason"], ...failed.map(({ step, id, reason }) => [step, id, reason])].map(csvLine);
  await writeFile(FAILED_ROWS_FILE, `${lines.join(LINE_END)}${LINE_END}`);
  process.stderr.write(`the rows that failed, with the reasons, are in ${FAILED_ROWS_FILE}\n`);
}

const signOwn = (tenant: string, store: string): Promise<string> =>
  signToken({
    ...readSigner(),
    ...{ lifetime: "1d", tenant, stores: [store], scope: "items:read items:write labels:read labels:write" },
  });

/** `npm run import`. */
export const program: Program = { call: "npm run import --", commands: [importList], common: dataOptions };
if (import.meta.main) process.exitCode = await runCommandLine(process.argv.slice(2), program);
