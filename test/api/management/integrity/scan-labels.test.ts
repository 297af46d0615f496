import test from "ava";
import { scanLabels } from "../../../../api/management/integrity/scan-labels.ts";
import { itemPages, items } from "../../../../records/kinds/items.ts";
import { links, storeLinks } from "../../../../records/kinds/links.ts";
import { renderedImages } from "../../../../records/kinds/pictures.ts";
import { tenants } from "../../../../records/kinds/tenants.ts";
import { openRecords, type Records } from "../../../../records/records.ts";
import { CLOCKS_APART_MS } from "../../../../schemas/clocks.ts";
import type { RenderedImage } from "../../../../schemas/image.ts";
import { idOf, itemKey, labelOfLink, storeKey, tenantOf } from "../../../../schemas/keys.ts";
import { hangLabels, proveLabels } from "../../../../scripts/demo/hang-labels.ts";
import { manyLabels } from "../../../../scripts/demo/many-labels.ts";
import { ownDatabase } from "../../../harness/own.ts";

const database = ownDatabase();
const NOW = new Date();
const comparison = { now: NOW, offlineAfterMs: 86_400_000, isNamed: () => false };
const STORE = storeKey("demo", "main");
const LABELS = 6_000;
/** The number of items that these labels show. */
const ITEMS = 1_000;
/** At most three batches of 1,000 of each kind are in memory: the current one and the next two. */
const MAX_AHEAD = 2_000;

/** Returns records that count, for each kind, the rows that were read in batches and the revs that were requested. */
function counting(records: Records) {
  const [read, asked] = [new Map<string, number>(), new Map<string, number>()];
  async function* counted<Row>(kind: string, batches: AsyncIterable<Row[]>) {
    for await (const batch of batches) {
      read.set(kind, (read.get(kind) ?? 0) + batch.length);
      yield batch;
    }
  }
  const countingRecords: Records = {
    ...records,
    scanFields: (kind, ...rest) => counted(kind.name, records.scanFields(kind, ...rest)),
    scanKeys: (kind, ...rest) => counted(kind.name, records.scanKeys(kind, ...rest)),
    readRevs(kind, keys) {
      asked.set(kind.name, (asked.get(kind.name) ?? 0) + keys.length);
      return records.readRevs(kind, keys);
    },
  };
  return { records: countingRecords, read, asked };
}

test.serial(
  "labels are compared in batches: any store needs few rows in memory, and each record is read once",
  async (t) => {
    const { records, read, asked } = counting(openRecords(database.db));
    await hangLabels(openRecords(database.db), STORE, manyLabels(LABELS, new Date(), ["OK"]));
    await drawLinks(openRecords(database.db));
    let compared = 0;
    for await (const { rested, suspects, warned } of scanLabels(records, STORE, comparison)) {
      compared += rested.size;
      t.deepEqual([suspects, [...warned]], [[], []]);
      t.true([...rested.values()].every(({ cause }) => cause === "UP_TO_DATE"));
      for (const [kind, rows] of read)
        if (rows - compared > MAX_AHEAD) t.fail(`${rows} of ${kind} were read for ${compared} labels`);
    }
    t.is(compared, LABELS);
    t.deepEqual(
      [...read.values()],
      Array(5).fill(LABELS),
      "labels, states, links and both their pictures are read once",
    );
    t.deepEqual(
      [asked.get(items.name), asked.get(itemPages.name)],
      [ITEMS, ITEMS],
      "the revs of items are read once too",
    );
    read.clear();
    for await (const { own } of scanLabels(records, STORE, { ...comparison, withOwn: true })) compared += own.size;
    t.is(compared, 2 * LABELS);
    t.deepEqual([...read.values()], Array(5).fill(LABELS), "the labels' own fields cost no more reads");
  },
);

/** Creates a picture for each link, drawn without notices. */
async function drawLinks(records: Records): Promise<void> {
  const write = { writeId: "c", at: new Date() };
  for await (const keys of records.scanKeys(links, `${STORE}/`))
    await records.compareAndSet(
      renderedImages,
      keys.map((key) => ({ key, current: undefined, body: drawnWith([]) })),
      write,
    );
}

const drawnWith = (warnings: string[]): RenderedImage => ({
  shows: { link: "", linkRev: 1, item: "", itemRev: 1 },
  ...{ image: "a", width: 1, height: 1, empty: false, warnings },
});

/** Returns the oldest rev of a link of the store. */
async function oldestRev(records: Records): Promise<number> {
  let oldest = Number.POSITIVE_INFINITY;
  for await (const batch of records.scanFields(links, `${STORE}/`, []))
    for (const { rev } of batch) oldest = Math.min(oldest, rev);
  return oldest;
}

const unprovenLinks = async (): Promise<number> => {
  let links = 0;
  for await (const { unproven } of scanLabels(openRecords(database.db), STORE, comparison)) links += unproven.length;
  return links;
};

test.serial("the scan rechecks exactly the choices that the audits of all stages have not proven", async (t) => {
  const records = openRecords(database.db);
  const [oldest, now] = [await oldestRev(records), Date.now()];
  t.is(await unprovenLinks(), LABELS, "before the first audit");
  await proveLabels(records, STORE, new Date(now + 60_000), ["evaluator", "link", "renderer"]);
  t.is(await unprovenLinks(), LABELS, "while one stage has not been audited");
  await proveLabels(records, STORE, new Date(oldest + CLOCKS_APART_MS - 1), ["merger"]);
  t.is(await unprovenLinks(), LABELS, "the clocks of processes may differ");
  await proveLabels(records, STORE, new Date(now + 60_000), ["merger"]);
  t.is(await unprovenLinks(), 0);

  const write = { writeId: "a", at: new Date(now + 90_000) };
  const storeLink = { itemId: "item 7", designId: "D", status: "ACTIVE" as const, stamp: 1 };
  const key = itemKey(STORE, storeLink.itemId);
  await records.compareAndSet(storeLinks, [{ key, current: undefined, body: storeLink }], write);
  t.is(await unprovenLinks(), LABELS / ITEMS, "the links of an item whose store-level link is newer");
  const tenant = { name: "Demo", communicationPack: "t/demo/communicationpacks/p" };
  await records.compareAndSet(tenants, [{ key: tenantOf(STORE), current: undefined, body: tenant }], write);
  t.is(await unprovenLinks(), LABELS, "all links of a tenant with another pack");
});

test.serial("the same scan finds labels with drawing warnings and labels named by a request", async (t) => {
  const records = openRecords(database.db);
  const [first = ""] = (await records.scanKeys(links, `${STORE}/`)[Symbol.asyncIterator]().next()).value ?? [];
  const current = (await records.read(renderedImages, [first])).get(first);
  const write = { writeId: "b", at: new Date() };
  await records.compareAndSet(renderedImages, [{ key: first, current, body: drawnWith(["a text is cut"]) }], write);
  const [seenWarned, seenSuspects]: [string[], string[]] = [[], []];
  const named = idOf(labelOfLink(first).label);
  const isNamed = (ids: readonly string[]) => ids.includes(named);
  for await (const { warned, suspects } of scanLabels(records, STORE, { ...comparison, isNamed })) {
    seenWarned.push(...warned);
    seenSuspects.push(...suspects);
  }
  t.deepEqual([seenWarned, seenSuspects], [[labelOfLink(first).label], [labelOfLink(first).label]]);
});

test.serial("a report stops reading when its reader disconnects", async (t) => {
  const { records, read } = counting(openRecords(database.db));
  let compared = 0;
  for await (const { rested } of scanLabels(records, STORE, comparison)) {
    compared = rested.size;
    break;
  }
  for (const rows of read.values()) t.true(rows - compared <= MAX_AHEAD, [...read].join(" "));
});
