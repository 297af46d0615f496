import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import test from "ava";

const root = fileURLToPath(new URL("../../", import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), "utf8");
const folder = mkdtempSync(join(tmpdir(), "shelfwire-node-"));
test.after.always(() => rmSync(folder, { recursive: true, force: true }));

/** The commands that an operator's Node runs, by name. */
const commands: [name: string, command: string][] = [
  ...[...read("Procfile").matchAll(/^([\w-]+): (.+)$/gm)].map(([, name = "", command = ""]): [string, string] => [
    `the line ${name} of the Procfile`,
    command,
  ]),
  ...Object.entries<string>(JSON.parse(read("package.json")).scripts).map(([name, command]): [string, string] => [
    `npm run ${name}`,
    command,
  ]),
];

for (const [name, command] of commands)
  test(`${name} checks its Node version before it loads TypeScript`, (t) => {
    t.regex(command, /^node (--require \.\/scripts\/check-node\.cjs |scripts\/run\.mjs )/);
  });

test("an older Node is reported with the version to install and without a stack trace", async (t) => {
  const older = join(folder, "older.cjs");
  writeFileSync(older, 'Object.defineProperty(process.versions, "node", { value: "20.19.0" });');
  const options = ["--require", older, "--require", "./scripts/check-node.cjs", "workers/item/process.ts"];
  const { code, err } = await new Promise<{ code: unknown; err: string }>((done) => {
    execFile(process.execPath, options, { cwd: root }, (error, _, err) => done({ code: error?.code, err }));
  });
  t.is(code, 1);
  t.regex(err, /^Shelfwire needs Node 24 or later; this is Node 20\.19\.0 \(.*\)\. Install it .*"nvm install 24"/);
  t.notRegex(err, /^ +at /m);
});
