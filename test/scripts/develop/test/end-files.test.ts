import { execFile } from "node:child_process";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import test from "ava";

const left = `import { createServer } from "node:net";
import test from "ava";
test("leaves a server open", async (t) => {
  await new Promise((done) => createServer().listen(0, "127.0.0.1", done));
  t.pass();
});`;
const ended = `import test from "ava";
test("leaves nothing", (t) => t.pass());`;
const still = `import test, { registerCompletionHandler } from "ava";
registerCompletionHandler(() => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 6_000));
test("stands still at its end", (t) => t.pass());`;

test("a file that leaves something open fails by its name without delaying the run, and a blocked file passes once it continues", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "shelfwire-ava-"));
  t.teardown(() => rm(folder, { recursive: true }));
  await symlink(resolve("node_modules"), join(folder, "node_modules"));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  const required = [[resolve("scripts/develop/test/end-files.mjs"), 5_000]];
  await writeFile(
    join(folder, "ava.config.js"),
    `export default { require: ${JSON.stringify(required)}, timeout: "10m" };`,
  );
  await writeFile(join(folder, "left.test.js"), left);
  await writeFile(join(folder, "ended.test.js"), ended);
  await writeFile(join(folder, "still.test.js"), still);
  const cli = resolve("node_modules/ava/entrypoints/cli.js");
  const { code, output } = await new Promise<{ code: unknown; output: string }>((done) =>
    execFile(process.execPath, [cli, "--tap"], { cwd: folder }, (error, stdout, stderr) =>
      done({ code: error?.code ?? 0, output: stdout + stderr }),
    ),
  );
  t.is(code, 1);
  t.regex(output, /^not ok \d+ - left\.test\.js exited with a non-zero exit code: 1$/m);
  t.notRegex(output, /not ok \d+ - (ended|still)/);
  t.regex(output, /^ok \d+ - still/m);
  t.regex(output, /its thread does not end: it keeps .*TCPServerWrap/);
});
