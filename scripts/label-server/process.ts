import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import Koa from "koa";
import { endWhereRefused } from "../../runtime/end-where-refused.ts";
import { openLog } from "../../runtime/log.ts";
import { readSettings } from "../../runtime/read-settings.ts";
import { closeOnSignal } from "../../runtime/shutdown.ts";
import { takeNoArguments } from "../../runtime/take-no-arguments.ts";
import { keepGlass } from "./glass-file.ts";
import { createLabels } from "./labels.ts";
import { createReporter } from "./reporter.ts";
import { labelServerRoutes } from "./routes.ts";

const HOUR_MS = 3_600_000;
/** Each label checks in once an hour, a sixtieth of them each minute. */
const CHECK_INS_PER_HOUR = 60;

/** Runs an emulated label server with its labels. It listens on `port` and reports to `reportUrl`. */
export async function openLabelServer(options: {
  port: number;
  /** Address to listen at; every address if absent. */
  host?: string | undefined;
  secret: string;
  reportUrl: string;
  airTimeMs: number;
  /** File that stores what the labels show between runs. */
  glassFile?: string | undefined;
}) {
  const { port, host, secret, reportUrl, airTimeMs, glassFile } = options;
  const bootId = randomUUID();
  const reporter = createReporter(reportUrl, secret, bootId, () => glass.store());
  const labels = createLabels({ airTimeMs, report: reporter.report, now: () => new Date() });
  const glass = keepGlass(labels, glassFile);
  const checkingIn = setInterval(() => labels.checkIn(CHECK_INS_PER_HOUR), HOUR_MS / CHECK_INS_PER_HOUR);
  const app = new Koa();
  app.silent = true;
  app.use(labelServerRoutes({ labels, secret, bootId, waitingReports: reporter.waiting }).routes());
  const server = createServer(app.callback());
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen({ port, host }, resolve));
  return {
    port: (server.address() as { port: number }).port,
    labels,
    async close() {
      clearInterval(checkingIn);
      reporter.stop();
      glass.store();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** `npm run label-server`: runs until a signal ends it. */
async function runLabelServer(): Promise<void> {
  const settings = readSettings([
    "EMULATOR_PORT",
    "LISTEN_HOST",
    "EMULATOR_AIR_TIME",
    "LABEL_SERVER_SECRET",
    "EMULATOR_REPORTS_TO",
    "EMULATOR_FILE",
    "LOG_LEVEL",
  ]);
  const log = openLog("label-server", settings.LOG_LEVEL);
  const labelServer = await openLabelServer({
    port: settings.EMULATOR_PORT ?? 8081,
    host: settings.LISTEN_HOST,
    secret: settings.LABEL_SERVER_SECRET,
    reportUrl: `${settings.EMULATOR_REPORTS_TO ?? "http://127.0.0.1:8080"}/label-server/v1/reports`,
    airTimeMs: settings.EMULATOR_AIR_TIME,
    glassFile: settings.EMULATOR_FILE,
  }).catch(endWhereRefused("EMULATOR_PORT"));
  closeOnSignal(labelServer.close, log);
}

if (import.meta.main) {
  takeNoArguments("npm run label-server", "Run an emulated label server with its labels");
  await runLabelServer();
}
