import test from "ava";
import { chunkJobData } from "../../../queues/requests/chunk-jobs.ts";
import { designs } from "../../../records/kinds/designs.ts";
import { items } from "../../../records/kinds/items.ts";
import { storeLinks } from "../../../records/kinds/links.ts";
import { stores } from "../../../records/kinds/tenants.ts";
import { isVoid, journalCollection } from "../../../records/requests/journal.ts";
import { designKey, itemKey } from "../../../schemas/keys.ts";
import type { BulkRow } from "../../../schemas/link-record.ts";
import { demoStore } from "../../../scripts/demo/catalogue.ts";
import { buildLinkWorker } from "../../../workers/link/process.ts";
import { ownSystem } from "../../harness/own.ts";

const DESIGN = designKey("t/demo", "offer");
const names = ["main", "branch", "kiosk"];
const keyOf = (name: string) => `t/demo/s/${name}`;

const world = ownSystem();
test.before(async () => {
  const { commit } = world.system;
  const bare = { sics: [], properties: [], stamps: {}, created: 1 };
  await commit.change(stores, names.map(keyOf), () => demoStore, "bulk");
  await commit.change(designs, [DESIGN], () => ({ name: "", canvasId: "", compatible_esltype_ids: [1328] }), "bulk");
  await commit.change(
    items,
    names.map((name) => itemKey(keyOf(name), "milk")),
    () => ({ itemId: "milk", ...bare }),
    "bulk",
  );
});

/** Builds another process's handlers. */
const aWorker = () => buildLinkWorker(world.system, { BARCODE_PATTERN: "(?<type>\\d{4})\\d$" }).handlers.link;

async function accept(operation: BulkRow["operation"]) {
  const row: BulkRow = { storeIds: names, itemIds: ["milk"], operation, designId: DESIGN };
  const [chunk] = await world.system.accept({
    store: keyOf("main"),
    operation: "bulk-links",
    rows: [row],
    ordered: true,
  });
  if (chunk === undefined) throw new Error("nothing was journaled");
  return chunk;
}

/** Applies the requests of the other stores. */
async function applyChildren(): Promise<number> {
  const open = (await Array.fromAsync(world.system.openChunks.scan())).flat();
  const jobs = open.filter(({ operation }) => operation === "store-links").map(chunkJobData);
  await aWorker()["store-links"](jobs);
  return jobs.length;
}

const statuses = async () => {
  const found = await world.system.records.read(
    storeLinks,
    names.map((name) => itemKey(keyOf(name), "milk")),
  );
  return names.map((name) => found.get(itemKey(keyOf(name), "milk"))?.status);
};

test.serial("a bulk request is complete only when every store has applied its part", async (t) => {
  const chunk = await accept("LINK");
  const read = () => world.system.results.read(keyOf("main"), chunk.number);
  t.is((await read())?.status, "PENDING");
  await aWorker()["bulk-links"]([chunkJobData(chunk)]);
  const partly = await read();
  t.is(partly?.status, "IN_PROGRESS");
  t.deepEqual(
    partly?.outcomes.map(({ storeId, status }) => [storeId, status]),
    [
      ["main", "SUCCESS"],
      ["branch", "PENDING"],
      ["kiosk", "PENDING"],
    ],
  );
  t.is(await applyChildren(), 2);
  t.deepEqual(await read(), {
    status: "COMPLETED",
    operation: "bulk-links",
    outcomes: names.map((storeId) => ({ storeId, itemId: "milk", status: "SUCCESS", errors: [] })),
  });
  t.deepEqual(await statuses(), ["ACTIVE", "ACTIVE", "ACTIVE"]);
});

test.serial(
  "a bulk request does not delay its own store while other stores have not applied their parts",
  async (t) => {
    const chunk = await accept("UNLINK");
    await aWorker()["bulk-links"]([chunkJobData(chunk)]);
    t.is(await world.system.numbers.settledThrough(keyOf("main")), chunk.number);
    t.is(await applyChildren(), 2);
  },
);

test.serial("workers that apply a bulk request concurrently apply each part once", async (t) => {
  const parts = async () => {
    const found = await journalCollection(world.system.db).find({ operation: "store-links" }).toArray();
    return found.filter((part) => !isVoid(part)).length;
  };
  const before = await parts();
  const chunk = await accept("LINK");
  await Promise.all(Array.from({ length: 4 }, () => aWorker()["bulk-links"]([chunkJobData(chunk)])));
  t.is((await parts()) - before, 2);
  t.is(await applyChildren(), 2);
  t.is((await world.system.results.read(keyOf("main"), chunk.number))?.outcomes.length, 3);
});

test.serial("a part that was applied before a later request of its store is not applied again", async (t) => {
  const link = await accept("LINK");
  await aWorker()["bulk-links"]([chunkJobData(link)]);
  await applyChildren();
  const unlink = await accept("UNLINK");
  await aWorker()["bulk-links"]([chunkJobData(unlink)]);
  await applyChildren();
  t.deepEqual(await statuses(), ["DELETED", "DELETED", "DELETED"]);
  // As if a process had been killed before it recorded the chunk as applied.
  await journalCollection(world.system.db).updateOne({ _id: link._id }, { $set: { open: true } });
  await aWorker()["bulk-links"]([chunkJobData(link)]);
  t.is(await applyChildren(), 0);
  t.deepEqual(await statuses(), ["DELETED", "DELETED", "DELETED"]);
});

test.serial("when a part has expired, the whole request has", async (t) => {
  const chunk = await accept("LINK");
  await aWorker()["bulk-links"]([chunkJobData(chunk)]);
  await applyChildren();
  await world.system.redis.flushall();
  await journalCollection(world.system.db).deleteMany({ store: keyOf("kiosk") });
  t.is(await world.system.results.read(keyOf("main"), chunk.number), undefined);
});
