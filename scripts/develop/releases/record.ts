import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { pino } from "pino";
import { openSystem, type System, systemSettings } from "../../../queues/system.ts";
import { type ProcessName, processNames, queuesOf } from "../../../queues/topology.ts";
import { allKinds } from "../../../records/all-kinds.ts";
import { readSettings } from "../../../runtime/read-settings.ts";
import { readEnvironment } from "../../../schemas/environment.ts";
import { freePort, onFreePort } from "../../start/ports.ts";
import { startMongo, startRedis } from "../../start/servers.ts";
import { readCommandLine } from "../command-line.ts";
import { callsWith } from "./calls.ts";
import { readStored, writeRecording } from "./recording.ts";
import { callsOnceEnded, fillStore, LABEL_SERVER_SECRET, paths } from "./scenario.ts";
import { tagRelease } from "./tag-release.ts";
import { recordingFile, unpackCommit } from "./unpack.ts";

/**
 * `npm run record-release -- VERSION COMMIT` runs the processes of a release once, and stores their responses and their
 * data, including jobs in each queue. Tests continue from there with the current code.
 */
const {
  arguments: [version = "", commit = ""],
} = readCommandLine("npm run record-release --", {
  arguments: ["VERSION", "COMMIT"],
  means: "run the processes of a release once, and record what they store and answer, for tests of upgrades",
  options: {},
});
if (!/^\d+\.\d+\.\d+$/.test(version)) {
  process.stderr.write(`VERSION must be three numbers separated by dots, such as 0.2.0, not "${version}"\n`);
  process.exit(2);
}

const DATABASE = "release";
const SECRET = "a secret of a recording that has 32 characters";
const TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 100;
/**
 * The order in which processes are stopped: from the end of a price's path to its start, so that work for a stopped process
 * waits in its queues.
 */
const endingOrder: readonly ProcessName[] = [
  ...(["notifier", "transmitter", "merger", "renderer", "evaluator", "pages", "link", "item"] as const),
];

const fullCommit = execFileSync("git", ["rev-parse", commit], { encoding: "utf8" }).trim();
const folder = mkdtempSync(join(tmpdir(), "shelfwire-release-"));
const { DATA_DIR } = readSettings(["DATA_DIR"]);
const running = new Map<string, ChildProcess>();
const redis = await onFreePort((port) => startRedis(port));
const mongo = await onFreePort((port) => startMongo(port, DATA_DIR));
const [port, emulatorPort] = [await freePort(), await freePort()];
const origin = `http://127.0.0.1:${port}`;
const environment = {
  PATH: process.env.PATH ?? "",
  NODE_ENV: "production",
  PORT: String(port),
  REDIS_URL: redis.url,
  MONGODB_URL: mongo.url,
  MONGODB_DATABASE: DATABASE,
  JWT_SECRET: SECRET,
  LABEL_SERVER_SECRET,
  LABEL_SERVER_URL: `http://127.0.0.1:${emulatorPort}`,
  EMULATOR_PORT: String(emulatorPort),
  EMULATOR_REPORTS_TO: origin,
  WEBHOOKS_PRIVATE: "127.0.0.1:*",
  LOG_LEVEL: "error",
};
const system = openSystem(readEnvironment(systemSettings, [], environment), pino({ level: "silent" }), TIMEOUT_MS);
try {
  unpackCommit(fullCommit, folder);
  await run("scripts/operate/release.ts");
  await run("--input-type=module", "--eval", seedProgram());
  for (const name of processNames) start(name, `workers/${name}/process.ts`);
  start("label-server", "scripts/label-server/process.ts");
  start("web", "api/process.ts");
  await until("the API is ready", async () => (await fetch(`${origin}/readyz`)).ok);
  const token = (await run("scripts/operate/token.ts")).trim();
  await run(
    "scripts/operate/api-user.ts",
    "add",
    "till-7",
    "--tenant",
    "demo",
    "--stores",
    "main",
    "--scope",
    "items:read",
  );
  const { call, results } = callsWith(origin, token);

  const applied = () => untilQuiet(system, processNames);
  await fillStore(call, applied);
  await applied();
  for (const [index, name] of endingOrder.entries()) {
    await end(name);
    await callsOnceEnded[name]?.(call);
    await untilQuiet(system, endingOrder.slice(index + 1));
  }
  await end("label-server");
  const stored = await readStored(system.db, system.redis);
  start("label-server", "scripts/label-server/process.ts");
  for (const name of processNames) start(name, `workers/${name}/process.ts`);
  await untilQuiet(
    system,
    processNames.filter((name) => name !== "notifier"),
  );
  const answers = await Promise.all([...paths, ...results].map(async (path) => [path, await call("GET", path)]));
  writeRecording({ version, commit: fullCommit, ...stored, answers: Object.fromEntries(answers) });
  const absent = (await allKinds()).map(({ name }) => name).filter((name) => stored.collections[name] === undefined);
  const size = Math.ceil(statSync(recordingFile(version)).size / 1024);
  process.stdout.write(`${recordingFile(version)}: ${size} KiB; no record of ${absent.join(", ") || "no kind"}\n`);
  process.stdout.write(`${fullCommit}: ${tagRelease(version, fullCommit)}\n`);
} finally {
  await Promise.all([...running.keys()].map(end));
  await system.close();
  await Promise.all([redis.stop(), mongo.stop()]);
  rmSync(folder, { recursive: true, force: true });
}

/** Returns the release's own program for the demo tenant, with its processes' settings. */
function seedProgram(): string {
  const settings = { REDIS_URL: redis.url, MONGODB_URL: mongo.url, MONGODB_DATABASE: DATABASE };
  const rest = { RESULT_TTL: 86_400, SWEEP_EVERY: 30, LOG_LEVEL: "error" };
  const given = JSON.stringify({ ...settings, ...rest });
  return `const { seedTenant } = await import("./scripts/demo/seed.ts"); await seedTenant(${given});`;
}

/** Runs a program of the release to its end. Returns its standard output. */
async function run(...args: string[]): Promise<string> {
  return execFileSync(process.execPath, args, { cwd: folder, env: environment, encoding: "utf8" });
}

function start(name: string, entry: string): void {
  running.set(name, spawn(process.execPath, [entry], { cwd: folder, env: environment, stdio: "inherit" }));
}

async function end(name: string): Promise<void> {
  const child = running.get(name);
  running.delete(name);
  if (child === undefined || child.exitCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}

/** Waits until these processes have no jobs and nothing is waiting to be published. */
async function untilQuiet({ db, publisher }: System, names: readonly ProcessName[]): Promise<void> {
  await until(`${names.join(", ")} have nothing to do`, async () => {
    const queues = names.flatMap((name) => queuesOf(name)).map((name) => publisher.queue(name));
    const counts = await Promise.all(queues.map((queue) => queue.getJobCounts("active", "waiting", "prioritized")));
    const isIdle = counts.every((count) => Object.values(count).every((jobs) => jobs === 0));
    return isIdle && (await db.collection("outbox").countDocuments()) === 0;
  });
}

async function until(what: string, look: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  let seen = 0;
  // Twice in a row, because between two queues a change is in neither of them for a moment.
  while (seen < 2) {
    if (performance.now() > deadline) throw new Error(`${what}: still not true`);
    seen = (await look().catch(() => false)) ? seen + 1 : 0;
    await setTimeout(POLL_INTERVAL_MS);
  }
}
