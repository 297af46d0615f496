import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import test from "ava";
import { bodyOf, readItem, writeItems, writeLabels } from "../../api/calls.ts";
import { glassOf, labelFor } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";
import { platformToken } from "../../harness/served.ts";
import { blocksOf, type CommandBlock, commandBlocks, isAsStated } from "./command-blocks.ts";
import { writeExampleFiles } from "./example-files.ts";
import { runBlocks } from "./run-blocks.ts";

/**
 * The beginnings of blocks that cannot run on this file's stack, each with the test that runs the block or the reason why no
 * test can.
 */
const notRun: readonly (readonly [file: string, commands: string, why: string])[] = [
  ["README.md", "npm start   #", "starts its own Shelfwire: test/scripts/start/first-commands.test.ts"],
  ["README.md", "REDIS_URL=redis://redis.example.com", "names servers that do not exist"],
  ["docs/designs/README.md", "npm run designs", "watches files until it is stopped: test/scripts/develop/designs"],
  ["docs/designs/letters.md", "npm install", "changes the checkout's packages"],
  ["docs/designs/hyphenation.md", "$ npm install", "changes the machine's packages"],
  ["docs/integrators/clients.md", "npm install", "downloads packages: test/api/openapi/client.test.ts has them"],
  ["docs/integrators/proof.md", "npm run admin -- verify-proof", "needs a signed proof: test/api/proofs"],
  ["docs/integrators/subscriptions.md", "$ curl -N", "never ends: test/api/management/subscriptions/tail.test.ts"],
  [
    "docs/label-servers/README.md",
    "npm run label-server-check",
    "needs a label server that reports to it: test/scripts/operate/label-server-check",
  ],
  [
    "docs/label-servers/emulator.md",
    "npm run label-server --",
    "runs until it is stopped: test/scripts/label-server/scenario",
  ],
  [
    "docs/operations/README.md",
    "ln -s",
    "changes the machine: test/scripts/operate/production-install.test.ts runs each command",
  ],
  [
    "docs/operations/install.md",
    "export JWT_SECRET=...",
    "needs Docker: test/docs/operations/containers.test.ts reads its files",
  ],
  [
    "docs/operations/install.md",
    "export SHELFWIRE_HOST",
    "needs Docker: test/docs/operations/containers.test.ts reads its files",
  ],
  [
    "docs/operations/install.md",
    "install -m 600",
    "needs systemd as root: test/docs/operations/clusters.test.ts checks the units",
  ],
  [
    "docs/operations/kubernetes.md",
    "kubectl",
    "needs a cluster: test/docs/operations/clusters.test.ts reads what helm renders",
  ],
  [
    "docs/operations/replace-secrets.md",
    "JWT_SECRET=$FORMER",
    "restarts the API: test/docs/operations/replace-secrets.test.ts",
  ],
  [
    "docs/operations/replace-secrets.md",
    "LABEL_SERVER_SECRET=$FORMER",
    "restarts everything: test/docs/operations/replace-secrets.test.ts",
  ],
  ["docs/operations/install.md", "heroku create", "needs an account with the platform"],
  ["docs/operations/sign-on.md", "npm run release", "runs until it is stopped: test/docs/operations/sign-on.test.ts"],
  ["docs/operations/scale.md", "npm run load", "runs for ten minutes: test/scripts/develop/load/load.test.ts"],
  [
    "docs/operations/first-labels.md",
    "",
    "needs an access point: test/docs/commands/first-labels.test.ts runs each of them",
  ],
  ["docs/label-servers/mqtt.md", "mosquitto_", "needs a broker and its commands: test/flow/label-servers/mqtt.test.ts"],
  [
    "docs/operations/label-servers.md",
    "echo",
    "names a broker that does not exist: test/flow/label-servers/mqtt.test.ts",
  ],
  [
    "docs/label-servers/mqtt.md",
    "npm run mqtt-gateway",
    "runs until it is stopped: test/flow/label-servers/mqtt.test.ts",
  ],
  ["docs/operations/back-up-and-restore.md", "mongodump", "needs MongoDB's tools, which the package does not install"],
  [
    "docs/operations/back-up-and-restore.md",
    "npm run admin -- restored",
    "ends every process: test/faults/killed/restored.test.ts",
  ],
  [
    "docs/operations/catalogue.md",
    "ADMIN=$(npm run",
    "changes the demo's tenant, which other pages compare: test/flow/links/mac-barcodes.test.ts",
  ],
  ["docs/operations/watched-folder.md", "npm run watch", "runs until it is stopped: test/scripts/operate/watch"],
  [
    "docs/operations/home-assistant.md",
    "npm run home-assistant",
    "needs a broker: test/scripts/operate/home-assistant",
  ],
  [
    "docs/typescript-client/README.md",
    "npm install",
    "downloads packages: test/clients/packages.test.ts installs what it packs",
  ],
  [
    "docs/operations/set-up-tenants.md",
    "npm run admin -- export",
    "needs two installations: test/scripts/operate/archive",
  ],
];
/** A section whose commands start from an empty installation. */
const INSTALLING = "Installing";
const INSTALLED_BY = "test/flow/installation/installation-page.test.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const blocks = commandBlocks();
const isNotRun = ({ file, section, commands }: CommandBlock) =>
  (file === "docs/operations/install.md" && section === INSTALLING) ||
  notRun.some(([name, start]) => name === file && commands.startsWith(start));

const shelfwire = ownStack({ settings: { RATE_LIMIT: "100" } });
/** A folder that looks like a checkout, in which commands write their files. */
const folder = mkdtempSync(join(tmpdir(), "shelfwire-commands-"));
test.after.always(() => rmSync(folder, { recursive: true }));

/** Creates the documented resources of a fresh `npm start`, and the files that the commands send. */
async function prepare(): Promise<NodeJS.ProcessEnv> {
  for (const name of readdirSync(ROOT)) symlinkSync(join(ROOT, name), join(folder, name));
  await writeExampleFiles(folder);
  mkdirSync(join(folder, "path/to"), { recursive: true });
  const [header, , product] = readFileSync(join(ROOT, "scripts/demo/products.csv"), "utf8").split("\n");
  writeFileSync(join(folder, "path/to/list.csv"), `${header}\n${product}\n`);

  const barcode = labelFor("demo");
  await writeItems(shelfwire, [{ itemId: "90704273", itemName: "KEČAP BLAGI 500g K PLUS", price: "1.19" }]);
  await writeLabels(shelfwire, [{ barcode, links: [{ itemId: "90704273" }] }]);
  await glassOf(shelfwire, barcode);
  const { origin } = shelfwire;
  const user = await fetch(`${origin}/t/demo/api/management/v1/users/till-system`, {
    method: "PUT",
    headers: { authorization: `Bearer ${await platformToken()}`, "content-type": "application/json" },
    body: JSON.stringify({ stores: ["main"], scope: "items:read" }),
  });
  const { password } = await bodyOf<{ password: string }>(user);
  return {
    ...process.env,
    ...shelfwire.environment,
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    PORT: new URL(origin).port,
    ORIGIN: origin,
    STORE: shelfwire.base,
    TOKEN: await shelfwire.token(),
    LABEL: barcode,
    PASSWORD: password,
  };
}

/** Returns the commands with the addresses of this file's stack. A command that shows a change waits for the change. */
const onThisStack = (commands: string) =>
  commands
    .replaceAll("http://127.0.0.1:8080", shelfwire.origin)
    .replaceAll("http://127.0.0.1:8081", `http://127.0.0.1:${shelfwire.labelServer.port}`)
    .replace(
      /# and a moment later\ncurl -s -o \S+ (\S+)/,
      (command, url) => `while curl ${url} | cmp -s - before.png; do sleep 0.1; done\n${command}`,
    );

test("every command block in README and docs/ runs in order and prints the documented output", async (t) => {
  const environment = await prepare();
  const run = blocks.filter((block) => !isNotRun(block));
  for (const [file, ofFile] of Map.groupBy(run, ({ file: name }) => name)) {
    const printed = await runBlocks(
      ofFile.map(({ commands }) => onThisStack(commands)),
      folder,
      environment,
    );
    for (const [index, { commands, output }] of ofFile.entries())
      if (output !== undefined)
        t.true(isAsStated(printed[index] ?? "", output), `${file}: ${commands}\nprinted\n${printed[index]}`);
    // Later documents explain this label's picture.
    if (file === "docs/integrators/labels.md") await glassOf(shelfwire, "D42FLOFYMKP013280");
    if (file === "README.md") t.is((await readItem(shelfwire, "90704273")).price, "1.09");
  }
});

test("every block that is skipped here still exists, and the test named as running it does too", (t) => {
  for (const [file, start, why] of notRun) {
    t.true(
      blocks.some((block) => block.file === file && block.commands.startsWith(start)),
      `${file} has no block that begins with ${start}`,
    );
    const [named] = /test\/[\w/.-]+/.exec(why) ?? [];
    if (named !== undefined) t.notThrows(() => readdirSync(join(ROOT, dirname(named))), why);
  }
  t.regex(readFileSync(join(ROOT, INSTALLED_BY), "utf8"), new RegExp(`"${INSTALLING}"`));
});

test("blocks in lists are found as well, and output is the block directly after one", (t) => {
  const document =
    "## One\n\n```sh\na\n```\n\n```json\n{}\n```\n\n## Two\n\n1. x\n\n   ```sh\n   b\n   ```\n\nsays\n\n```\nc\n```\n";
  t.deepEqual(blocksOf("x.md", document), [
    { file: "x.md", section: "One", commands: "a\n", output: "{}\n" },
    { file: "x.md", section: "Two", commands: "b\n", output: undefined },
  ]);
});

test("documented output may vary only in its numbers, spaces and ellipses", (t) => {
  t.true(isAsStated('{"requestId":17}\n', '{ "requestId": 4 }'));
  t.true(isAsStated('{"a":"x","b":[1],"c":2}', '{"a": "x", ... "c": 1}'));
  t.false(isAsStated('{"requestId":17,"b":1}', '{"requestId": 4}'));
  t.false(isAsStated('{"result":"UNREACHABLE"}', '{"result": "OK"}'));
  t.false(isAsStated('{"result":"O.K"}', '{"result": "OxK"}'));
});
