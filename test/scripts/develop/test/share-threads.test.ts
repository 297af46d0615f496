import { execFile } from "node:child_process";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import test, { type ExecutionContext } from "ava";

/** Declares a hook for the file that calls it, as the harness does; a thread loads this file once. */
const harness = `import { threadId } from "node:worker_threads";
import test from "ava";
export const hooked = (name) => test.before((t) => t.log(name + " hook in " + threadId));`;
const first = `import test from "ava";
import { hooked } from "./harness.js";
hooked("first");
process.env.OF_ONE_FILE = "first";
test("sets the environment", (t) => t.is(process.env.OF_ONE_FILE, "first"));`;
const second = `import test from "ava";
import { hooked } from "./harness.js";
hooked("second");
test("has the environment of the run", (t) => t.is(process.env.OF_ONE_FILE, undefined));
test("is the file that is running", (t) => t.regex(test.meta.file, /second/));`;
const keeping = `import test from "ava";
import { hooked } from "./harness.js";
hooked("keeping");
export const kept = new Uint8Array(2 ** 30);
test("keeps much", (t) => t.is(kept.length, 2 ** 30));`;
const failing = `import test from "ava";
import { hooked } from "./harness.js";
hooked("failing");
test("fails", (t) => t.fail());`;
const throwing = `import test from "ava";
test("throws later", async (t) => {
  setTimeout(() => { throw new Error("nobody catches this"); });
  await new Promise((done) => setTimeout(done, 1_000_000));
});`;
const left = `import { createServer } from "node:net";
import test from "ava";
test("leaves a server open", async (t) => {
  await new Promise((done) => createServer().listen(0, "127.0.0.1", done));
  t.pass();
});`;
const global = `import test from "ava";
import { hooked } from "./harness.js";
hooked("global");
test("changes a global", (t) => t.pass((globalThis.Date = Date)));`;

/** Runs test files one after another, as a whole run does; returns the exit code and AVA's report. */
async function runFiles(t: ExecutionContext, files: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), "shelfwire-ava-"));
  t.teardown(() => rm(folder, { recursive: true }));
  await symlink(resolve("node_modules"), join(folder, "node_modules"));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  const required = [[resolve("scripts/develop/test/end-files.mjs"), 5_000]];
  await writeFile(
    join(folder, "ava.config.js"),
    `export default { require: ${JSON.stringify(required)}, timeout: "10m" };`,
  );
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const program = resolve("scripts/develop/test/ava.mjs");
  return new Promise<{ code: unknown; output: string }>((done) =>
    execFile(process.execPath, [program, "--tap", "--serial"], { cwd: folder }, (error, stdout, stderr) =>
      done({ code: error?.code ?? 0, output: stdout + stderr }),
    ),
  );
}

/** Returns the id of the thread in which a file's hook ran. */
const threadOf = (output: string, name: string) => new RegExp(`${name} hook in (\\d+)`).exec(output)?.[1];

test("test files run in one thread, each with its own hooks, tests and environment", async (t) => {
  const { code, output } = await runFiles(t, {
    "harness.js": harness,
    "a-first.test.js": first,
    "b-failing.test.js": failing,
    "c-second.test.js": second,
  });
  t.is(code, 1, output);
  t.regex(output, /^ok \d+ - a-first › sets the environment$/m);
  t.regex(output, /^not ok \d+ - b-failing › fails$/m);
  t.regex(output, /^ok \d+ - c-second › has the environment of the run$/m);
  t.regex(output, /^ok \d+ - c-second › is the file that is running$/m);
  t.is(output.match(/^not ok/gm)?.length, 1);
  t.deepEqual(
    ["first", "failing", "second"].map((name) => output.match(new RegExp(`${name} hook in`, "g"))?.length),
    [1, 1, 1],
  );
  t.truthy(threadOf(output, "first"));
  t.is(threadOf(output, "second"), threadOf(output, "first"));
});

test("a file that ends its thread is reported as a failure of that file, and the next file runs in another thread", async (t) => {
  const { code, output } = await runFiles(t, {
    "harness.js": harness,
    "a-first.test.js": first,
    "b-throwing.test.js": throwing,
    "c-left.test.js": left,
    "d-second.test.js": second,
  });
  t.is(code, 1);
  t.regex(output, /nobody catches this/);
  t.regex(output, /^not ok \d+ - b-throwing\.test\.js exited with a non-zero exit code: 1$/m);
  t.regex(output, /^not ok \d+ - c-left\.test\.js exited with a non-zero exit code: 1$/m);
  t.regex(output, /its thread does not end: it keeps .*TCPServerWrap/);
  t.regex(output, /^ok \d+ - d-second › has the environment of the run$/m);
  t.not(threadOf(output, "second"), threadOf(output, "first"));
});

test("a file that names one of its thread's globals has a thread of its own", async (t) => {
  const { code, output } = await runFiles(t, {
    "harness.js": harness,
    "a-first.test.js": first,
    "b-global.test.js": global,
    "c-second.test.js": second,
  });
  t.is(code, 0, output);
  t.is(threadOf(output, "second"), threadOf(output, "first"));
  t.not(threadOf(output, "global"), threadOf(output, "first"));
});

test("a thread that still holds a lot of memory at the end of its file is not reused for another file", async (t) => {
  const { code, output } = await runFiles(t, {
    "harness.js": harness,
    "a-keeping.test.js": keeping,
    "b-second.test.js": second,
  });
  t.is(code, 0, output);
  t.not(threadOf(output, "second"), threadOf(output, "keeping"));
});
