import { setTimeout as wait } from "node:timers/promises";
import { Redis } from "ioredis";
import { createClient } from "../../client.ts";
import { TENANT_ID } from "../../demo/catalogue.ts";
import { type DemoStack, withDemoStack } from "../../demo/with-stack.ts";
import { barcodeFor } from "../../operate/import/label-rows.ts";
import { freePort } from "../../start/ports.ts";
import { alerts } from "./alerts.ts";
import { conditions } from "./conditions.ts";
import { namesIn } from "./names-in.ts";

/** The recorded states. There is an alert for each. */
export const recordedStates = [
  "stalled-worker",
  "full-redis",
  "label-server-away",
  "one-label-server-away",
  "other-label-server-idle",
  "label-server-denies",
] as const;
export type RecordedState = (typeof recordedStates)[number];

/** The series of a run that the rules use, in promtool's format: a number for each interval, or `_` for none. */
export interface Recording {
  intervalSeconds: number;
  series: Record<string, string>;
}

const INTERVAL_S = 15;
const HEALTHY_SCRAPES = 4;
const BROKEN_SCRAPES = 18;
const TRAFFIC_INTERVAL_MS = 3_000;
const LABELS = 20;
const LABEL_TYPE = "1328";
const METRICS_TOKEN = "reads-while-recording";

/** Runs the product, breaks it, and records `/metrics?all` starting a minute before the break. It takes six minutes. */
export async function recordState(state: RecordedState, say: (text: string) => void): Promise<Recording> {
  const options = {
    dataFolder: ".data/recording",
    database: `recording-${state}`,
    isKept: false,
    workerProcesses: 1,
    environment: { METRICS_TOKEN, LOG_LEVEL: "error", RATE_LIMIT: "0" },
    log: say,
  };
  return withDemoStack(options, async (demo) => {
    await hangLabels(demo);
    const ended = new AbortController();
    const traffic = changePrices(demo, ended.signal);
    const pages: string[] = [];
    let mend = async () => {};
    for (let scrape = 0; scrape < HEALTHY_SCRAPES + BROKEN_SCRAPES; scrape += 1) {
      await wait(INTERVAL_S * 1000);
      pages.push(await readPage(demo));
      say(`${state}: ${pages.length} of ${HEALTHY_SCRAPES + BROKEN_SCRAPES}`);
      if (pages.length === HEALTHY_SCRAPES) mend = await breaks[state](demo, ended);
    }
    await mend();
    ended.abort();
    await traffic;
    return { intervalSeconds: INTERVAL_S, series: seriesOf(pages) };
  });
}

/** Causes each state. Returns a function that repairs it. */
const breaks: Record<RecordedState, (demo: DemoStack, traffic: AbortController) => Promise<() => Promise<void>>> = {
  async "stalled-worker"({ stack }) {
    const pid = stack.processes.find(({ name }) => name === "renderer")?.pid() ?? 0;
    process.kill(pid, "SIGSTOP");
    return async () => void process.kill(pid, "SIGCONT");
  },

  async "full-redis"({ stack }) {
    const redis = new Redis(stack.redis.url);
    const used = Number(/^used_memory:(\d+)/m.exec(await redis.info("memory"))?.[1]);
    await redis.config("SET", "maxmemory", String(used));
    return async () => {
      await redis.config("SET", "maxmemory", "0");
      redis.disconnect();
    };
  },

  async "label-server-away"({ stack }) {
    await stack.processes.find(({ name }) => name === "label-server")?.stop();
    return async () => {};
  },

  // One store uses a label server that does not exist. Other stores are not affected.
  "one-label-server-away": async (demo) => openStoreOn(demo, `http://127.0.0.1:${await freePort()}`),

  // The same, but the other label servers have nothing to do, so no label server responds although one of them works.
  async "other-label-server-idle"(demo, traffic) {
    traffic.abort();
    return openStoreOn(demo, `http://127.0.0.1:${await freePort()}`);
  },

  // A store uses a label server that has another secret.
  "label-server-denies": (demo) => openStoreOn(demo, demo.stack.emulator),
};

/** Opens a store, with labels, on its own label server at this address, whose secret no other store knows. */
async function openStoreOn(demo: DemoStack, url: string): Promise<() => Promise<void>> {
  const put = async (path: string, body: object) => {
    const answer = await fetch(`${demo.stack.origin}/t/${TENANT_ID}/api/management/v1/${path}`, {
      method: "PUT",
      headers: { authorization: `Bearer ${demo.platformToken}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  };
  await put("label-servers/own", { url });
  const linkDepartments = [{ id: "1", transceivers: ["T1"] }];
  const store = { name: "Elsewhere", timeZone: "Europe/Zagreb", currency: "EUR", locale: "hr-HR", linkDepartments };
  await put("stores/elsewhere", { ...store, labelServer: "own" });
  const { token, stack } = demo;
  await hangLabels({
    client: createClient({ origin: stack.origin, tenantId: TENANT_ID, storeId: "elsewhere", token }),
  });
  return async () => {};
}

const itemOf = (index: number) => `recorded-${index}`;

async function hangLabels({ client }: Pick<DemoStack, "client">): Promise<void> {
  const indexes = Array.from({ length: LABELS }, (_, index) => index);
  await client.patchItems(indexes.map((index) => ({ itemId: itemOf(index), price: "1.00" })));
  await client.patchLabels(
    indexes.map((index) => ({ barcode: barcodeFor(itemOf(index), LABEL_TYPE), links: [{ itemId: itemOf(index) }] })),
  );
}

/** Changes one price after another, like a shop's till system. */
async function changePrices({ client }: DemoStack, ended: AbortSignal): Promise<void> {
  for (let change = 0; !ended.aborted; change += 1) {
    await client.patchItems([{ itemId: itemOf(change % LABELS), price: `${1 + (change % 9)}.${10 + (change % 90)}` }]);
    await wait(TRAFFIC_INTERVAL_MS, undefined, { signal: ended }).catch(() => {});
  }
}

async function readPage({ stack }: DemoStack): Promise<string> {
  const answer = await fetch(`${stack.origin}/metrics?all`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  return answer.text();
}

/** Metrics that a rule uses. No others are recorded. */
const used = new Set([...Object.values(conditions), ...alerts.map(({ expression }) => expression)].flatMap(namesIn));

/** Returns the samples of consecutive pages, by series. */
function seriesOf(pages: readonly string[]): Recording["series"] {
  const series = new Map<string, string[]>();
  for (const [index, page] of pages.entries())
    for (const line of page.split("\n")) {
      const blank = line.lastIndexOf(" ");
      const name = line.slice(0, blank);
      if (!used.has(name.replace(/\{.*/, ""))) continue;
      const samples = series.get(name) ?? pages.map(() => "_");
      samples[index] = line.slice(blank + 1);
      series.set(name, samples);
    }
  return Object.fromEntries([...series].map(([name, samples]) => [name, samples.join(" ")]));
}
