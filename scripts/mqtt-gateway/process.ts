import { openLog } from "../../runtime/log.ts";
import { readSettings } from "../../runtime/read-settings.ts";
import { closeOnSignal } from "../../runtime/shutdown.ts";
import { readCommandLine } from "../develop/command-line.ts";
import { readScenarioOrEnd } from "../label-server/scenario/read-scenario.ts";
import type { Scenario } from "../label-server/scenario/scenario.ts";
import { openGateway } from "./gateway.ts";

const SUMMARY_INTERVAL_MS = 5_000;

const { options } = readCommandLine("npm run mqtt-gateway --", {
  arguments: [],
  means: "run an emulated gateway of a store, with its labels, behind an MQTT broker",
  options: {
    broker: { takes: "URL", initial: "mqtt://127.0.0.1:1883", means: "URL of the broker" },
    user: { takes: "USER", initial: "gateway", means: "user of the broker" },
    password: { takes: "PASSWORD", initial: "", means: "its password" },
    prefix: {
      takes: "PREFIX",
      initial: "shelfwire",
      means: "prefix of the topics, as in the label server's record",
    },
    store: { takes: "STORE", initial: "t/demo/s/main", means: "key of its store" },
    "air-time": { takes: "MS", initial: "200", means: "milliseconds until a picture is on a label" },
    loss: { takes: "SHARE", initial: "0", means: "share of messages and reports that it forgets, from 0 to 1" },
    duplicates: { takes: "SHARE", initial: "0", means: "share of messages and reports that arrive twice, from 0 to 1" },
    seed: { takes: "SEED", initial: "1", means: "seed for random events" },
    scenario: {
      takes: "FILE",
      means: "scenario with other faults, as for an emulated label server; replaces the last three",
    },
  },
});

function ownScenario(): Scenario {
  const way = { loss: Number(options.loss), duplicates: Number(options.duplicates) };
  return { seed: Number(options.seed), calls: way, reports: way };
}

const log = openLog("mqtt-gateway", readSettings(["LOG_LEVEL"]).LOG_LEVEL);
const { broker, user, password, prefix, store } = options;
const gateway = openGateway({
  ...{ url: broker, user, password, prefix, store, airTimeMs: Number(options["air-time"]) },
  scenario: options.scenario === undefined ? ownScenario() : await readScenarioOrEnd(options.scenario),
});
log.info({ broker, store }, "the gateway connects to its broker");
const summary = setInterval(
  () => log.info({ ...gateway.labels.totals(), waitingReports: gateway.waitingReports() }, "labels"),
  SUMMARY_INTERVAL_MS,
);
closeOnSignal(async () => {
  clearInterval(summary);
  await gateway.close();
}, log);
