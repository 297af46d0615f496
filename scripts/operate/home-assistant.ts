import { openLog } from "../../runtime/log.ts";
import { readSettings } from "../../runtime/read-settings.ts";
import { command, countOf } from "./admin/command.ts";
import { helpOption, type Program } from "./admin/parse-call.ts";
import { runCommandLine } from "./admin/run-command-line.ts";
import { openStore, readPassword, storeOptions } from "./connect/open-store.ts";
import { topicsOf } from "./home-assistant/discovery.ts";
import { runBridge } from "./home-assistant/run-bridge.ts";

const SECOND_MS = 1_000;

const showLabels = command({
  name: "",
  arguments: [],
  means: "show a store's labels as Home Assistant devices, through an MQTT broker",
  options: {
    broker: { takes: "URL", initial: "mqtt://127.0.0.1:1883", means: "URL of the broker" },
    "broker-user": { takes: "USER", means: "user of the broker" },
    "broker-password-file": { takes: "FILE", means: "file with the password of --broker-user" },
    discovery: { takes: "PREFIX", initial: "homeassistant", means: "discovery prefix, as set in Home Assistant" },
    prefix: { takes: "PREFIX", initial: "shelfwire-labels", means: "prefix of the labels' topics" },
    "allow-prices": { means: "let Home Assistant set the prices of items" },
    location: { takes: "LOCATION", means: "only labels at this location (plLocation)" },
    most: { takes: "COUNT", initial: "500", means: "maximum number of labels that become devices" },
    "refresh-every": { takes: "SECONDS", initial: "3600", means: "interval at which all labels are read again" },
    ...storeOptions,
  },
  async run({ options }) {
    const { tenant, store, discovery, prefix, broker: url, location, "broker-user": username } = options;
    const setsPrices = options["allow-prices"];
    const passwordFile = options["broker-password-file"];
    const scope = `items:read labels:read${setsPrices ? " items:write" : ""}`;
    await runBridge({
      store: await openStore(options, { name: "home-assistant", scope }),
      broker: { url, username, password: passwordFile && (await readPassword(passwordFile)) },
      clientId: `shelfwire-home-assistant-${tenant}-${store}`,
      topics: topicsOf({ discovery, prefix, tenant, store }),
      ...{ setsPrices, location, mostLabels: countOf("--most", options.most) },
      refreshMs: countOf("--refresh-every", options["refresh-every"]) * SECOND_MS,
      log: openLog("home-assistant", readSettings(["LOG_LEVEL"]).LOG_LEVEL),
    });
    return { lines: ["the tail of labels has ended"], data: {}, hasFailed: true };
  },
});

/** `npm run home-assistant`. */
export const program: Program = { call: "npm run home-assistant --", commands: [showLabels], common: helpOption };
if (import.meta.main) process.exitCode = await runCommandLine(process.argv.slice(2), program);
