import { setTimeout } from "node:timers/promises";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import type { ItemPatch } from "../../../../schemas/item.ts";
import { storeKey } from "../../../../schemas/keys.ts";
import type { Driver } from "../../../../schemas/label-server.ts";
import { type Client, createClient } from "../../../client.ts";
import { demoStore, TENANT_ID } from "../../../demo/catalogue.ts";
import { PATIENT_ATTEMPTS } from "../../../demo/with-stack.ts";
import { labelRowsFor } from "../../../operate/import/label-rows.ts";
import { type ChaosStack, withChaosStack } from "../chaos-stack.ts";
import { type Fault, faultsOf, whileFaultsHappen } from "../faults.ts";
import { LABEL_TYPE, pricesOf } from "../price-lists.ts";
import { inSeconds } from "../run-chaos.ts";
import { isIdle, readWaiting, waitingText } from "../waiting.ts";
import { drawWanted } from "../wanted-pictures.ts";
import { openAccessPointAir } from "./access-point-air.ts";
import type { AirOptions, AirUnderChaos } from "./air-under-chaos.ts";
import { openBrokerAir } from "./broker-air.ts";
import { openHttpAir } from "./http-air.ts";
import { findWrong, transmissionsPerChange } from "./tally.ts";

interface Options {
  /** Each driver has its own store, with a label for each row. */
  drivers: readonly Driver[];
  rows: readonly ItemPatch[];
  seed: number;
  /** The faults are spread over this time. */
  milliseconds: number;
  mongoUrl: string;
  /** How long the labels may take after the last fault before the result is judged. */
  calmMs?: number;
  log(what: string): void;
}

/** The findings after all faults. */
export interface DriverFindings {
  lists: number;
  /** Transmissions for each changed picture by driver, not counting those that replaced a lost one. */
  perChange: ReadonlyMap<Driver, number>;
  wrong: string[];
}

const openers: Readonly<Record<Driver, (options: AirOptions) => Promise<AirUnderChaos>>> = {
  http: openHttpAir,
  openepaperlink: openAccessPointAir,
  mqtt: openBrokerAir,
};

/**
 * Shorter than usual, so that a run is short, but longer than reports take. On a busy machine, only a first attempt, which
 * waits 15 s, may be repeated.
 */
const environment = { ACKNOWLEDGE_WITHIN: "30" };
const KILLED = "kill -9 of transmitter";
const FLUSHED = "FLUSHALL";
const UNAVAILABLE = 503;
const MAX_ATTEMPTS = 20;
const POLL_INTERVAL_MS = 250;
const LIST_INTERVAL_MS = 2_000;
const PROGRESS_INTERVAL_MS = 30_000;
const CALM_TIMEOUT_MS = 1_800_000;
/** Minimum number of lists, however slow the machine is, because one or two changes do not show what a change takes. */
const MIN_LISTS = 5;
/** Maximum number of transmissions for a changed picture, not counting lost ones. */
const MAX_PER_CHANGE = 1.5;

/** A store with its label server. */
interface ChaosStore {
  driver: Driver;
  air: AirUnderChaos;
  client: Client;
  barcodes: readonly string[];
  /** Transmissions that were under way when the transmitter was killed. Their results remain unknown. */
  abandoned: number;
}

/**
 * Sends price lists to stores behind these drivers while calls and reports are lost, repeated and reordered, label servers
 * restart with and without memory, the transmitter is killed and Redis is wiped. Then every label must show the newest
 * picture.
 */
export const runDriverChaos = (options: Options): Promise<DriverFindings> =>
  withChaosStack({ ...options, environment }, async (chaos) => {
    const stores = await Promise.all(options.drivers.map((driver) => openStore(chaos, driver, options)));
    try {
      return await underFaults(options, chaos, stores);
    } finally {
      await Promise.all(stores.map(({ air }) => air.close()));
    }
  });

async function openStore(
  { stack, token, platformToken }: ChaosStack,
  driver: Driver,
  { rows, seed }: Options,
): Promise<ChaosStore> {
  const { origin } = stack;
  const labels = labelRowsFor(
    rows.map(({ itemId }) => itemId),
    String(LABEL_TYPE),
  );
  const barcodes = labels.map(({ barcode }) => barcode);
  const air = await openers[driver]({ origin, store: storeKey(TENANT_ID, driver), seed, barcodes });
  const put = (path: string, body: object) =>
    putResource(`${origin}/t/${TENANT_ID}/api/management/v1/${path}`, platformToken, body);
  await put(`label-servers/${driver}`, air.server);
  await put(`stores/${driver}`, { ...demoStore, labelServer: driver });
  const client = createClient({ origin, tenantId: TENANT_ID, storeId: driver, token, maxAttempts: PATIENT_ATTEMPTS });
  await completed(client.itemsResult, await client.patchItems(pricesOf(rows, 0)));
  const hung = labels.map((label, index) => ({ ...label, ...(air.deviceOf && { device: air.deviceOf(index) }) }));
  await completed(client.labelsResult, await client.patchLabels(hung));
  return { driver, air, client, barcodes, abandoned: 0 };
}

/** Puts a resource, and repeats the call while the API is still connecting to its databases. */
async function putResource(url: string, token: string, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  for (let attempt = 1; ; attempt += 1) {
    const answer = await fetch(url, { method: "PUT", headers, body: JSON.stringify(body) });
    if (answer.ok) return;
    const detail = `PUT ${url}: ${answer.status} ${await answer.text()}`;
    if (answer.status !== UNAVAILABLE || attempt === MAX_ATTEMPTS) throw new Error(detail);
    await setTimeout(LIST_INTERVAL_MS);
  }
}

async function completed(read: Client["itemsResult"], requestId: number): Promise<void> {
  for (;;) {
    const { status, outcomes } = await read(requestId);
    if (status !== "COMPLETED") {
      await setTimeout(POLL_INTERVAL_MS);
      continue;
    }
    const failed = outcomes.find((outcome) => !outcome.status.startsWith("SUCCESS"));
    if (failed) throw new Error(`a row failed before any fault: ${JSON.stringify(failed)}`);
    return;
  }
}

async function underFaults(
  options: Options,
  chaos: ChaosStack,
  stores: readonly ChaosStore[],
): Promise<DriverFindings> {
  const { rows, log } = options;
  const began = performance.now();
  let lists = 1;
  await whileFaultsHappen(planFaults(options, chaos, stores), log, async (happening) => {
    let isOver = false;
    const onOver = () => {
      isOver = true;
    };
    const over = happening.then(onOver, onOver);
    do {
      await Promise.all(stores.map(({ client }) => client.patchItems(pricesOf(rows, lists))));
      lists += 1;
      log(`${inSeconds(performance.now() - began)}: price list ${lists} is accepted in each store`);
      await Promise.race([over, setTimeout(LIST_INTERVAL_MS)]);
    } while (!isOver || lists < MIN_LISTS);
  });
  const isCalm = await untilCalm(options, chaos, stores, lists);
  log(`${inSeconds(performance.now() - began)}: ${isCalm ? "no more is sent" : "labels are still sent to"}`);
  return { lists, ...(await judge(options, stores, lists)) };
}

/**
 * Plans all faults of all label servers, two kills of the transmitter and two losses of Redis, at times that the seed
 * determines.
 */
function planFaults({ seed, milliseconds }: Options, { victims }: ChaosStack, stores: readonly ChaosStore[]): Fault[] {
  const random = xoroshiro128plus(seed);
  const [killed, flushed] = [KILLED, FLUSHED].map((name) => faultsOf(victims).find(({ what }) => what === name));
  if (killed === undefined || flushed === undefined) throw new Error("a fault has another name");
  const kill = async () => {
    for (const store of stores) store.abandoned += store.air.tally.unsettled();
    await killed.happen();
  };
  const common = [{ ...killed, happen: kill }, flushed];
  const own = stores.flatMap(({ driver, air }) =>
    air.faults.map(({ what, happen }) => ({ what: `${driver}: ${what}`, happen })),
  );
  return [...common, ...common, ...own]
    .map((fault) => ({ ...fault, at: uniformInt(random, 0, milliseconds) }))
    .sort((one, other) => one.at - other.at);
}

/**
 * Waits until every label shows the picture of the last list and nothing is under way. Returns false if that takes too long.
 */
async function untilCalm(
  { rows, calmMs = CALM_TIMEOUT_MS, log }: Options,
  { system }: ChaosStack,
  stores: readonly ChaosStore[],
  lists: number,
): Promise<boolean> {
  const newest = await drawWanted(pricesOf(rows, lists - 1), LABEL_TYPE);
  // Only once, because decoding all of them at each check would take the emulators' time.
  const wanted = stores.map(({ driver, air: { tally, digestOf } }) => ({
    ...{ driver, tally },
    digests: newest.map(({ barcode, png }) => [barcode, digestOf(png)] as const),
  }));
  let loggedAt = performance.now();
  for (const deadline = performance.now() + calmMs; performance.now() < deadline; ) {
    const waiting = await readWaiting(system).catch(() => undefined);
    const late = wanted.map(({ driver, tally, digests }) => ({
      driver,
      labels: digests.filter(([barcode, digest]) => tally.storyOf(barcode).shown.at(-1) !== digest).length,
    }));
    if (waiting && isIdle(waiting) && late.every(({ labels }) => labels === 0)) return true;
    if (performance.now() - loggedAt > PROGRESS_INTERVAL_MS) {
      loggedAt = performance.now();
      const labels = late.map((one) => `${one.labels} through ${one.driver}`).join(", ");
      log(
        `labels without the newest picture: ${labels}; ${waiting ? waitingText(waiting) : "a database cannot be reached"}`,
      );
    }
    await setTimeout(POLL_INTERVAL_MS);
  }
  return false;
}

async function judge({ rows, log }: Options, stores: readonly ChaosStore[], lists: number) {
  const wrong: string[] = [];
  const perChange = new Map<Driver, number>();
  const pictures = new Map<string, Uint8Array[]>();
  for (let list = 0; list < lists; list += 1)
    for (const { barcode, png } of await drawWanted(pricesOf(rows, list), LABEL_TYPE))
      pictures.set(barcode, [...(pictures.get(barcode) ?? []), png]);
  for (const { driver, air, barcodes, abandoned } of stores) {
    const of = (finding: string) => `${driver}: ${finding}`;
    const stories = barcodes.map((barcode) => air.tally.storyOf(barcode));
    const lost = air.lost() + abandoned;
    const ratio = transmissionsPerChange(stories, lost);
    perChange.set(driver, ratio);
    log(of(`${ratio.toFixed(2)} transmissions a change beyond ${lost} that were lost`));
    if (ratio > MAX_PER_CHANGE)
      wrong.push(of(`${ratio.toFixed(2)} transmissions a change: more than ${MAX_PER_CHANGE}`));
    wrong.push(...air.violations().map(of));
    for (const barcode of barcodes)
      wrong.push(
        ...findWrong(barcode, air.tally.storyOf(barcode), (pictures.get(barcode) ?? []).map(air.digestOf)).map(of),
      );
  }
  return { perChange, wrong };
}
