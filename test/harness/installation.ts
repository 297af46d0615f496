import { spawn } from "node:child_process";
import { dirname } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { openApi } from "../../api/process.ts";
import { apiSettings } from "../../api/settings.ts";
import { processNames } from "../../queues/topology.ts";
import { readEnvironment } from "../../schemas/environment.ts";
import { openLabelServer } from "../../scripts/label-server/process.ts";
import { openDatabases } from "./databases/databases.ts";
import { PATIENT_MS, REACH_PATIENTLY } from "./patience.ts";
import { thisThread } from "./threads/host.ts";

/** A new installation: production settings and empty databases, with no tenant. */
export type Installation = Awaited<ReturnType<typeof openInstallation>>;

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const INSTALLATION_SECRET = "the-secret-of-the-installation";
/** The secret of the label server that a tenant can have for itself. */
export const OWN_SECRET = "the-secret-of-the-cooperative";

/** Opens the installation's processes and two label servers; the operator's calls are left to the test. */
export async function openInstallation() {
  const databases = await openDatabases();
  const environment: Record<string, string> = {
    NODE_ENV: "production",
    REDIS_URL: databases.redis.url,
    MONGODB_URL: databases.mongoUrl,
    MONGODB_DATABASE: databases.database,
    JWT_SECRET: "a secret for tests that has its 32 characters",
    LABEL_SERVER_SECRET: INSTALLATION_SECRET,
    LOG_LEVEL: "silent",
  };
  const settings = { ...readEnvironment(apiSettings, [], environment), PORT: 0 };
  const api = await openApi(settings, pino({ level: "silent" }), PATIENT_MS);
  const origin = `http://127.0.0.1:${api.port}`;
  const openOne = (secret: string) =>
    openLabelServer({ port: 0, secret, reportUrl: `${origin}/label-server/v1/reports`, airTimeMs: 0 });
  const labelServers = { installation: await openOne(INSTALLATION_SECRET), own: await openOne(OWN_SECRET) };
  environment.LABEL_SERVER_URL = `http://127.0.0.1:${labelServers.installation.port}`;
  const workers = await Promise.all(processNames.map((name) => thisThread.openWorker(name, environment)));
  return {
    origin,
    labelServers,
    workers,

    /** Runs a shell script as an operator does; returns its standard output, or throws with its standard error if it fails. */
    async run(script: string): Promise<string> {
      const child = spawn("sh", ["-eu"], {
        cwd: ROOT,
        // A machine's own node may be older than the product requires.
        env: {
          PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
          HOME: process.env.HOME,
          NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
          NODE_OPTIONS: `--import=${REACH_PATIENTLY}`,
          ORIGIN: origin,
          ...environment,
        },
        stdio: ["pipe", "pipe", "pipe"],
      });
      child.stdin.end(script);
      const ended = new Promise<number | null>((done) => child.once("exit", done));
      const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
      if ((await ended) !== 0) throw new Error(`${errors}\n${out}`);
      return out;
    },

    async close() {
      await Promise.all(Object.values(labelServers).map((server) => server.close()));
      await api.close();
      await Promise.all(workers.map((worker) => worker.close()));
      await databases.stop();
    },
  };
}
