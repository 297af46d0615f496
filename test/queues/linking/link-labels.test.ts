import { randomUUID } from "node:crypto";
import test from "ava";
import { MAX_LINKS_OF_ITEM } from "../../../domain/linking/links-of-item.ts";
import { createLinkLabels } from "../../../queues/linking/link-labels.ts";
import type { RecordKind } from "../../../records/kind.ts";
import { itemLinks, items } from "../../../records/kinds/items.ts";
import { labelStates, labels } from "../../../records/kinds/labels.ts";
import { links } from "../../../records/kinds/links.ts";
import { labelTypes, models, stores } from "../../../records/kinds/tenants.ts";
import { itemKey, labelKey, labelTypeKey, linkIdOf, linkKey, modelKey } from "../../../schemas/keys.ts";
import type { LabelPatch } from "../../../schemas/label.ts";
import { newLabelState } from "../../../schemas/label-state.ts";
import { stampOf } from "../../../schemas/stamp.ts";
import { demoStore } from "../../../scripts/demo/catalogue.ts";
import { ownSystem } from "../../harness/own.ts";
import { partOf } from "../../harness/part-of.ts";

const own = ownSystem();
const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, second));

/** Creates a store with some items and a model with three positions. */
async function aStore({ settled = 100 } = {}) {
  const tenant = `t/${randomUUID()}`;
  const store = `${tenant}/s/main`;
  const { records, commit } = own.system;
  const clock = { now: at(0) };
  const asked: string[] = [];
  const set = async <Body>(kind: RecordKind<Body>, key: string, body: Body) =>
    void (await commit.change(kind, [key], () => body, "bulk"));
  await set(stores, store, { ...demoStore, linkDepartments: [{ id: "floor", alias: "floor", transceivers: ["T1"] }] });
  await set(labelTypes, labelTypeKey(tenant, 1328), partOf({ type: 1328 }));
  await set(models, modelKey(tenant, "Strip"), { name: "Strip", labelTypes: [1328], linkPositions: 3 });
  for (const itemId of ["milk", "bread", "salt"])
    await set(items, itemKey(store, itemId), { itemId, sics: [], properties: [], stamps: {}, created: 1 });
  const link = createLinkLabels({
    records,
    commit,
    numbers: {
      settledAtLeast: async (of: string) => {
        asked.push(of);
        return settled;
      },
    },
    schemeOf: async () => (barcode) => (barcode.startsWith("A") ? 1328 : undefined),
    now: () => clock.now,
  });
  const readLink = async (barcode: string, position = 0) => {
    const key = linkKey(store, linkIdOf(barcode, position));
    return (await records.read(links, [key])).get(key);
  };
  return {
    ...{ store, clock, asked, set, readLink },
    link: (rows: LabelPatch[], number = 1) =>
      link(
        store,
        rows.map((row, index) => ({ row, stamp: stampOf(number, index) })),
        "bulk",
      ),
    async readLabel(barcode: string) {
      const key = labelKey(store, barcode);
      return (await records.read(labels, [key])).get(key);
    },
    async readState(barcode: string) {
      const key = labelKey(store, barcode);
      return (await records.read(labelStates, [key])).get(key);
    },
    async linksOf(itemId: string) {
      const key = itemKey(store, itemId);
      return (await records.read(itemLinks, [key]))
        .get(key)
        ?.links.map(({ id }) => id)
        .toSorted();
    },
  };
}

const strip = (barcode: string, ...itemIds: string[]): LabelPatch => ({
  barcode,
  modelName: "Strip",
  links: itemIds.map((itemId, displayPosition) => ({ itemId, displayPosition })),
});

test("a row creates its label and the links at its positions, and adds each link to its item's list", async (t) => {
  const { store, link, readLabel, readLink, linksOf, asked } = await aStore();
  const outcomes = await link([strip("A1", "milk", "bread"), { barcode: "A2", modelName: "Strip" }]);
  t.deepEqual(
    outcomes.map((ofRow) => ofRow.map(({ status, itemId }) => [status, itemId])),
    [
      [
        ["SUCCESS", "milk"],
        ["SUCCESS", "bread"],
      ],
      [["SUCCESS", undefined]],
    ],
  );
  t.like(await readLabel("A1"), { modelName: "Strip", type: 1328, firstLinked: at(0), lastLinked: at(0) });
  t.like(await readLabel("A2"), { modelName: "Strip", firstLinked: undefined });
  t.like(await readLink("A1", 1), { itemId: "bread", status: "ACTIVE", origin: "studio", linkedAt: at(0) });
  t.is(await readLink("A1", 2), undefined);
  t.deepEqual([await linksOf("milk"), await linksOf("bread")], [["A1-0"], ["A1-1"]]);
  t.deepEqual(asked, [store]);
});

test("a label whose device was replaced has no known picture or battery, and applying the same chunk again changes nothing", async (t) => {
  const { store, link, set, readState } = await aStore();
  const tagged = (device: string): LabelPatch => ({ ...strip("A1", "milk"), device });
  await link([tagged("0218D6C53B19")]);
  t.is(await readState("A1"), undefined);
  const shown = [{ page: 0, image: "a", deliveredAt: at(1), through: 1 }];
  const state = { ...newLabelState(), wanted: [{ page: 0, image: "a" }], shown, battery: "LOW" as const };
  await set(labelStates, labelKey(store, "A1"), state);
  await link([tagged("0218D6C53B19")], 2);
  t.like(await readState("A1"), { shown, battery: "LOW" });
  await link([tagged("0218D6C53B20")], 3);
  const replaced = { shown: [], battery: "UNKNOWN", sendDue: at(0), deviceReplaced: stampOf(3, 0) };
  t.like(await readState("A1"), replaced);
  await link([tagged("0218D6C53B20")], 3);
  const { rev } = (await readState("A1")) ?? {};
  await link([{ barcode: "A1", clears: "device" }], 4);
  t.like(await readState("A1"), { deviceReplaced: stampOf(4, 0) });
  t.true((await readState("A1"))?.rev !== rev);
});

test("without rows nothing is read or changed", async (t) => {
  const { link, asked } = await aStore();
  t.deepEqual(await link([]), []);
  t.deepEqual(asked, []);
});

test("a link that moves to another item leaves the former item's list, and the label is linked again", async (t) => {
  const { link, clock, readLabel, readLink, linksOf } = await aStore();
  await link([strip("A1", "milk")]);
  clock.now = at(5);
  await link([strip("A1", "milk")], 2);
  t.like(await readLabel("A1"), { firstLinked: at(0), lastLinked: at(0) });
  t.like(await readLink("A1"), { linkedAt: at(0) });
  await link([strip("A1", "bread")], 3);
  t.deepEqual([await linksOf("milk"), await linksOf("bread")], [[], ["A1-0"]]);
  t.like(await readLink("A1"), { itemId: "bread", linkedAt: at(5) });
  t.like(await readLabel("A1"), { firstLinked: at(0), lastLinked: at(5) });
});

test("an ended link is linked again, even to the same item", async (t) => {
  const { store, link, clock, set, readLabel, readLink } = await aStore();
  await link([strip("A1", "milk")]);
  const read = await readLink("A1");
  if (read === undefined) return t.fail();
  const { _id, rev, writeId, ...body } = read;
  await set(links, linkKey(store, linkIdOf("A1", 0)), { ...body, status: "INACTIVE" });
  clock.now = at(5);
  await link([strip("A1", "milk")], 2);
  t.like(await readLink("A1"), { status: "ACTIVE", linkedAt: at(5) });
  t.like(await readLabel("A1"), { lastLinked: at(5) });
});

test("of several rows for one position, the last counts, and no other item's list keeps the link", async (t) => {
  const { link, readLink, linksOf } = await aStore();
  await link([strip("A1", "salt")]);
  await link([strip("A1", "milk"), strip("A2", "milk"), strip("A1", "bread")], 2);
  t.is((await readLink("A1"))?.itemId, "bread");
  t.deepEqual(await Promise.all(["salt", "milk", "bread"].map(linksOf)), [[], ["A2-0"], ["A1-0"]]);
});

test("an older request that arrives late moves nothing", async (t) => {
  const { link, readLink, linksOf } = await aStore();
  await link([strip("A1", "bread")], 3);
  await link([strip("A1", "milk")], 2);
  t.is((await readLink("A1"))?.itemId, "bread");
  t.deepEqual(await linksOf("bread"), ["A1-0"]);
});

test("a row that repeats the stored state is written while requests with smaller numbers are open, so that they cannot win later", async (t) => {
  for (const [settled, isWritten] of [
    [7, true],
    [8, false],
    [9, false],
  ] as const) {
    const { link, readLink } = await aStore({ settled });
    await link([strip("A1", "milk")]);
    const before = (await readLink("A1"))?.stamp;
    await link([strip("A1", "milk")], 9);
    t.is((await readLink("A1"))?.stamp !== before, isWritten, `${settled} are settled`);
  }
});

test("a link that exceeds its item's list is refused, and the row's other links are made", async (t) => {
  const { store, link, set, readLink, readLabel } = await aStore();
  const full = Array.from({ length: MAX_LINKS_OF_ITEM }, (_, index) => ({ id: `L${index}-0`, stamp: 1 }));
  await set(itemLinks, itemKey(store, "milk"), { links: full });
  const [first, second, third] = await link([
    strip("A1", "milk", "bread", "milk"),
    strip("A2", "milk"),
    strip("A3", "salt"),
  ]);
  t.deepEqual(
    first?.map(({ status, errors }) => [status, errors?.[0]]),
    [
      ["ERROR", `the item "milk" already has the maximum of ${MAX_LINKS_OF_ITEM} links`],
      ["SUCCESS", undefined],
      ["ERROR", `the item "milk" already has the maximum of ${MAX_LINKS_OF_ITEM} links`],
    ],
  );
  t.deepEqual(
    [second, third].map((ofRow) => ofRow?.map(({ status }) => status)),
    [["ERROR"], ["SUCCESS"]],
  );
  t.is(await readLink("A1", 0), undefined);
  t.is((await readLink("A1", 1))?.itemId, "bread");
  t.like(await readLabel("A2"), { modelName: "Strip", firstLinked: undefined }, "the label exists without a link");
});

test("a row with an unreadable barcode is refused and creates nothing", async (t) => {
  const { link, readLabel, readLink } = await aStore();
  const [outcomes] = await link([strip("B1", "milk")]);
  t.deepEqual(
    outcomes?.map(({ status }) => status),
    ["UNKNOWN"],
  );
  t.is(await readLabel("B1"), undefined);
  t.is(await readLink("B1"), undefined);
});
