import { readFile } from "node:fs/promises";
import { connect, type IPublishPacket } from "mqtt";
import { openLog } from "../../runtime/log.ts";
import { readSettings, refuse } from "../../runtime/read-settings.ts";
import { closeOnSignal } from "../../runtime/shutdown.ts";
import { readCommandLine } from "../develop/command-line.ts";
import { countOf } from "./admin/command.ts";
import { openStore, storeOptions } from "./connect/open-store.ts";
import { createBridge } from "./home-assistant/bridge.ts";
import { topicsOf } from "./home-assistant/discovery.ts";

const SECOND_MS = 1_000;

const { options } = readCommandLine("npm run home-assistant --", {
  arguments: [],
  means: "show the labels of a store as devices of Home Assistant, by way of a broker of MQTT",
  options: {
    broker: { takes: "URL", initial: "mqtt://127.0.0.1:1883", means: "URL of the broker" },
    "broker-user": { takes: "USER", means: "user of the broker" },
    "broker-password-file": { takes: "FILE", means: "file with the password of --broker-user" },
    discovery: { takes: "PREFIX", initial: "homeassistant", means: "prefix of discovery, as set in Home Assistant" },
    prefix: { takes: "PREFIX", initial: "shelfwire-labels", means: "beginning of the topics of labels" },
    "allow-prices": { means: "let Home Assistant set the prices of items" },
    location: { takes: "LOCATION", means: "only labels at this location (plLocation)" },
    most: { takes: "COUNT", initial: "500", means: "how many labels become devices at most" },
    "refresh-every": { takes: "SECONDS", initial: "3600", means: "interval at which all labels are read again" },
    ...storeOptions,
  },
});

const log = openLog("home-assistant", readSettings(["LOG_LEVEL"]).LOG_LEVEL);
const { tenant, store: storeId, discovery, prefix, broker: url } = options;
const setsPrices = options["allow-prices"];
const topics = topicsOf({ discovery, prefix, tenant, store: storeId });
const scope = `items:read labels:read${setsPrices ? " items:write" : ""}`;
const mostLabels = countOf("--most", options.most);
const refreshMs = countOf("--refresh-every", options["refresh-every"]) * SECOND_MS;
const store = await openStore(options, { name: "home-assistant", scope }).catch((error: Error) =>
  refuse(error.message),
);

const passwordFile = options["broker-password-file"];
const password = passwordFile === undefined ? undefined : (await readFile(passwordFile, "utf8")).replace(/\r?\n$/, "");
const broker = connect(url, {
  protocolVersion: 5,
  clientId: `shelfwire-home-assistant-${tenant}-${storeId}`,
  ...(options["broker-user"] !== undefined && { username: options["broker-user"] }),
  ...(password !== undefined && { password }),
  will: { topic: topics.availability, payload: Buffer.from("offline"), qos: 1, retain: true },
});
const bridge = createBridge({ store, broker, topics, setsPrices, location: options.location, mostLabels, log });

/** Work in turns, so that no older state of a label is published after a newer one. */
let work: Promise<void> = Promise.resolve();
function next(task: () => Promise<void>): void {
  work = work.then(task).catch((error: Error) => log.error({ error }, "labels could not be shown"));
}

broker.on("error", ({ message }) => log.warn({ reason: message }, "the broker cannot be reached"));
broker.on("connect", () =>
  next(async () => {
    bridge.forget();
    await broker.publishAsync(topics.availability, "online", { qos: 1, retain: true });
    await bridge.refreshAll();
    await broker.subscribeAsync([topics.configs, ...(setsPrices ? [topics.commands] : [])], { qos: 1 });
    log.info({ broker: url, tree: topics.tree }, "labels are devices");
  }),
);
broker.on("message", (topic: string, payload: Buffer, { retain }: IPublishPacket) =>
  next(async () => {
    if (topic.endsWith("/config")) await bridge.removeUnknown(topic, payload);
    else await bridge.command(topic, payload, retain);
  }),
);
setInterval(() => next(() => bridge.refreshAll()), refreshMs);
closeOnSignal(async () => {
  await broker.publishAsync(topics.availability, "offline", { qos: 1, retain: true });
  await broker.endAsync();
}, log);
/** Changed labels that are to be read; one that changes often is read once for several changes. */
const changed = new Set<string>();
for await (const barcode of store.tail()) {
  if (changed.has(barcode)) continue;
  changed.add(barcode);
  next(() => {
    changed.delete(barcode);
    return bridge.refresh(barcode);
  });
}
