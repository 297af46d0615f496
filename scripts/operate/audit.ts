import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { auditKey } from "../../queues/changes/audit-key.ts";
import { readSettings } from "../../queues/read-settings.ts";
import { openSystem, systemSettings } from "../../queues/system.ts";
import { processNames } from "../../queues/topology.ts";
import { openLog } from "../../queues/tracing/log.ts";
import { walks } from "../../records/kinds/walk.ts";
import { storeKey } from "../../schemas/keys.ts";
import { runningStores } from "../start/running.ts";
import { beginAudits } from "./archive/begin-audits.ts";

/**
 * Has the workers audit one store now and prints the counts; the workers enqueue what is stale. Uses the database of
 * the environment, else of the instance that runs on DATA_DIR.
 */
const { values } = parseArgs({
  options: { tenant: { type: "string", default: "demo" }, store: { type: "string", default: "main" } },
});
const POLL_INTERVAL_MS = 200;
const { DATA_DIR } = readSettings(["DATA_DIR"]);
const settings = readSettings(systemSettings, [], { ...runningStores(DATA_DIR), ...process.env });
const system = openSystem(settings, openLog("audit", "warn"), 20_000);
const store = storeKey(values.tenant, values.store);
await beginAudits(system, store, "by hand");
for (const queue of processNames) {
  const key = auditKey(queue, store);
  let walk = (await system.records.read(walks, [key])).get(key);
  while (walk?.finishedAt === undefined) {
    await setTimeout(POLL_INTERVAL_MS);
    walk = (await system.records.read(walks, [key])).get(key);
  }
  process.stdout.write(`${queue.padEnd(12)} ${walk.checked} records checked, ${walk.stale} were stale\n`);
}
await system.close();
