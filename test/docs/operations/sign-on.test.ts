import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import test from "ava";
import { freePort } from "../../../scripts/start/ports.ts";
import { aBrowser } from "../../api/session/provider/a-browser.ts";
import { CLIENT, openIdProvider, PUBLIC_URL } from "../../api/session/provider/an-id-provider.ts";
import { type Databases, openDatabases } from "../../harness/databases/databases.ts";
import { eventually } from "../../harness/eventually.ts";
import { REACH_PATIENTLY } from "../../harness/patience.ts";
import { startProcess } from "../../harness/processes/own-process.ts";
import { commandBlocks } from "../commands/command-blocks.ts";

const FILE = "docs/operations/sign-on.md";
const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "shelfwire-sign-on-"));
const provider = await openIdProvider();
let databases: Databases;
test.before(async () => {
  databases = await openDatabases();
});
test.after.always(async () => {
  await provider.close();
  await databases.stop();
  rmSync(folder, { recursive: true });
});

/** Returns the settings in the document's example, with this test's provider and the provider's secret in a file. */
function documentedSettings(): Record<string, string> {
  const [, block = ""] = /```ini\n(.*?)```/s.exec(readFileSync(join(ROOT, FILE), "utf8")) ?? [];
  const lines = [...block.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = "", value = ""]) => [
    name,
    value.replaceAll('"', ""),
  ]);
  const secretFile = join(folder, "oidc");
  writeFileSync(secretFile, `${CLIENT.secret}\n`);
  return { ...Object.fromEntries(lines), OIDC_ISSUER: provider.issuer, OIDC_CLIENT_SECRET_FILE: secretFile };
}

test("the documented settings and commands lead from empty databases to pages that a user of the provider opens", async (t) => {
  const settings = documentedSettings();
  t.is(settings.PUBLIC_URL, PUBLIC_URL);
  const port = await freePort();
  const environment = {
    ...{ NODE_ENV: "production", LOG_LEVEL: "silent", PORT: String(port) },
    ...{ REDIS_URL: databases.redis.url, MONGODB_URL: databases.mongoUrl, MONGODB_DATABASE: databases.database },
    ...{
      JWT_SECRET: "a secret for tests that has its 32 characters",
      LABEL_SERVER_SECRET: "a secret for label servers",
    },
    LABEL_SERVER_URL: "http://127.0.0.1:1",
    ...settings,
  };
  const block = commandBlocks().find(({ file }) => file === FILE);
  const [web = "", ...before] = (block?.commands ?? "").trim().split("\n").toReversed();
  t.is(web, "npm run web");
  const { PATH, HOME } = process.env;
  const NODE_OPTIONS = `--import=${REACH_PATIENTLY}`;
  const env = { ...environment, PATH: `${dirname(process.execPath)}:${PATH}`, HOME, NODE_OPTIONS };
  execFileSync("sh", ["-euc", before.toReversed().join("\n").replaceAll("npm run", "node --run")], { cwd: ROOT, env });
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { scripts: { web: string } };
  const patient = scripts.web.replace("api/process.ts", "test/harness/processes/patient-api.ts");
  startProcess(t, patient.split(" ").slice(1), environment, ROOT);
  const origin = `http://127.0.0.1:${port}`;
  await eventually("it is ready", async () => (await fetch(`${origin}/readyz`)).ok);

  const { get, toProvider } = aBrowser(origin);
  t.regex((await get("/items")).text, /Log in with Shop login/);
  const back = await get(await toProvider("clerk", "/items"));
  const page = await get(back.to);
  t.is(page.status, 200);
  t.regex(page.text, /<p class="who">clerk<\/p>/);
  t.is((await get("/items?store=station")).status, 403, "another role's store");
  t.is((await get("/stores")).status, 403, "a page for other roles");
});
