import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { readSettings } from "../../../queues/read-settings.ts";
import { openSystem, systemSettings } from "../../../queues/system.ts";
import type { ItemPatch } from "../../../schemas/item.ts";
import { storeKey } from "../../../schemas/keys.ts";
import { STORE_ID, TENANT_ID } from "../../demo/catalogue.ts";
import { type DemoStack, withDemoStack } from "../../demo/with-stack.ts";
import { openProxy, type StoreProxy } from "../proxy/store-proxy.ts";
import { auditEverything } from "./audit-everything.ts";
import { compareGlass } from "./compare-glass.ts";
import { planFaults, runFaults } from "./faults.ts";
import { findWrongPrices, LABEL_TYPE, pricesOf, sendUnderFaults } from "./price-lists.ts";
import { readWaiting, waitingText } from "./waiting.ts";
import { type GlassFindings, watchGlass } from "./watch-glass.ts";

const DATABASE_TIMEOUT_MS = 20_000;
/** Half of what the clocks of two processes differ by. */
const CLOCK_SHIFT_MS = 5_000;

interface Options {
  rows: readonly ItemPatch[];
  seed: number;
  /** The faults are spread over this time. */
  milliseconds: number;
  mongoUrl: string;
  /** Called at each look at the labels after the last fault, with what waits then. */
  onLook?(look: object): void;
  log(what: string): void;
}

/** The findings after all faults: each entry of `wrong` is a lost price or a stale label. */
export interface Findings {
  rounds: number;
  /** Milliseconds from the end of the last fault to the last label that became right. */
  lateMs: number;
  /** The longest time in it in which no label became right; 0 where there is none of some seconds. */
  longestLullMs: number;
  /** What a price list of the same size takes to the last label, without a fault, on the same machine and stack. */
  workMs: number;
  wrong: string[];
}

/**
 * Runs the whole stack, with processes whose clocks differ, and sends price lists while workers are killed, Redis forgets
 * and MongoDB stalls, refuses and is restored. At the end every glass is compared, and an audit must find nothing.
 */
export async function runChaos(options: Options): Promise<Findings> {
  const { mongoUrl, log } = options;
  const folder = await mkdtemp(join(tmpdir(), "shelfwire-chaos-"));
  const labelServerClock = join(folder, "clock");
  const proxy = await openProxy(mongoUrl);
  const stackOptions = {
    dataFolder: folder,
    database: `chaos-${process.pid}`,
    isKept: true,
    workerProcesses: 1,
    mongoUrl: proxy.url,
    environment: { LOG_LEVEL: "fatal", SWEEP_EVERY: "5" },
    environmentOf: (name: string, index: number) => ({
      NODE_OPTIONS: `--import ${shiftOf(name, index, labelServerClock)}`,
    }),
    log,
  };
  try {
    return await withDemoStack(stackOptions, (demo) =>
      underFaults(options, demo, proxy, folder, stackOptions.database),
    );
  } finally {
    await proxy.close();
    await rm(folder, { recursive: true });
  }
}

/** The module that shifts a process's clock: workers are ahead and behind in turn, the API between them is right. */
function shiftOf(name: string, index: number, labelServerClock: string): string {
  const url = new URL("shift-clock.ts", import.meta.url);
  if (name === "label-server") url.searchParams.set("file", labelServerClock);
  else if (name !== "web") url.searchParams.set("milliseconds", String(index % 2 ? CLOCK_SHIFT_MS : -CLOCK_SHIFT_MS));
  return url.href;
}

async function underFaults(
  { rows, seed, milliseconds, mongoUrl, onLook, log }: Options,
  { stack, client }: DemoStack,
  proxy: StoreProxy,
  folder: string,
  database: string,
): Promise<Findings> {
  const urls = { REDIS_URL: stack.redis.url, MONGODB_URL: mongoUrl, MONGODB_DATABASE: database };
  const settings = readSettings(systemSettings, [], { ...urls, LOG_LEVEL: "fatal" });
  const system = openSystem(settings, pino({ level: "silent" }), DATABASE_TIMEOUT_MS);
  system.sweeper.stop();
  let overAt: number | undefined;
  let restores = 0;
  const onRestored = () => {
    restores += 1;
  };
  const [redisFolder, labelServerClock] = [join(folder, "redis"), join(folder, "clock")];
  const victims = { stack, redisFolder, proxy, system, labelServerClock, onRestored };
  try {
    const happening = runFaults(planFaults(victims, seed, milliseconds), log).then(() => {
      overAt = performance.now();
    });
    const sending = sendUnderFaults({
      client,
      rows,
      isOver: () => overAt !== undefined,
      undone: () => restores,
      log,
    });
    const [sent] = await Promise.all([sending, happening]);
    const { emulator } = stack;
    const watch = async (expected: readonly ItemPatch[], since: number): Promise<GlassFindings> => {
      const readNow = () => readWaiting(system);
      const look = async (at: number, changed: number) =>
        onLook?.({ ms: Math.round(at - since), changed, ...(await readNow().catch(() => ({ away: true }))) });
      const glass = await watchGlass({
        emulator,
        type: LABEL_TYPE,
        expected,
        since,
        readWaiting: readNow,
        onLook: look,
      });
      for (const { ms, afterMs, waiting } of glass.lulls)
        log(
          `no label became right for ${inSeconds(ms)} after ${inSeconds(afterMs)}${waiting ? `: ${waitingText(waiting)}` : ""}`,
        );
      return glass;
    };
    const since = overAt ?? 0;
    const glass = await watch(sent.expected, since);
    const lateMs = glass.rightAt - since;
    const longestLullMs = Math.max(0, ...glass.lulls.map(({ ms }) => ms));
    log(`the last label was right ${inSeconds(lateMs)} after the last fault`);
    const store = storeKey(TENANT_ID, STORE_ID);
    const [failed, prices] = [await sent.findFailed(), await findWrongPrices(client, sent.expected)];
    const stale = await auditEverything(system, store);
    if (stale.length === 0) log("an audit of everything finds nothing");
    const compared = await compareGlass(system, store, glass.stale, emulator);
    if (compared.length === 0) log("every glass is right, and the integrity report agrees");

    const next = pricesOf(rows, sent.rounds);
    const quietSince = performance.now();
    await client.patchItems(next);
    const quiet = await watch(next, quietSince);
    const workMs = quiet.rightAt - quietSince;
    log(`the same list without a fault takes ${inSeconds(workMs)}`);
    const wrong = [...failed, ...prices, ...stale, ...compared];
    return { rounds: sent.rounds, lateMs, longestLullMs, workMs, wrong };
  } finally {
    await system.close();
  }
}

const inSeconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
