import test from "ava";
import { linksOfItems } from "../../../queues/linking/item-links.ts";
import { createLinkLabels } from "../../../queues/linking/link-labels.ts";
import { createLinkReconciler } from "../../../queues/linking/reconcile-links.ts";
import { openChoices } from "../../../queues/publish/choices.ts";
import { chunkJobData } from "../../../queues/requests/chunk-jobs.ts";
import { openImageFiles } from "../../../records/files/image-files.ts";
import { openGlassLog } from "../../../records/glass-log.ts";
import type { RecordKind } from "../../../records/kind.ts";
import { itemLinks, items } from "../../../records/kinds/items.ts";
import { labelStates, labels } from "../../../records/kinds/labels.ts";
import { links } from "../../../records/kinds/links.ts";
import { eslImages } from "../../../records/kinds/pictures.ts";
import type { Item } from "../../../schemas/item.ts";
import type { RequestChunk } from "../../../schemas/jobs.ts";
import { itemKey, labelKey, linkIdOf, linkKey } from "../../../schemas/keys.ts";
import type { Link } from "../../../schemas/link.ts";
import { stampOf } from "../../../schemas/stamp.ts";
import { TENANT_ID } from "../../../scripts/demo/catalogue.ts";
import { buildItemWorker } from "../../../workers/item/process.ts";
import { createPatchLinks } from "../../../workers/link/patch-links.ts";
import { createUnlink } from "../../../workers/link/unlink.ts";
import { httpLabelServer } from "../../../workers/transmitter/drivers/http.ts";
import { createLabelStates } from "../../../workers/transmitter/label-states.ts";
import { createTransmit } from "../../../workers/transmitter/sending/transmit.ts";
import { oneLabelServer } from "../../../workers/transmitter/servers/label-servers.ts";
import { DEMO_STORE, labelFor } from "../../harness/glass.ts";
import { inOrders } from "../../harness/searches/orders.ts";
import type { Gate } from "../../harness/searches/turns.ts";
import { openShelfwire, type Shelfwire } from "../../harness/shelfwire.ts";
import { systemInTurns } from "./system-in-turns.ts";

/** Two writers of one record, each for a different request or event, in every order of their reads and writes. */
let shelfwire: Shelfwire;
const barcode = labelFor("written twice");
const label = labelKey(DEMO_STORE, barcode);
const link = linkKey(DEMO_STORE, linkIdOf(barcode, 0));
const schemeOf = async () => () => 1328;

test.before(async () => {
  shelfwire = await openShelfwire({ workers: [] });
});
test.after.always(() => shelfwire.close());

async function acceptPrice(price: string): Promise<RequestChunk> {
  const rows = [{ itemId: "X", itemName: "X", price }];
  const [chunk] = await shelfwire.system.accept({ store: DEMO_STORE, operation: "patch-items", rows, ordered: false });
  if (chunk === undefined) throw new Error("nothing was journaled");
  return chunkJobData(chunk);
}

async function applyPrice(job: RequestChunk | undefined, gate?: Gate): Promise<void> {
  const system = systemInTurns(shelfwire.system, [items as RecordKind<never>], gate);
  const { handlers } = buildItemWorker(system, { BARCODE_PATTERN: "(?<type>\\d{4})\\d$", SWEEP_EVERY: 30 });
  if (job) await handlers.item["patch-items"]([job]);
}

for (const [name, prices] of [
  ["A, B, A", ["1.00", "2.00", "1.00"]],
  ["A, B, C", ["1.00", "2.00", "3.00"]],
] as const) {
  test.serial(`item: among prices ${name} the last request's price wins, in any order of steps`, async (t) => {
    const jobs: RequestChunk[] = [];
    const orders = await inOrders(t, {
      async prepare() {
        await applyPrice(await acceptPrice(prices[0]));
        jobs.splice(0, 2, await acceptPrice(prices[1]), await acceptPrice(prices[2]));
      },
      works: [(gate) => applyPrice(jobs[0], gate), (gate) => applyPrice(jobs[1], gate)],
      async check(order) {
        const key = itemKey(DEMO_STORE, "X");
        const item = (await shelfwire.system.records.read(items, [key])).get(key);
        t.is(item?.price, prices[2], `after the order ${order.join("")}`);
      },
    });
    t.true(orders > 2);
  });
}

test.serial("link: after relinks to X, Y, X the last one wins, and the item's list contains the link", async (t) => {
  const { records, commit } = shelfwire.system;
  const bare = { sics: [], properties: [], stamps: {}, created: 1 };
  for (const itemId of ["X", "Y"])
    await commit.change(items, [itemKey(DEMO_STORE, itemId)], (_, current) => current ?? { itemId, ...bare }, "bulk");
  // Starts far above the settled numbers, as if a `link-single` request had overtaken the others.
  let number = 1_000_000;
  const relink = (itemId: string, stamp: number, gate?: Gate) => {
    const system = systemInTurns(shelfwire.system, [links, itemLinks], gate);
    return createLinkLabels({ ...system, schemeOf })(
      DEMO_STORE,
      [{ row: { barcode, links: [{ itemId }] }, stamp }],
      "interactive",
    );
  };
  const orders = await inOrders(t, {
    async prepare() {
      number += 3;
      await relink("X", stampOf(number, 0));
    },
    works: [
      async (gate) => void (await relink("Y", stampOf(number + 1, 0), gate)),
      async (gate) => void (await relink("X", stampOf(number + 2, 0), gate)),
    ],
    async check(order) {
      const after = `after the order ${order.join("")}`;
      t.is((await records.read(links, [link])).get(link)?.itemId, "X", after);
      t.true((await linksOfItems(records, [itemKey(DEMO_STORE, "X")])).includes(link), after);
    },
  });
  t.true(orders > 5);
});

for (const [what, written, status] of [
  ["removed", unlinked, "DELETED"],
  ["switched off", switchedOff, "INACTIVE"],
] as const) {
  test.serial(`link: a link that is ${what} while its item returns stays so, in any order of steps`, async (t) => {
    const { records, commit } = shelfwire.system;
    const item = (deleted?: true): Item => ({
      itemId: "Z",
      sics: [],
      properties: [],
      stamps: {},
      created: 1,
      ...(deleted && { deleted }),
    });
    const setItem = (deleted?: true) => commit.change(items, [itemKey(DEMO_STORE, "Z")], () => item(deleted), "bulk");
    let number = 2_000_000;
    const linkToZ = (): Link => ({
      eslId: barcode,
      displayPosition: 0,
      itemId: "Z",
      linkedItemId: "Z",
      status: "INACTIVE",
      origin: "studio",
      linkedAt: new Date(0),
      stamp: stampOf(number, 0),
    });
    await commit.change(
      labels,
      [label],
      (_, current) => current ?? { barcode, type: 1328, modelName: "Medium", stamps: {} },
      "bulk",
    );
    const orders = await inOrders(t, {
      async prepare() {
        number += 2;
        await setItem(true);
        await commit.change(links, [link], linkToZ, "bulk");
        await setItem();
      },
      works: [
        async (gate) => {
          const turned = systemInTurns(shelfwire.system, [links], gate);
          await createLinkReconciler(turned.records, turned.commit).reconcile([link], "bulk");
        },
        async (gate) => {
          await written({ ...systemInTurns(shelfwire.system, [links], gate), schemeOf }, stampOf(number + 1, 0));
        },
      ],
      async check(order) {
        t.is((await records.read(links, [link])).get(link)?.status, status, `after the order ${order.join("")}`);
      },
    });
    t.true(orders > 3);
  });
}

type Turned = Parameters<typeof createPatchLinks>[0];
function unlinked(system: Turned, stamp: number): Promise<unknown> {
  return createUnlink(system)(DEMO_STORE, [{ row: { barcode }, stamp }], "bulk");
}
function switchedOff(system: Turned, stamp: number): Promise<unknown> {
  const row = { linkId: linkIdOf(barcode, 0), status: "INACTIVE" as const };
  return createPatchLinks(system)(DEMO_STORE, [{ row, stamp }], "bulk");
}

test.serial("transmitter: among pictures A, B, A the last is due, in any order of steps", async (t) => {
  const { system, labelServer } = shelfwire;
  const imageFiles = openImageFiles(system.db, system.now);
  const pictures = ["a", "b"].map((sha256) => ({ sha256, png: Buffer.from(sha256), width: 1, height: 1 }));
  await imageFiles.put(`t/${TENANT_ID}`, pictures);
  await system.commit.change(labels, [label], () => ({ barcode, type: 1328, modelName: "Medium", stamps: {} }), "bulk");
  const show = (image: string) => {
    const body = { pages: [{ page: 0, image }], shows: [] };
    return system.commit.change(eslImages, [label], () => body, "bulk");
  };
  const driver = httpLabelServer(
    `http://127.0.0.1:${labelServer.port}`,
    ["a secret for label servers"],
    1,
    system.clock,
  );
  const statesOf = (gate?: Gate) => {
    const turned = systemInTurns(shelfwire.system, [labelStates, eslImages], gate);
    const waits = { firstWaitMs: 60_000, lastWaitMs: 60_000, slowWaitMs: 3_600_000, spread: 0 };
    const retry = { ...waits, leastNumber: () => 1, maxTries: 3 };
    const { transmit } = createTransmit({
      careOfTypes: async () => new Map(),
      quietStores: async () => () => undefined,
      ...turned,
      imageFiles,
      labelServers: oneLabelServer(driver),
      retry,
      concurrency: 1,
    });
    const world = {
      ...system,
      glassLog: openGlassLog(system.db),
      choices: openChoices(system.redis, () => {}),
      careOfTypes: async () => new Map(),
      noteBoot: () => {},
      ...{ takeSignals: async () => {}, announceBatteries: async () => {} },
    };
    return createLabelStates(
      turned.records,
      async (keys) => ({
        known: [...keys],
        states: await turned.records.read(labelStates, keys),
        types: new Map(),
      }),
      transmit,
      world,
    );
  };
  const orders = await inOrders(t, {
    async prepare() {
      await show("a");
      await statesOf().showImages([label], "bulk");
      await show("b");
    },
    works: [
      (gate) => statesOf(gate).showImages([label], "bulk"),
      async (gate) => {
        await gate({ kind: eslImages.name, writes: true });
        await show("a");
        await statesOf(gate).showImages([label], "bulk");
      },
    ],
    async check(order) {
      const state = (await system.records.read(labelStates, [label])).get(label);
      t.deepEqual(state?.wanted, [{ page: 0, image: "a" }], `after the order ${order.join("")}`);
      t.deepEqual(await statesOf().findStale([label]), []);
    },
  });
  await driver.close();
  t.true(orders > 5);
});
