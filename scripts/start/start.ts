import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { signToken } from "../../api/access/sign-token.ts";
import { readSettings } from "../../runtime/read-settings.ts";
import { takeNoArguments } from "../../runtime/take-no-arguments.ts";
import { createClient } from "../client.ts";
import { STORE_ID, TENANT_ID } from "../demo/catalogue.ts";
import { seedProducts, seedTenant } from "../demo/seed.ts";
import { lockFolder, unlockFolder } from "./lock-folder.ts";
import { isFree } from "./ports.ts";
import { removeDatabases, saveDatabases } from "./running.ts";
import { obtainSecrets } from "./secrets.ts";
import { type Stack, startStack } from "./stack.ts";

/**
 * Runs all of Shelfwire on this machine, with a demo store (docs/architecture/development.md#embedded-servers). Never for
 * production.
 */
const say = (text: string) => process.stdout.write(`${text}\n`);
const refuse = (text: string): never => {
  process.stderr.write(`${text}\n`);
  process.exit(1);
};

takeNoArguments("npm start", "Run all of Shelfwire on this machine with a demo store, for development");
const settings = readSettings(
  [
    "NODE_ENV",
    "PORT",
    "LISTEN_HOST",
    "EMULATOR_PORT",
    "DATA_DIR",
    "MONGODB_DATABASE",
    "JWT_ISSUER",
    "JWT_AUDIENCE",
    "RESULT_TTL",
    "SWEEP_EVERY",
    "WORKER_PROCESSES",
    "LOG_LEVEL",
  ],
  ["REDIS_URL", "MONGODB_URL"],
);
if (settings.NODE_ENV === "production")
  refuse("npm start is for development: in production, run the processes in the Procfile.");
const dataFolder = resolve(settings.DATA_DIR);
const emulatorPort = settings.EMULATOR_PORT ?? settings.PORT + 1;
mkdirSync(dataFolder, { recursive: true });
if (!(await isFree(settings.PORT))) refuse(`Port ${settings.PORT} is in use: set PORT to another one.`);
if (!(await isFree(emulatorPort))) refuse(`Port ${emulatorPort} is in use: set EMULATOR_PORT to another one.`);
const holder = lockFolder(dataFolder);
if (holder !== undefined) refuse(`${dataFolder} is in use by the process ${holder}: set DATA_DIR to another folder.`);

const secrets = obtainSecrets(dataFolder);
let stack: Stack | undefined;
let stopping: Promise<never> | undefined;
const stop = (code: number) => {
  stopping ??= (async () => {
    await stack?.stop();
    removeDatabases(dataFolder);
    unlockFolder(dataFolder);
    process.exit(code);
  })();
  return stopping;
};
const end = (error: Error) => {
  process.stderr.write(`${error.message}\n`);
  return stop(1);
};
// Ctrl-C arrives twice: a terminal sends it to every process in npm's group, and scripts/run.mjs passes it on as well.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    if (stopping === undefined) say("stopping ...");
    void stop(0);
  });
}

try {
  stack = await startStack({
    dataFolder,
    port: settings.PORT,
    emulatorPort,
    host: settings.LISTEN_HOST,
    redisUrl: settings.REDIS_URL,
    mongoUrl: settings.MONGODB_URL,
    database: settings.MONGODB_DATABASE,
    isKept: true,
    workerProcesses: settings.WORKER_PROCESSES,
    secrets,
    log: say,
  });
  void stack.broken.then(end);
  saveDatabases(dataFolder, { REDIS_URL: stack.redis.url, MONGODB_URL: stack.mongo.url });
  say(`${stack.redis.description}; ${stack.mongo.description}`);
  await seedTenant({ ...settings, REDIS_URL: stack.redis.url, MONGODB_URL: stack.mongo.url });
  const order = {
    secret: secrets.jwt,
    issuer: settings.JWT_ISSUER,
    audience: settings.JWT_AUDIENCE,
    tenant: TENANT_ID,
  };
  const token = await signToken({ ...order, lifetime: "30d", stores: "*", scope: "*" });
  await seedProducts(createClient({ origin: stack.origin, tenantId: TENANT_ID, storeId: STORE_ID, token }));
  say(`ready
  store  ${stack.origin}/t/${TENANT_ID}/s/${STORE_ID}/api/public/core/v1
  shelf  ${stack.emulator}/
  pages  ${stack.origin}/
  queues ${stack.origin}/dashboard
  token  ${token}`);
} catch (error) {
  await end(error as Error);
}
