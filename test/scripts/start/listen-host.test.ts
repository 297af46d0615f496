import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type ExecutionContext } from "ava";
import { freePort } from "../../../scripts/start/ports.ts";
import { startStack } from "../../../scripts/start/stack.ts";
import { type Databases, openDatabases } from "../../harness/databases/databases.ts";
import "../../harness/processes/ping-patiently.ts";

let databases: Databases;
test.before(async () => {
  databases = await openDatabases();
});
test.after.always(() => databases.stop());

/** Starts what `npm start` starts, except workers; returns the ports of the API and of the emulated label server. */
async function start(t: ExecutionContext, host?: string): Promise<number[]> {
  const dataFolder = mkdtempSync(join(tmpdir(), "listen-"));
  const [port, emulatorPort] = [await freePort(), await freePort()];
  const stack = await startStack({
    dataFolder,
    port,
    emulatorPort,
    host,
    redisUrl: databases.redis.url,
    mongoUrl: databases.mongoUrl,
    database: databases.database,
    isKept: false,
    workerProcesses: 0,
    secrets: { jwt: "a secret for tests that has its 32 characters", labelServer: "a secret for label servers" },
    environment: { LOG_LEVEL: "silent" },
    log: () => {},
    output: () => {},
  });
  t.teardown(async () => {
    await stack.stop();
    rmSync(dataFolder, { recursive: true });
  });
  return [port, emulatorPort];
}

/** Whether a server responds on an address of this machine other than 127.0.0.1. */
const isOpen = (port: number) =>
  fetch(`http://127.0.0.2:${port}/`).then(
    () => true,
    () => false,
  );

test("npm start listens only on 127.0.0.1", async (t) => {
  for (const port of await start(t)) t.false(await isOpen(port));
});

test("npm start listens on the address in LISTEN_HOST", async (t) => {
  for (const port of await start(t, "0.0.0.0")) t.true(await isOpen(port));
});
