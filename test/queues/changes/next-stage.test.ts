import test from "ava";
import { createCommit } from "../../../queues/changes/commit.ts";
import { createDerive } from "../../../queues/changes/derive.ts";
import { publishOutbox } from "../../../queues/changes/publish-outbox.ts";
import type { Publisher } from "../../../queues/publish/publisher.ts";
import { itemPages, items } from "../../../records/kinds/items.ts";
import { eslImages, renderedImages } from "../../../records/kinds/pictures.ts";
import { openOutbox } from "../../../records/outbox/outbox.ts";
import type { Records } from "../../../records/records.ts";
import type { RenderedImage } from "../../../schemas/image.ts";
import type { ItemPages } from "../../../schemas/page-image.ts";
import { ownSystem } from "../../harness/own.ts";
import { inOrders } from "../../harness/searches/orders.ts";
import { inTurns } from "../../harness/searches/turns.ts";
import { jobsOf } from "../../harness/system.ts";
import { ITEM, LABEL, LINK, labelImages, pictures } from "./page-over-price.ts";

const world = ownSystem();
const setPrice = (price: string) =>
  world.system.commit.change(
    items,
    [ITEM],
    () => ({ itemId: "milk", price, sics: [], properties: [], stamps: {}, created: 1 }),
    "bulk",
  );
const upload = () =>
  world.system.commit.change(
    itemPages,
    [ITEM],
    (): ItemPages => ({
      itemId: "milk",
      images: [{ page: 0, width: 296, height: 128, colors: ["white", "black"], image: "uploaded", stamp: 1 }],
      removed: [],
    }),
    "bulk",
  );

const deriveBy = (records: Records, publisher: Pick<Publisher, "publish"> = world.system.publisher) =>
  createDerive({
    records,
    commit: createCommit({ ...world.system, records, publisher, outbox: openOutbox(world.system.db) }),
  });
const shown = async () => (await world.system.records.read(eslImages, [LABEL])).get(LABEL)?.pages[0]?.image;
const entries = () => world.system.db.collection("outbox").countDocuments({});
const changesOf = async (queue: "merger" | "transmitter") =>
  (await jobsOf(world.system, queue)).flatMap(({ name, data }) =>
    data.changes.map(({ key }: { key: string }) => [name, key]),
  );

test.beforeEach(async () => {
  for (const { name } of [items, itemPages, renderedImages, eslImages, { name: "outbox" }])
    await world.system.db.collection(name).deleteMany({});
  await setPrice("1.10");
  for (const queue of ["merger", "transmitter"] as const) await world.system.publisher.queue(queue).obliterate();
});

test.serial(
  "a label that shows only one link gets its picture together with the link's picture, and the merger gets no job",
  async (t) => {
    await deriveBy(world.system.records).derive(pictures, [LINK], "bulk");
    t.is(await shown(), "1.10");
    t.deepEqual(await changesOf("merger"), []);
    t.deepEqual(await changesOf("transmitter"), [["eslimage.v1", LABEL]]);
    t.deepEqual(await deriveBy(world.system.records).findStale(labelImages, [LABEL]), []);
    t.is(await entries(), 0);
  },
);

test.serial("a picture that looks the same is written and not sent", async (t) => {
  const { derive } = deriveBy(world.system.records);
  await derive(pictures, [LINK], "bulk");
  await world.system.publisher.queue("transmitter").obliterate();
  await setPrice("1.20");
  await setPrice("1.10");
  await derive(pictures, [LINK], "bulk");
  t.deepEqual([await changesOf("merger"), await changesOf("transmitter")], [[], []]);
  t.deepEqual(await deriveBy(world.system.records).findStale(labelImages, [LABEL]), []);
});

test.serial("a label that shows more than one link is left to the merger", async (t) => {
  await upload();
  await deriveBy(world.system.records).derive(pictures, [LINK], "bulk");
  t.is(await shown(), undefined);
  t.deepEqual(await changesOf("merger"), [
    ["renderedimage.v1", LINK],
    ["pageimage.v1", ITEM],
  ]);
});

test.serial("if another process writes the label's picture first, the change goes to the merger", async (t) => {
  const { records } = world.system;
  const late: Records = {
    ...records,
    async compareAndSet(kind, proposals, write) {
      if (kind.name === eslImages.name) await deriveBy(records).derive(labelImages, [LABEL], "bulk");
      return records.compareAndSet(kind, proposals, write);
    },
  };
  await deriveBy(late).derive(pictures, [LINK], "bulk");
  t.deepEqual(await changesOf("merger"), [["renderedimage.v1", LINK]]);
  t.is(await shown(), "1.10");
});

test.serial("if a process ends between the two writes, the sweep has the merger write the second", async (t) => {
  const { records, publisher, db } = world.system;
  const killed: Records = {
    ...records,
    compareAndSet: (kind, proposals, write) =>
      kind.name === eslImages.name
        ? Promise.reject(new Error("killed"))
        : records.compareAndSet(kind, proposals, write),
  };
  await t.throwsAsync(deriveBy(killed).derive(pictures, [LINK], "bulk"), { message: "killed" });
  t.is(await shown(), undefined);
  t.is(await entries(), 2);
  await publishOutbox({ outbox: openOutbox(db), records, publisher, now: () => new Date(), graceMs: -1_000 });
  t.deepEqual(await changesOf("merger"), [["renderedimage.v1", LINK]]);
});

test.serial(
  "a page uploaded while a link waits for its ECC model's picture appears once a design draws the link",
  async (t) => {
    const { records, commit } = world.system;
    const { derive } = deriveBy(records);
    await derive(pictures, [LINK], "bulk");
    const byModel = (_: string, current: RenderedImage | undefined) => current && { ...current, isEcc: true as const };
    await commit.change(renderedImages, [LINK], byModel, "bulk");
    await upload();
    await derive(labelImages, [LABEL], "bulk");
    t.is(await shown(), "1.10");
    await world.system.publisher.queue("merger").obliterate();
    await setPrice("1.20");
    await derive(pictures, [LINK], "bulk");
    t.deepEqual(await changesOf("merger"), [["renderedimage.v1", LINK]]);
    await derive(labelImages, [LABEL], "bulk");
    t.is(await shown(), "uploaded");
  },
);

interface Other {
  rule: string;
  /** Whether the label already shows the item. */
  isDrawn: boolean;
  act(): Promise<unknown>;
  derivation: "label" | "link";
  image: string;
}

/** What the other handler does between any two steps of the first. */
const others: readonly Other[] = [
  { rule: "a page is uploaded", isDrawn: true, act: upload, derivation: "label", image: "uploaded" },
  {
    rule: "a page is uploaded for a first picture",
    isDrawn: false,
    act: upload,
    derivation: "label",
    image: "uploaded",
  },
  { rule: "the price changes back", isDrawn: true, act: () => setPrice("1.10"), derivation: "link", image: "1.10" },
];

for (const { rule, isDrawn, act, derivation: stage, image } of others) {
  test.serial(`if ${rule}, the label shows it, whatever the order of reads and writes`, async (t) => {
    const { system } = world;
    let forMerger = 0;
    const publish: Publisher["publish"] = async (topic, changes, settled) => {
      if (topic === "renderedimage.v1") forMerger += changes.filter(({ key }) => !settled?.keys.has(key)).length;
      return true;
    };
    const run = (records: Records, which: "label" | "link") =>
      which === "label"
        ? deriveBy(records, { publish }).derive(labelImages, [LABEL], "bulk")
        : deriveBy(records, { publish }).derive(pictures, [LINK], "bulk");
    const watched = [renderedImages, eslImages, stage === "label" ? itemPages : items];
    const orders = await inOrders(t, {
      async prepare() {
        forMerger = 0;
        for (const { name } of [itemPages, ...(isDrawn ? [] : [renderedImages, eslImages])])
          await system.db.collection(name).deleteMany({});
        await setPrice("1.10");
        if (isDrawn) await run(system.records, "link");
        await run(system.records, "label");
        await setPrice("2.20");
        forMerger = 0;
      },
      works: [
        (gate) => run(inTurns(system.records, gate, watched), "link"),
        async (gate) => {
          await gate({ kind: (stage === "label" ? itemPages : items).name, writes: true });
          await act();
          await run(inTurns(system.records, gate, watched), stage);
        },
      ],
      async check(order) {
        if (forMerger > 0) await run(system.records, "label");
        const { findStale } = deriveBy(system.records);
        t.is(await shown(), image, `after the order ${order.join("")}`);
        t.deepEqual(await findStale(labelImages, [LABEL]), [], `the label after the order ${order.join("")}`);
        t.deepEqual(await findStale(pictures, [LINK]), [], `the link after the order ${order.join("")}`);
      },
    });
    t.true(orders > 5, "the handlers were interleaved");
  });
}
