import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { json } from "node:stream/consumers";
import test from "ava";
import { prefixOf } from "../../queues/redis.ts";
import { processNames, queueNames, queuesOf } from "../../queues/topology.ts";
import { freePort } from "../../scripts/start/ports.ts";
import { eventually } from "../harness/eventually.ts";
import { itemOutcomes, labelFor, labelOutcomes } from "../harness/glass.ts";
import { ownStack } from "../harness/own.ts";
import { startProcess } from "../harness/own-process.ts";
import { callersOf } from "../harness/served.ts";

// No sweep repairs what a process leaves.
const shelfwire = ownStack({ withFront: true, settings: { SWEEP_EVERY: "86400" } });

const LABELS = 600;
const ITEMS_PER_LIST = 200;

const itemIds = Array.from({ length: LABELS }, (_, index) => `sigterm-${index}`);
const priceList = (price: string) => itemIds.map((itemId) => ({ itemId, itemName: `Item ${itemId}`, price }));

/** How many workers wait for jobs. */
async function idleWorkers(): Promise<number> {
  const clients = String(await shelfwire.system.redis.client("LIST")).split("\n");
  return clients.filter((line) => line.includes("cmd=bzpopmin")).length;
}

/** The pictures that a label was sent, in order: one a transmission, however often its call was repeated. */
function sentTo(barcode: string): string[] {
  const sent = new Map<string, string>();
  for (const { path, headers } of shelfwire.front?.calls ?? [])
    if (path.startsWith(`/labels/${barcode}/pages/`))
      sent.set(String(headers["idempotency-key"]), String(headers["repr-digest"]));
  return [...sent.values()];
}

const isSent = (barcode: string): boolean => sentTo(barcode).length > 0;

/** Begins a PATCH whose head the server has and whose body it waits for; `finish` sends it and gives the request's id. */
async function beginCall(url: string, token: string, body: string): Promise<{ finish(): Promise<number> }> {
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    expect: "100-continue",
  };
  const call = request(url, { method: "PATCH", headers });
  call.flushHeaders();
  await once(call, "continue");
  return {
    async finish() {
      call.end(body);
      const [answer] = (await once(call, "response")) as [IncomingMessage];
      return ((await json(answer)) as { requestId: number }).requestId;
    },
  };
}

test("each process that gets SIGTERM in an import ends with 0; no job stalls, and no label gets a picture twice", async (t) => {
  t.timeout(240_000);
  const { environment, system } = shelfwire;
  const port = await freePort();
  const web = startProcess(t, "api/process.ts", { ...environment, PORT: String(port) });
  const workers = processNames.map((name) => ({
    name,
    running: startProcess(t, `workers/${name}/process.ts`, environment),
  }));
  const origin = `http://127.0.0.1:${port}`;
  await eventually("the API is ready", async () => (await fetch(`${origin}/readyz`)).ok);
  await eventually("two workers of each queue are idle", async () => (await idleWorkers()) === 2 * queueNames.length);

  const { base, client, token } = await callersOf(origin);
  const items = await client.patchItems(priceList("1.00"));
  const links = itemIds.map((itemId) => ({ barcode: labelFor(itemId), links: [{ itemId }] }));
  const requests = await Promise.all(
    [0, 1, 2].map((list) => client.patchLabels(links.slice(list * ITEMS_PER_LIST, (list + 1) * ITEMS_PER_LIST))),
  );
  const slow = await beginCall(`${base}/items`, await token(), JSON.stringify(priceList("2.00")));
  const ends = [{ name: "web", end: web.terminate() }];
  await eventually("it takes no call any more", () =>
    fetch(origin)
      .then(() => false)
      .catch(() => true),
  );
  const repriced = await slow.finish();
  for (const { name, running } of workers) {
    const queues = queuesOf(name);
    const hasWork = async () => {
      const active = await Promise.all(queues.map((queue) => system.publisher.queue(queue).getActiveCount()));
      return active.some((count) => count > 0);
    };
    if (name !== "pages" && name !== "notifier") await eventually(`${name} has work`, hasWork);
    ends.push({ name, end: running.terminate() });
  }
  for (const { name, end } of ends) {
    const { code, milliseconds } = await end;
    t.is(code, 0, name);
    t.log(`${name} ended after ${Math.round(milliseconds)} ms`);
  }

  for (const accepted of [items, repriced]) t.is((await itemOutcomes(shelfwire, accepted)).length, LABELS);
  for (const accepted of requests)
    for (const { status } of await labelOutcomes(shelfwire, accepted)) t.is(status, "SUCCESS");
  await shelfwire.assertNothingStale();
  // A picture is sent behind the job that orders it: on a busy machine some are still on their way.
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
    const events = await system.redis.xrange(`${prefixOf(queue)}:${queue}:events`, "-", "+");
    t.deepEqual(
      events.filter(([, fields]) => fields.includes("stalled")),
      [],
      queue,
    );
    t.is(await system.publisher.queue(queue).getFailedCount(), 0);
  }
});
