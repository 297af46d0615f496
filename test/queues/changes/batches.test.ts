import test from "ava";
import { MAX_LINKS_OF_ITEM } from "../../../domain/linking/links-of-item.ts";
import { createCommit, RECORDS_PER_ENTRY } from "../../../queues/changes/commit.ts";
import { type Derivation, sourceOf } from "../../../queues/changes/derivation.ts";
import { createDerive, KEYS_PER_BATCH } from "../../../queues/changes/derive.ts";
import { scanLinksOfItems } from "../../../queues/linking/item-links.ts";
import { itemLinks, items } from "../../../records/kinds/items.ts";
import { renderedImages } from "../../../records/kinds/pictures.ts";
import type { OutboxEntry } from "../../../records/outbox/outbox.ts";
import type { RenderedImage } from "../../../schemas/image.ts";
import { itemKey, linkKey } from "../../../schemas/keys.ts";
import type { Change } from "../../../schemas/topics.ts";
import { ownSystem } from "../../harness/own.ts";

/** If a few changes affect many records, the work is done in batches, and each batch commits separately. */
const own = ownSystem();

const STORE = "t/demo/s/main";
const COUNT = 4_321;
const keys = Array.from({ length: COUNT }, (_, index) => linkKey(STORE, `A${index}-0`));

/** A commit that records its outbox entries and what it publishes. */
function notingCommit({ failAt = Number.POSITIVE_INFINITY } = {}) {
  const entries: number[] = [];
  const published: Change[] = [];
  const outbox = {
    ...own.system.outbox,
    async add(entry: OutboxEntry) {
      if (entries.length >= failAt) throw new Error("the database is unreachable");
      entries.push(entry.changes.length);
      await own.system.outbox.add(entry);
    },
  };
  const publish = async (_: string, changes: readonly Change[]) => published.push(...changes) > 0;
  const commit = createCommit({ ...own.system, outbox, publisher: { publish } });
  return { entries, published, commit };
}

const picture = (image: string): RenderedImage => ({
  shows: { link: "a", linkRev: 1, item: "b", itemRev: 1 },
  image,
  width: 296,
  height: 128,
  empty: false,
  warnings: [],
});

test.serial("one call writes any number of records, and no outbox entry exceeds its limit", async (t) => {
  const { entries, published, commit } = notingCommit();
  const changed = await commit.change(renderedImages, keys, (key) => picture(key), "bulk");
  t.is(changed.size, COUNT);
  t.deepEqual(entries, [RECORDS_PER_ENTRY, RECORDS_PER_ENTRY, COUNT - 2 * RECORDS_PER_ENTRY]);
  t.is(published.length, COUNT);
  t.is(await own.system.db.collection("outbox").countDocuments({}), 0);
  const all = await own.system.records.read(renderedImages, keys);
  const decisions = keys.map((key) => ({ key, current: all.get(key), body: picture("other") }));
  t.is((await commit.write(renderedImages, decisions, "bulk")).written.length, COUNT);
  t.is(entries.length, 6);
});

test.serial("records of a few items are derived in batches, and a failure keeps the batches before it", async (t) => {
  const loads: number[] = [];
  const pictures = (image: string): Derivation<string, RenderedImage> => ({
    kind: renderedImages,
    from: [items],
    keepsInputs: true,
    async load(batch, read) {
      loads.push(batch.length);
      await read([]);
      const sources = [sourceOf(items, itemKey(STORE, image), undefined)];
      return new Map(batch.map((key) => [key, { facts: image, sources }]));
    },
    decide: async (cases) => cases.map(({ facts }) => picture(facts)),
  });
  const { commit, entries } = notingCommit();
  await createDerive({ ...own.system, commit }).derive(pictures("first"), [...keys, ...keys], "bulk");
  t.is(Math.max(...loads), KEYS_PER_BATCH);
  t.true(entries.every((count) => count <= KEYS_PER_BATCH));
  t.is(
    loads.reduce((sum, count) => sum + count, 0),
    COUNT,
  );

  const failing = notingCommit({ failAt: 2 });
  const derive = createDerive({ ...own.system, commit: failing.commit });
  await t.throwsAsync(derive.derive(pictures("second"), keys, "bulk"), { message: "the database is unreachable" });
  const present = await own.system.records.read(renderedImages, keys);
  const done = keys.filter((key) => present.get(key)?.image === "second");
  t.deepEqual(done, keys.slice(0, 2 * KEYS_PER_BATCH));
});

test.serial("an item's links are read in batches, each link once, however long the lists", async (t) => {
  const list = (name: string, length: number) => ({
    key: itemKey(STORE, name),
    links: Array.from({ length }, (_, index) => ({ id: `${name}${index}-0`, stamp: 1 })),
  });
  const lists = [list("long", MAX_LINKS_OF_ITEM), list("short", 2), list("other", MAX_LINKS_OF_ITEM)];
  for (const { key, links } of lists) await own.system.commit.change(itemLinks, [key], () => ({ links }), "bulk");
  const itemKeys = [...lists.map(({ key }) => key), itemKey(STORE, "none"), lists[0]?.key ?? ""];
  const batches = await Array.fromAsync(scanLinksOfItems(own.system.records, itemKeys));
  t.true(batches.every(({ length }) => length <= 1_000));
  const expected = lists.flatMap(({ links }) => links.map(({ id }) => linkKey(STORE, id)));
  t.deepEqual(batches.flat().toSorted(), expected.toSorted());
});
