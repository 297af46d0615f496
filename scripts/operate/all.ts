import { openApi } from "../../api/process.ts";
import { apiSettings } from "../../api/settings.ts";
import { checkDatabases } from "../../queues/check-databases.ts";
import { endInNewEpoch } from "../../queues/end-after-restore.ts";
import { reportProcess } from "../../queues/metrics/report-process.ts";
import { processNames } from "../../queues/topology.ts";
import { openTracing } from "../../queues/tracing/open-tracing.ts";
import { openShared, openWorker, workerSettings } from "../../queues/worker/open-worker.ts";
import { endWhereRefused } from "../../runtime/end-where-refused.ts";
import { openLog } from "../../runtime/log.ts";
import { logStart } from "../../runtime/log-start.ts";
import { readSettings } from "../../runtime/read-settings.ts";
import { closeOnSignal } from "../../runtime/shutdown.ts";
import { takeNoArguments } from "../../runtime/take-no-arguments.ts";
import { workerBuilds } from "./worker-builds.ts";

/**
 * Runs the API and every worker in one process, for small shops (docs/operations/install.md#one-process-for-everything). The
 * workers share their connections.
 */
takeNoArguments("npm run all", "Run the API and every worker in one process");
const builds = await Promise.all(processNames.map(async (name) => ({ name, ...(await workerBuilds[name]()) })));
const names = [...apiSettings, ...workerSettings, "NODE_ENV" as const, ...builds.flatMap((build) => build.names)];
const settings = readSettings([...new Set(names)]);
const log = openLog("all", settings.LOG_LEVEL);
logStart(log, [...new Set(names)]);

const tracing = await openTracing(settings, "all");
const shared = await Promise.try(openShared, settings, log, tracing).catch(endWhereRefused("MONGODB_URL"));
const reporter = reportProcess(shared.system, "all");
const workers = await Promise.all(
  builds.map(({ name, build }) =>
    openWorker(name, settings, log.child({ worker: name }), (system) => build(system, settings), shared),
  ),
).catch(endWhereRefused("PUSH_PORT"));
const api = await openApi(settings, log).catch(endWhereRefused("PORT"));
endInNewEpoch({ ...api.system, log });
checkDatabases({ ...api.system, log }, settings);
closeOnSignal(async () => {
  await Promise.all([api.close(), ...workers.map((worker) => worker.close())]);
  await reporter.stop();
  await shared.close();
}, log);
