import { type Job, UnrecoverableError, Worker } from "bullmq";
import { pino } from "pino";
import { hashPassword } from "../../../api/access/login/passwords.ts";
import { openApi } from "../../../api/process.ts";
import { apiSettings } from "../../../api/settings.ts";
import { openWorkerRedis, prefixOf } from "../../../queues/redis.ts";
import { apiUsers, tenants } from "../../../records/kinds/tenants.ts";
import { readEnvironment } from "../../../schemas/environment.ts";
import { apiUserKey, chunkKey, storeKey, tenantKey } from "../../../schemas/keys.ts";
import { eventually } from "../../harness/eventually.ts";
import { PATIENT_MS } from "../../harness/patience.ts";
import { JWT_SECRET, LABEL_SERVER_SECRET } from "../../harness/served.ts";
import type { ASystem } from "../../harness/system.ts";

export const BASE_PATH = "/shelfwire";
/** Another site. */
export const FOREIGN = "http://elsewhere.example";
/** The operator's credentials. */
export const asOperator = { name: "operator", password: "correct horse battery staple" };
const STORE = storeKey("demo", "main");

/** A web process without other processes, with an operator, and a worker that fails every job until it is healed. */
export function webProcessOn(own: ASystem) {
  const lines: Record<string, unknown>[] = [];
  const isHealed = new Set<string>();
  const opened: { close(): unknown }[] = [];
  const jobOf = (id: string): Promise<Job | undefined> => own.system.publisher.queue("item").getJob(id);
  const stateIs = (id: string, state: string) =>
    eventually(`${id} is ${state}`, async () => (await (await jobOf(id))?.getState()) === state);

  function openFailingWorker(): void {
    const redis = openWorkerRedis({ REDIS_URL: own.databases.redis.url });
    const work = async ({ id = "" }: Job) => {
      if (!isHealed.has(id)) throw new UnrecoverableError("the shelf is on fire");
    };
    opened.push({ close: () => redis.disconnect() });
    opened.push(new Worker("item", work, { connection: redis, prefix: prefixOf("item") }));
  }

  return {
    /** Opens the process; returns its origin. */
    async open(): Promise<string> {
      const log = pino({ level: "error" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
      const api = await openApi({ ...settingsOf(own), PORT: 0 }, log, PATIENT_MS);
      opened.push(api);
      const origin = `http://127.0.0.1:${api.port}`;
      await eventually("the API has reached Redis", async () =>
        (await (await fetch(`${origin}/readyz`)).text()).includes('"redis":"ready"'),
      );
      await addOperator(own);
      openFailingWorker();
      return origin;
    },
    async close(): Promise<void> {
      for (const part of opened.toReversed()) await part.close();
    },
    /** The ids of the jobs that no longer fail. */
    isHealed,
    /** Makes a chunk's job fail, and returns its id. */
    async failedJob(number: number): Promise<string> {
      const key = chunkKey(STORE, number, 0);
      const id = `${key}~0`;
      const data = { key, store: STORE, number, index: 0, ordered: true, size: 1000 };
      await own.system.publisher.enqueue("item", [{ name: "patch-items", data, urgency: "bulk", id }]);
      await stateIs(id, "failed");
      return id;
    },
    jobOf,
    stateIs,
    /** Returns the log lines about actions on a job. */
    actionsOn: (job: string) =>
      lines
        .filter((line) => line.audit && line.job === job)
        .map(({ caller, tenant, action, queue, status }) => ({ caller, tenant, action, queue, status })),
  };
}

const settingsOf = ({ databases }: ASystem) =>
  readEnvironment(apiSettings, [], {
    REDIS_URL: databases.redis.url,
    MONGODB_URL: databases.mongoUrl,
    MONGODB_DATABASE: databases.database,
    LISTEN_HOST: "127.0.0.1",
    ADDRESS_RATE_LIMIT: "0",
    BASE_PATH,
    JWT_SECRET,
    LABEL_SERVER_SECRET,
  });

async function addOperator({ system }: ASystem): Promise<void> {
  await system.commit.change(tenants, [tenantKey("demo")], () => ({ name: "Demo" }), "bulk");
  const password = await hashPassword(asOperator.password);
  const user = { name: asOperator.name, tenant: "demo", stores: "*" as const, scope: "ops ops:write", password };
  await system.commit.change(apiUsers, [apiUserKey(user.name)], () => user, "bulk");
}
