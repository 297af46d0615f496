import { setTimeout } from "node:timers/promises";
import test, { type ExecutionContext } from "ava";
import { prefixOf } from "../../../queues/redis.ts";
import { processNames, type QueueName, queueNames, queuesOf } from "../../../queues/topology.ts";
import { assetFiles } from "../../../records/kinds/designs.ts";
import { assetKey, tenantKey } from "../../../schemas/keys.ts";
import { TENANT_ID } from "../../../scripts/demo/catalogue.ts";
import { freePort } from "../../../scripts/start/ports.ts";
import { pngChunk } from "../../api/images/files.ts";
import { pngOf, putImage } from "../../api/management/image-calls.ts";
import { eventually } from "../../harness/eventually.ts";
import { itemOutcomes, labelFor, labelOutcomes } from "../../harness/glass.ts";
import { leaveToMerger } from "../../harness/leave-to-merger.ts";
import { ownStack } from "../../harness/own.ts";
import { startProcess } from "../../harness/processes/own-process.ts";
import { callersOf, type Served } from "../../harness/served.ts";
import { beginCall } from "./held-call.ts";
import { subscribeSlowly } from "./slow-receiver.ts";
import { stalledJobs } from "./stalled-jobs.ts";

const IMAGES = 2;
/**
 * Small enough that even a slow machine decodes the image before a closing process runs out of time; starting the decoder already
 * counts as work.
 */
const IMAGE_SIDE = 400;
// Drawn before the stack is opened, because its workers share this thread and would lose their jobs' locks during the drawing.
const picture = await pngOf(0xff0000ff, IMAGE_SIDE, IMAGE_SIDE);
/** Length of the last chunk of a PNG. */
const END_BYTES = 12;
/** The same picture in files with different titles. */
const pictures = Array.from({ length: IMAGES }, (_, index) =>
  Buffer.concat([
    picture.subarray(0, -END_BYTES),
    pngChunk("tEXt", Buffer.from(`Title\0${index}`)),
    picture.subarray(-END_BYTES),
  ]),
);

// No sweep repairs what a process leaves unfinished. Until a process has ended, its queues have no other worker.
const shelfwire = ownStack({
  withFront: true,
  workers: [],
  settings: { SWEEP_EVERY: "86400", WEBHOOKS_PRIVATE: "127.0.0.1:*" },
});

const LABELS = 150;
const ITEMS_PER_LIST = 50;
/** After this time, work counts as stuck. */
const STUCK_AFTER_MS = 400_000;
const SEND_EVERY_MS = 1_000;

const itemIds = Array.from({ length: LABELS }, (_, index) => `sigterm-${index}`);
const imageNames = Array.from({ length: IMAGES }, (_, index) => `sigterm-${index}`);
/**
 * First the notifier, whose only work is the links' events; then the processes that the lists keep busy; last `pages`, to
 * which the test itself gives work.
 */
const endingOrder = [
  "notifier",
  ...processNames.filter((name) => name !== "pages" && name !== "notifier"),
  "pages",
] as const;
/** Rules read the kind of a price, so each list is also work for the evaluator; no scenario applies to these kinds. */
const priceList = (price: string) =>
  itemIds.map((itemId) => ({
    ...{ itemId, itemName: `Item ${itemId}`, price },
    properties: { priceKind: `list of ${price}` },
  }));

/** Counts the workers that wait for jobs. */
async function idleWorkers(): Promise<number> {
  const clients = String(await shelfwire.system.redis.client("LIST")).split("\n");
  return clients.filter((line) => line.includes("cmd=bzpopmin")).length;
}

/** Returns the pictures sent to a label, in order: one per transmission, however often its call was repeated. */
function sentTo(barcode: string): string[] {
  const sent = new Map<string, string>();
  for (const { path, headers } of shelfwire.front?.calls ?? [])
    if (path.startsWith(`/labels/${barcode}/pages/`))
      sent.set(String(headers["idempotency-key"]), String(headers["repr-digest"]));
  return [...sent.values()];
}

const isSent = (barcode: string): boolean => sentTo(barcode).length > 0;

/** Waits for a state that lasts only a moment, so it checks far more often than `eventually`. */
async function closely(t: ExecutionContext, what: string, check: () => Promise<boolean>): Promise<void> {
  const began = performance.now();
  while (!(await check())) {
    if (performance.now() - began > STUCK_AFTER_MS) return t.fail(`${what}: still not true`);
    await setTimeout(1);
  }
}

/** The lists of links, each of one request. */
const linkLists = Array.from({ length: LABELS / ITEMS_PER_LIST }, (_, list) =>
  itemIds
    .slice(list * ITEMS_PER_LIST, (list + 1) * ITEMS_PER_LIST)
    .map((itemId) => ({ barcode: labelFor(itemId), links: [{ itemId }] })),
);

/**
 * Changes all prices and sends all links again, repeatedly, so that each worker gets work until its process ends. The returned
 * function stops this and returns the requests.
 */
function keepSending({
  patchItems,
  patchLabels,
}: Served["client"]): () => Promise<{ items: number[]; labels: number[] }> {
  const ending = new AbortController();
  const sending = (async () => {
    const sent: { items: number[]; labels: number[] } = { items: [], labels: [] };
    for (let price = 3; !ending.signal.aborted; price += 1) {
      sent.items.push(await patchItems(priceList(`${price}.00`)));
      for (const links of linkLists) sent.labels.push(await patchLabels(links));
      await setTimeout(SEND_EVERY_MS);
    }
    return sent;
  })();
  return async () => {
    ending.abort();
    return sending;
  };
}

test("each process that receives SIGTERM during an import exits with 0 in time; no job stalls, and no label receives a picture twice", async (t) => {
  const { system } = shelfwire;
  const environment = { ...shelfwire.environment, LOG_LEVEL: "warn" };
  const receiver = await subscribeSlowly(t, system);
  await leaveToMerger(system, itemIds);
  const port = await freePort();
  const web = startProcess(t, "api/process.ts", { ...environment, PORT: String(port) });
  const workers = endingOrder.map((name) => ({
    name,
    running: startProcess(t, `workers/${name}/process.ts`, environment),
  }));
  const origin = `http://127.0.0.1:${port}`;
  await eventually("the API is ready", async () => (await fetch(`${origin}/readyz`)).ok);
  await eventually("a worker of each queue is idle", async () => (await idleWorkers()) === queueNames.length);

  const { base, client, token } = await callersOf(origin);
  const items = await client.patchItems(priceList("1.00"));
  const linked = await Promise.all(linkLists.map((links) => client.patchLabels(links)));
  /** Returns the time of Redis, in milliseconds. */
  const now = async () => {
    const [seconds = 0, microseconds = 0] = await system.redis.time();
    return seconds * 1000 + Math.floor(microseconds / 1000);
  };
  const began = await now();
  /** When the process of each queue ended, by Redis's clock. */
  const ended = new Map<QueueName, number>();
  const ends: { name: string; running: typeof web; end: ReturnType<typeof web.terminate> }[] = [];
  const endWhileBusy = async ({ name, running }: (typeof workers)[number]) => {
    const queues = queuesOf(name);
    const hasWork = async () => {
      if (name === "notifier") return receiver.underWay() > 0;
      const active = await Promise.all(queues.map((queue) => system.publisher.queue(queue).getActiveCount()));
      return active.some((count) => count > 0);
    };
    await closely(t, `${name} has work`, hasWork);
    const end = running.terminate().then(async (result) => {
      const at = await now();
      for (const queue of queues) ended.set(queue, at);
      await shelfwire.openWorker(name);
      return result;
    });
    ends.push({ name, running, end });
  };
  const [notifier, ...others] = workers;
  if (notifier !== undefined) await endWhileBusy(notifier);
  const slow = await beginCall(`${base}/items`, await token(), JSON.stringify(priceList("2.00")));
  ends.push({ name: "web", running: web, end: web.terminate() });
  await eventually("the API no longer accepts calls", () =>
    fetch(origin)
      .then(() => false)
      .catch(() => true),
  );
  const held = await slow.finish();
  const repriced = typeof held === "number" ? held : await shelfwire.client.patchItems(priceList("2.00"));
  const endSending = keepSending(shelfwire.client);
  for (const worker of others) {
    const puts =
      worker.name === "pages"
        ? imageNames.map((image, index) => putImage(shelfwire, image, pictures[index] as Buffer))
        : [];
    await endWhileBusy(worker);
    for (const put of await Promise.all(puts)) t.true(put.ok, await put.text());
  }
  receiver.beQuick();
  const sent = await endSending();
  for (const { name, running, end } of ends) {
    const { code, milliseconds } = await end;
    t.is(code, 0, name);
    // If this thread pauses for long, the API ends before the test finishes the held call.
    if (name !== "web" || held !== "cut off") t.notRegex(running.output(), /shutdown did not complete in time/, name);
    t.log(`${name} ended after ${Math.round(milliseconds)} ms`);
  }

  for (const accepted of [items, repriced, ...sent.items])
    t.is((await itemOutcomes(shelfwire, accepted)).length, LABELS);
  for (const accepted of [...linked, ...sent.labels])
    for (const { status } of await labelOutcomes(shelfwire, accepted)) t.is(status, "SUCCESS");
  for (const name of imageNames)
    await eventually(`${name} is decoded`, async () => {
      const key = assetKey(tenantKey(TENANT_ID), "image", name);
      return (await system.records.read(assetFiles, [key])).get(key)?.image !== undefined;
    });
  await eventually("each link is sent to the receiver", async () => receiver.notifiedLinks().size === LABELS);
  await shelfwire.assertNothingStale();
  // A picture is sent after the job that requests it, so on a busy machine some pictures are still on their way.
  for (const itemId of itemIds) await eventually(`${itemId} is sent a picture`, async () => isSent(labelFor(itemId)));
  for (const itemId of itemIds) {
    const sent = sentTo(labelFor(itemId));
    t.deepEqual(
      sent.filter((digest, index) => digest === sent[index - 1]),
      [],
      `${itemId} was sent the same picture twice`,
    );
  }
  for (const queue of queueNames) {
    const events = await system.redis.xrange(`${prefixOf(queue)}:${queue}:events`, began, "+");
    t.deepEqual(stalledJobs(events, ended.get(queue) ?? began), [], queue);
    t.is(await system.publisher.queue(queue).getFailedCount(), 0);
  }
});
