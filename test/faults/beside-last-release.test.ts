import { createHash } from "node:crypto";
import test, { type ExecutionContext } from "ava";
import { itemKeysOfScenarios } from "../../domain/packs/item-keys.ts";
import { type CompiledCanvas, compileCanvas } from "../../drawing/canvas/compile-canvas.ts";
import { type ProcessName, processNames, queueNames, queuesOf } from "../../queues/topology.ts";
import { canvasDesigns, communicationPacks, designs } from "../../records/kinds/designs.ts";
import { labelTypes, models, stores, tenants } from "../../records/kinds/tenants.ts";
import type { CanvasDesign } from "../../schemas/canvas.ts";
import type { CommunicationPack } from "../../schemas/design.ts";
import type { IntegrityReport } from "../../schemas/integrity.ts";
import type { ItemPatch } from "../../schemas/item.ts";
import { canvasDesignKey, idOf, tenantOf } from "../../schemas/keys.ts";
import type { Stored } from "../../schemas/record.ts";
import { wantedOf } from "../../scripts/develop/chaos/wanted-pictures.ts";
import { callsWith } from "../../scripts/develop/releases/calls.ts";
import { readRecording, storeRecording } from "../../scripts/develop/releases/recording.ts";
import { type Call, callsOnceEnded, fillStore } from "../../scripts/develop/releases/scenario.ts";
import { labelRowsFor } from "../../scripts/operate/import/label-rows.ts";
import { freePort } from "../../scripts/start/ports.ts";
import { bodyOf, untilTaken } from "../api/calls.ts";
import { manage } from "../api/management/calls.ts";
import { auditStore, nothingBehind } from "../harness/audits/audit.ts";
import { eventually } from "../harness/eventually.ts";
import { glassOf, itemOutcomes, labelOutcomes } from "../harness/glass.ts";
import { ownStack } from "../harness/own.ts";
import { queuesOfRelease, unpackLastRelease } from "../harness/processes/last-release.ts";
import { type OwnProcess, startProcess } from "../harness/processes/own-process.ts";
import { callersOf, type Served } from "../harness/served.ts";

const TYPE = 1328;
const release = unpackLastRelease();
const withRelease = release.folder === undefined ? test.skip : test.serial;
const unless = release.missing === undefined ? "" : ` (the history lacks it: ${release.missing.split("\n").at(-1)})`;

/**
 * Workers that run in the last release at first; the others follow later. Each hands changes to workers of the current
 * release, such as `item` to `renderer` and `merger` to `transmitter`.
 */
const formerFirst: readonly ProcessName[] = ["item", "evaluator", "merger"];
const presentFirst = processNames.filter((name) => !formerFirst.includes(name));

/** An installation's data from the last release, which cannot draw the new features of today's designs. */
const recording = readRecording(release.version);
const tenantKinds = [tenants, stores, models, labelTypes, canvasDesigns, designs, communicationPacks];
const collections = Object.fromEntries(
  tenantKinds.map(({ name }) => [name, recording.collections[name] ?? []] as const),
);
const activePack = collections[communicationPacks.name]?.[0] as unknown as Stored<CommunicationPack>;
const readByRules = itemKeysOfScenarios(activePack.scenarios);
const shelfwire = ownStack({
  workers: presentFirst,
  // The calls subscribe a receiver on this machine.
  settings: { WEBHOOKS_PRIVATE: "127.0.0.1:*" },
  stored: ({ db, redis, now }) =>
    storeRecording(db, redis, { ...recording, collections, jobs: {}, results: {} }, now()),
});
const itemIds = Array.from({ length: 200 }, (_, index) => `beside-${index}`);
const labels = labelRowsFor(itemIds, String(TYPE));
const priceList = (price: string, properties: Record<string, string> = {}): ItemPatch[] =>
  itemIds.map((itemId) => ({ itemId, itemName: `Item ${itemId}`, price, properties }));
const offers = priceList("4.00", { priceKind: "special" });

/** Returns the canvas of a design, as the last release stored it. */
function formerCanvas(design: string): CompiledCanvas {
  const stored = collections[canvasDesigns.name]?.find(
    ({ _id }) => String(_id) === canvasDesignKey(tenantOf(design), idOf(design)),
  );
  if (stored === undefined) throw new Error(`${release.version} has no canvas ${design}`);
  return compileCanvas(stored as unknown as CanvasDesign);
}

/** Counts the workers that wait for jobs, from BullMQ's own connections. */
async function idleWorkers(): Promise<number> {
  const clients = String(await shelfwire.system.redis.client("LIST")).split("\n");
  return clients.filter((line) => line.includes("cmd=bzpopmin")).length;
}

/** Starts a process from the last release on the same databases; the process ends with the test, even if the test fails. */
const startFormer = (t: ExecutionContext, entry: string, further: Record<string, string> = {}): OwnProcess =>
  startProcess(t, entry, { ...shelfwire.environment, LOG_LEVEL: "error", ...further }, release.folder);

/** Starts workers from the last release; resolves once all `former` and all `present` workers wait for jobs. */
async function startFormerWorkers(
  t: ExecutionContext,
  names: readonly ProcessName[],
  { present, former = names }: { present: readonly ProcessName[]; former?: readonly ProcessName[] },
): Promise<OwnProcess[]> {
  const started = names.map((name) => startFormer(t, `workers/${name}/process.ts`));
  const queuesOfFormer = await queuesOfRelease(release.folder ?? "");
  const workers = [...former.flatMap((name) => queuesOfFormer(name)), ...present.flatMap((name) => queuesOf(name))]
    .length;
  await eventually(`${workers} workers wait for jobs, including workers of ${release.version}`, async () => {
    if ((await idleWorkers()) === workers) return true;
    throw new Error(started.map((running) => running.output()).join(""));
  });
  return started;
}

/** Sends a price list through one of the APIs, and waits until every label has acknowledged it. */
async function finishPriceList(t: ExecutionContext, { client }: Served, rows: readonly ItemPatch[]): Promise<void> {
  const items = await client.patchItems(rows);
  const links = await client.patchLabels(labels);
  t.is((await itemOutcomes(shelfwire, items)).length, itemIds.length);
  for (const { status } of await labelOutcomes(shelfwire, links)) t.is(status, "SUCCESS");
  for (const { barcode } of labels) await glassOf(shelfwire, barcode);
}

/** Makes calls of each kind through one of the APIs, and waits until the other API reports each request as complete. */
async function finishCalls(
  t: ExecutionContext,
  [asked, other]: readonly [Served, Served],
  makeCalls: (call: Call, applied: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const token = await asked.token();
  const { call, results } = callsWith(asked.origin, token);
  const { call: read } = callsWith(other.origin, token);
  const applied = async () => {
    for (const path of results)
      await eventually(path, async () => ((await read("GET", path)) as { status: string }).status === "COMPLETED");
  };
  await makeCalls(call, applied);
  await applied();
  t.true(results.length > 0);
}

/** Runs the release command while processes from the last release are running, as during a rolling update. */
async function runRelease(t: ExecutionContext): Promise<void> {
  const command = startProcess(t, "scripts/operate/release.ts", shelfwire.environment);
  t.is(await command.ended, 0, command.output());
}

/** Returns the item keys that the rules read, as the active pack stores them. */
const storedItemKeys = async () =>
  (await shelfwire.system.records.read(communicationPacks, [activePack._id])).get(activePack._id)?.itemKeys;

withRelease(
  `workers of the last and the current release, side by side, finish price lists and calls of each kind${unless}`,
  async (t) => {
    const former = await startFormerWorkers(t, formerFirst, { present: presentFirst });
    await finishPriceList(t, shelfwire, priceList("1.00"));

    // From here on each worker runs twice, once in the last release and once in the current one, and so does the API.
    for (const name of formerFirst) await shelfwire.openWorker(name);
    former.push(...(await startFormerWorkers(t, presentFirst, { present: processNames, former: processNames })));
    const port = await freePort();
    const formerApi = startFormer(t, "api/process.ts", { PORT: String(port) });
    const origin = `http://127.0.0.1:${port}`;
    await eventually(`the API of ${release.version} is ready`, async () => (await fetch(`${origin}/readyz`)).ok);
    const formerCallers = await callersOf(origin);
    await finishPriceList(t, formerCallers, priceList("2.00"));

    await finishCalls(t, [formerCallers, shelfwire], fillStore);
    await finishCalls(t, [shelfwire, formerCallers], async (call) => {
      for (const makeCalls of Object.values(callsOnceEnded)) await makeCalls(call);
    });

    const list = finishPriceList(t, shelfwire, priceList("3.00"));
    await runRelease(t);
    await list;
    t.deepEqual(await storedItemKeys(), readByRules);

    // A pack that the last release saves lacks the field that the release command adds, until the command runs again.
    const pack = { name: activePack.name, scenarios: activePack.scenarios };
    const put = () => manage(formerCallers, "PUT", `/communication-packs/${idOf(activePack._id)}`, pack);
    t.is((await untilTaken(put)).status, 200);
    t.is(await storedItemKeys(), undefined);
    await runRelease(t);
    t.deepEqual(await storedItemKeys(), readByRules);
    await finishPriceList(t, shelfwire, offers);

    for (const running of [formerApi, ...former]) t.is((await running.terminate()).code, 0, running.output());
    for (const queue of queueNames) t.is(await shelfwire.system.publisher.queue(queue).getFailedCount(), 0, queue);
  },
);

withRelease(
  `after the last release has ended, audits find its unfinished work, and every glass is correct${unless}`,
  async (t) => {
    // Pictures of the previous renderer are drawn again if the drawing has changed since.
    await auditStore(shelfwire);
    t.deepEqual(await auditStore(shelfwire), nothingBehind);
    for (const { barcode, sha256 } of wantedOf(offers, TYPE, formerCanvas))
      t.is(
        createHash("sha256")
          .update(await glassOf(shelfwire, barcode))
          .digest("hex"),
        sha256,
        barcode,
      );
    const report = await bodyOf<IntegrityReport>(await manage(shelfwire, "GET", "/stores/main/integrity"));
    t.true(report.labels > labels.length);
    t.like(report, { upToDate: report.labels, behind: [] });
  },
);
