import { endWhereRefused } from "../../runtime/end-where-refused.ts";
import { openLog } from "../../runtime/log.ts";
import { logStart } from "../../runtime/log-start.ts";
import { readSettings } from "../../runtime/read-settings.ts";
import { closeOnSignal } from "../../runtime/shutdown.ts";
import { takeNoArguments } from "../../runtime/take-no-arguments.ts";
import type { Environment, SettingName } from "../../schemas/environment.ts";
import { checkDatabases } from "../check-databases.ts";
import { endInNewEpoch } from "../end-after-restore.ts";
import type { ProcessName } from "../topology.ts";
import { openWorker, type WorkerParts, type WorkerSystem, workerSettings } from "./open-worker.ts";

/** Runs a worker as its own process, until a signal closes it. */
export async function runWorkerProcess<P extends ProcessName, const N extends SettingName>(
  name: P,
  settingNames: readonly N[],
  build: (system: WorkerSystem, settings: Environment<N>) => WorkerParts<P>,
): Promise<void> {
  takeNoArguments(`npm run ${name}`, `Run the worker ${name}`);
  const names = [...workerSettings, "NODE_ENV" as const, ...settingNames];
  const settings = readSettings(names);
  const log = openLog(name, settings.LOG_LEVEL);
  logStart(log, names);
  // The one port that a worker may listen on is the renderer's.
  const worker = await openWorker(name, settings, log, (system) => {
    endInNewEpoch(system);
    checkDatabases(system, settings);
    return build(system, settings as Environment<N>);
  }).catch(endWhereRefused("PUSH_PORT"));
  closeOnSignal(worker.close, log);
}
