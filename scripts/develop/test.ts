import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { allKinds } from "../../records/all-kinds.ts";
import { indexesOf } from "../../records/indexes.ts";
import { readSettings } from "../../runtime/read-settings.ts";
import { ensureRedisServer } from "../prepare/redis.mjs";
import { onFreePort } from "../start/ports.ts";
import { LONG_RUN_JAVA, SHORT_RUN_JAVA, startMongo } from "../start/servers.ts";
import { runChecks } from "./check.ts";
import { readCommandLine } from "./command-line.ts";
import { faultsOf, readQueryList, readRecorded } from "./queries/query-list.ts";
import { RECORDED_QUERIES } from "./queries/recorded-queries.ts";
import { changedSince, reachedTests, readRepository } from "./test/changed-tests.ts";
import { filesWithTitles, titlesAt } from "./test/earlier-tests.ts";
import { endReport } from "./test/failure-report.ts";
import { announcement, createProgress } from "./test/progress.ts";
import { createTapReader, type FileResult } from "./test/tap.ts";

/**
 * `npm test` runs the checks of the code and every test (or the named files), with a Redis for each file and one MongoDB: the
 * one at MONGODB_URL, or one started here without stored data. `--changed` runs the tests that changes since HEAD can affect,
 * and `--changed=REVISION` those that changes since that revision can affect. `--known=REVISION` runs the checks and the files
 * whose tests existed at that revision, so that their durations can be compared. Ends with the full reports of all failures and
 * one line of totals. A query that no index serves, or that is not in the list of queries, is a failure. Prints an estimate of
 * the duration at the start, and its progress from time to time. Nothing is run a second time, here or in CI. Searches try a
 * sample of their cases, the same in each run; `--thorough` tries all.
 */
const {
  arguments: files,
  options: { changed: revision, known, thorough = false },
} = readCommandLine(
  "npm test --",
  {
    arguments: ["FILE..."],
    means: "run the checks of the code and all tests, or only the named files",
    options: {
      changed: {
        takes: "REVISION",
        means: "run the tests that are affected by changes since this revision, or since HEAD",
      },
      known: { takes: "REVISION", means: "run the checks and the test files that existed in this revision" },
      thorough: { means: "try all cases of each search, instead of a sample" },
    },
  },
  process.argv.slice(2).map((word) => (word === "--changed" ? "--changed=HEAD" : word)),
);
const named = namedFiles();
/** Node's compile cache, shared by the threads of test files and the processes that tests start. */
const COMPILE_CACHE = resolve("node_modules/.cache/compiled");
/**
 * For the threads of test files, which run side by side. Functions are optimised later, since few are called often enough to
 * make it worthwhile. Garbage collections are fewer, few of them cover the whole heap, and none uses helper threads. These
 * flags are set when the process starts, because V8 aborts a process whose garbage collector loses its helper threads while it
 * marks.
 */
const V8_FLAGS = [
  "--invocation-count-for-maglev=2000",
  "--invocation-count-for-turbofan=15000",
  "--single-threaded-gc",
  "--min-semi-space-size=16",
  "--max-semi-space-size=32",
  "--initial-heap-size=256",
];
const { DATA_DIR, MONGODB_URL } = readSettings(["DATA_DIR"], ["MONGODB_URL"]);
/** Files whose tests open pages. */
const BROWSER_TESTS = /^test\/api\/(dashboard|pages)\//;
const dataFolder = resolve(DATA_DIR);
await mkdir(dataFolder, { recursive: true });
await rm(RECORDED_QUERIES, { force: true });
// Runs alongside the rest: most of its time is spent waiting for downloads, servers and timers.
const checking = named.length > 0 && !revision && !known ? { passed: 0, failed: 0 } : runChecks();
// Obtained once, before several test files look for them at the same time.
ensureRedisServer();
const browser = named.length === 0 || named.some((file) => BROWSER_TESTS.test(file)) ? obtainBrowser() : undefined;
const mongo = MONGODB_URL
  ? undefined
  : await onFreePort((port) =>
      startMongo(port, dataFolder, undefined, named.length > 0 ? SHORT_RUN_JAVA : LONG_RUN_JAVA),
    );
const url = MONGODB_URL ?? mongo?.url ?? "";
if (!thorough) say("# searches try a sample of their cases; --thorough tries all");
say(`# records: ${mongo?.description ?? "MongoDB of MONGODB_URL"}`);
if (revision) say(named.length > 0 ? `# reached by the change:\n${named.join("\n")}` : "# the change reaches no test");
await browser;
const results = revision && named.length === 0 ? new Map<string, FileResult>() : await runTests();
const checks = await checking;
await mongo?.stop();

const queryFaults = faultsOf(readRecorded(), readQueryList(), indexesOf(await allKinds()));
const reports = [...results].flatMap(([file, result]) =>
  result.failures.map((report) => endReport(file, report, thorough ? ["--thorough"] : [])),
);
const failures = [...reports, ...queryFaults];
for (const failure of failures) say(`# failed\n${failure}`);
const failed = checks.failed + failures.length;
const passed = [...results.values()].reduce((sum, result) => sum + result.passed, checks.passed);
say(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

function namedFiles(): readonly string[] {
  if (revision) return reachedTests(changedSince(revision), readRepository());
  if (known === undefined) return files;
  const tests = [...readRepository()].filter(([file]) => /^test\/.*\.test\.ts$/.test(file));
  return filesWithTitles(new Map(tests), titlesAt(known));
}

/** Unpacks the page tests' browser in its own process, since all of its steps block. */
function obtainBrowser(): Promise<unknown> {
  const unpacking = spawn(process.execPath, ["scripts/develop/browser/obtain-chromium.ts"], { stdio: "inherit" });
  return once(unpacking, "exit");
}

/** Runs AVA. An aborted run counts as a failure. */
async function runTests(): Promise<ReadonlyMap<string, FileResult>> {
  const ava = spawn(process.execPath, [...V8_FLAGS, "scripts/develop/test/ava.mjs", "--tap", ...named], {
    env: {
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      ...process.env,
      MONGODB_URL: url,
      ...(thorough && { TEST_EFFORT: "thorough" }),
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<number>((done) => ava.once("exit", (code) => done(code ?? 1)));
  const tap = createTapReader(fileOf);
  const count = named.length > 0 ? named.length : globSync("test/**/*.test.ts").length;
  const progress = createProgress(count);
  say(announcement(count, availableParallelism(), named.length === 0));
  let isWhole = false;
  for await (const line of createInterface({ input: ava.stdout })) {
    isWhole ||= /^1\.\.\d+$/.test(line);
    const shown = tap.read(line);
    if (shown !== undefined) say(shown);
    const far = progress(tap.filesSoFar());
    if (far !== undefined) say(far);
  }
  const code = await ended;
  const read = tap.end();
  const isBroken = !isWhole || (code !== 0 && [...read.values()].every((result) => result.failures.length === 0));
  if (!isBroken) return read;
  const how = isWhole ? "although no test failed" : "before it had run every file";
  const { passed = 0, failures = [] } = read.get("") ?? {};
  return new Map([...read, ["", { passed, failures: [...failures, `AVA ended with code ${code}, ${how}`] }]]);
}

/** Returns the file of a test. In a run of several files, its title begins with the file's path below `test`. */
function fileOf(title: string): string {
  const words = title.split(" › ");
  const paths = words.map((_, index) => `test/${words.slice(0, index + 1).join("/")}.test.ts`);
  return paths.find((path) => existsSync(path)) ?? (named.length === 1 ? (named[0] ?? "") : "");
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
