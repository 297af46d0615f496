import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { watch } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import test, { type ExecutionContext } from "ava";
import { freePort } from "../../../scripts/start/ports.ts";
import { startStack } from "../../../scripts/start/stack.ts";
import { type Databases, openDatabases } from "../../harness/databases/databases.ts";
import "../../harness/processes/ping-patiently.ts";

const PATIENTLY = new URL("../../harness/processes/ping-patiently.ts", import.meta.url).href;

let databases: Databases;
test.before(async () => {
  databases = await openDatabases();
});
test.after.always(() => databases.stop());

function makeFolder(t: ExecutionContext): string {
  const folder = mkdtempSync(join(tmpdir(), "port-taken-"));
  t.teardown(() => rmSync(folder, { recursive: true }));
  return folder;
}

/**
 * Listens on a port until the test ends; without an argument the system assigns the port, since another thread's
 * process may briefly hold a port that was found free.
 */
async function take(t: ExecutionContext, port = 0): Promise<number> {
  const server = createServer().listen(port);
  t.teardown(() => server.close());
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** Waits until a file is created in a folder, or until the signal. */
async function untilMade(folder: string, name: string, signal: AbortSignal): Promise<void> {
  for await (const { filename } of watch(folder, { signal })) if (filename === name) return;
}

const environment = () => ({
  ...process.env,
  REDIS_URL: databases.redis.url,
  MONGODB_URL: databases.mongoUrl,
  MONGODB_DATABASE: databases.database,
  JWT_SECRET: "a secret for tests that has its 32 characters",
  LABEL_SERVER_SECRET: "a secret for label servers",
  LOG_LEVEL: "silent",
});

for (const [entry, setting, more] of [
  ["api/process.ts", "PORT", {}],
  ["scripts/label-server/process.ts", "EMULATOR_PORT", {}],
  ["workers/renderer/process.ts", "PUSH_PORT", { PUSH_SECRET: `whsec_${"A".repeat(32)}` }],
] as const) {
  test(`a process whose port is in use names the port and its setting in one line, and ends: ${entry}`, async (t) => {
    const port = await take(t);
    const child = spawn(process.execPath, [entry], {
      env: { ...environment(), ...more, [setting]: String(port) },
      stdio: ["ignore", "ignore", "pipe"],
    });
    const ended = once(child, "exit");
    t.is(await text(child.stderr), `Port ${port} is in use: set ${setting} to another one.\n`);
    t.deepEqual(await ended, [98, null]);
  });
}

test("a stack whose label server's port is in use stops instead of restarting the label server repeatedly", async (t) => {
  const log: string[] = [];
  const stack = startStack({
    dataFolder: makeFolder(t),
    port: await freePort(),
    emulatorPort: await take(t),
    redisUrl: databases.redis.url,
    mongoUrl: databases.mongoUrl,
    database: databases.database,
    isKept: false,
    workerProcesses: 0,
    secrets: { jwt: environment().JWT_SECRET, labelServer: environment().LABEL_SERVER_SECRET },
    environment: { LOG_LEVEL: "silent" },
    log: (line) => log.push(line),
    output: () => {},
  });
  await t.throwsAsync(stack, { message: "label-server cannot listen: its port is in use" });
  t.deepEqual(log, []);
});

/** Starts the product, and takes its port after it has found the port free and before its API listens. */
async function startTooLate(t: ExecutionContext) {
  for (;;) {
    const folder = makeFolder(t);
    const port = await freePort();
    // Watched from the start, since the API listens soon after its ports have been checked.
    const ending = new AbortController();
    const looked = untilMade(folder, "lock", ending.signal).catch(() => {});
    const child = spawn(process.execPath, ["--import", PATIENTLY, "scripts/start/start.ts"], {
      env: { ...environment(), DATA_DIR: folder, PORT: String(port), EMULATOR_PORT: String(await freePort()) },
      stdio: ["ignore", "ignore", "pipe"],
    });
    const ended = once(child, "exit");
    const told = text(child.stderr);
    await Promise.race([looked, ended]);
    ending.abort();
    const isTaken = await take(t, port).then(
      () => true,
      () => false,
    );
    if (isTaken) return { folder, port, ended, told };
    // The API was faster, so there is nothing to see.
    child.kill("SIGTERM");
    await ended;
  }
}

test("npm start exits with 1 if a free port is taken in the meantime, and says what to change", async (t) => {
  const { folder, port, ended, told } = await startTooLate(t);
  t.deepEqual(await ended, [1, null]);
  t.true((await told).includes(`Port ${port} is in use: set PORT to another one.\n`), await told);
  t.false(existsSync(join(folder, "lock")));
});
