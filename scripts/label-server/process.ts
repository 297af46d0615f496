import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { setTimeout } from "node:timers/promises";
import Koa from "koa";
import { endWhereRefused } from "../../runtime/end-where-refused.ts";
import { openLog } from "../../runtime/log.ts";
import { readSettings } from "../../runtime/read-settings.ts";
import { closeOnSignal } from "../../runtime/shutdown.ts";
import { readCommandLine } from "../develop/command-line.ts";
import { keepGlass } from "./glass-file.ts";
import { createReporter } from "./reporter.ts";
import { labelServerRoutes } from "./routes.ts";
import { type Observer, openLivingLabels } from "./scenario/living-labels.ts";
import { readScenarioOrEnd } from "./scenario/read-scenario.ts";
import type { Restart, Scenario } from "./scenario/scenario.ts";

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
/** Each label checks in once an hour, a sixtieth of the labels each minute. */
const CHECK_INS_PER_HOUR = 60;
/** Node's default of five seconds closes connections that a caller on a busy machine is about to use again. */
const KEEP_ALIVE_MS = 65_000;

interface LabelServerOptions extends Observer {
  port: number;
  /** Address to listen on. If absent, every address. */
  host?: string | undefined;
  secret: string;
  reportUrl: string;
  airTimeMs: number;
  /** File that keeps what the labels show between runs. */
  glassFile?: string | undefined;
  /** What goes wrong, and how the labels behave. If absent, nothing goes wrong. */
  scenario?: Scenario | undefined;
}

const reliable: Scenario = { seed: 0 };

/** Runs an emulated label server with its labels. It listens on `port` and reports to `reportUrl`. */
export async function openLabelServer(options: LabelServerOptions) {
  const { port, host, secret, reportUrl, glassFile, scenario = reliable } = options;
  let bootId = randomUUID();
  let isAway = false;
  const reporter = createReporter(
    reportUrl,
    secret,
    () => bootId,
    () => glass.store(),
  );
  const living = openLivingLabels({ ...options, scenario, send: reporter.report });
  const { labels } = living;
  const glass = keepGlass(labels, glassFile);
  const checkingIn = setInterval(() => labels.checkIn(CHECK_INS_PER_HOUR), HOUR_MS / CHECK_INS_PER_HOUR);
  const app = new Koa();
  app.silent = true;
  const routes = { labels: living.observed, secret, bootIdOf: () => bootId, waitingReports: reporter.waiting };
  app.use(labelServerRoutes(routes).routes());
  const answer = app.callback();
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    if (isAway) request.socket.destroy();
    else void answer(request, response);
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen({ port, host }, resolve));

  /** Restarts as after a power cut: for a while, it does not respond and reports nothing. */
  async function restart({ forgets, awaySeconds = 0 }: Omit<Restart, "atSeconds">): Promise<void> {
    isAway = true;
    reporter.leave();
    server.closeAllConnections();
    if (forgets) {
      labels.forget();
      reporter.forget();
    }
    bootId = randomUUID();
    await setTimeout(awaySeconds * SECOND_MS, undefined, { ref: false });
    reporter.back();
    isAway = false;
  }

  for (const { atSeconds, ...one } of scenario.restarts ?? [])
    living.after(atSeconds * SECOND_MS, () => void restart(one));
  return {
    port: (server.address() as { port: number }).port,
    labels,
    mishaps: living.mishaps,
    restart,
    async close() {
      living.close();
      clearInterval(checkingIn);
      reporter.stop();
      glass.store();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Runs `npm run label-server` until a signal ends it. */
async function runLabelServer(): Promise<void> {
  const { options } = readCommandLine("npm run label-server --", {
    arguments: [],
    means: "run an emulated label server with its labels; its settings are environment variables (.env.example)",
    options: { scenario: { takes: "FILE", means: "what goes wrong, and how the labels behave" } },
  });
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
    scenario: options.scenario === undefined ? undefined : await readScenarioOrEnd(options.scenario),
  }).catch(endWhereRefused("EMULATOR_PORT"));
  closeOnSignal(labelServer.close, log);
}

if (import.meta.main) await runLabelServer();
