import { spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { readSettings } from "../queues/read-settings.ts";
import { runChecks } from "./check.ts";
import { freePort, startMongo } from "./servers.ts";

/**
 * `npm test`: the checks of the code, then every test (or those that are named), on a Redis of each file's own and
 * one MongoDB: that of MONGODB_URL, or one that is started here and keeps nothing. Ends with one line.
 */
const files = process.argv.slice(2);
const { DATA_DIR, MONGODB_URL } = readSettings(["DATA_DIR"], ["MONGODB_URL"]);
const dataFolder = resolve(DATA_DIR);
await mkdir(dataFolder, { recursive: true });
const mongo = MONGODB_URL ? undefined : await startMongo(await freePort(), dataFolder);
const url = MONGODB_URL ?? mongo?.url ?? "";
process.stdout.write(`# records: ${mongo?.description ?? "MongoDB of MONGODB_URL"}\n`);

const checks = files.length > 0 ? { passed: 0, failed: 0 } : await runChecks();
const tests = await runTests();
await mongo?.stop();
const failed = checks.failed + tests.failed;
process.stdout.write(`${checks.passed + tests.passed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 ? 1 : 0;

/** Runs AVA and counts what its TAP says; a run that breaks off counts as a failure. */
async function runTests(): Promise<{ passed: number; failed: number }> {
  const ava = spawn(process.execPath, ["node_modules/ava/entrypoints/cli.js", "--tap", ...files], {
    env: { ...process.env, MONGODB_URL: url },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<number>((done) => ava.once("exit", (code) => done(code ?? 1)));
  const count = { passed: 0, failed: 0 };
  for await (const line of createInterface({ input: ava.stdout })) {
    if (/^ok /.test(line)) count.passed += 1;
    if (/^not ok /.test(line)) count.failed += 1;
    if (!/^(TAP|1\.\.|# (tests|pass|fail)|\s*$)/.test(line)) process.stdout.write(`${line}\n`);
  }
  const isBroken = (await ended) !== 0 && count.failed === 0;
  return isBroken ? { ...count, failed: 1 } : count;
}
