import test from "ava";
import { loadLinkingFacts, readDesigns, resolveCodes } from "../../../queues/linking/load-linking-facts.ts";
import { designs } from "../../../records/kinds/designs.ts";
import { items, sics } from "../../../records/kinds/items.ts";
import { labels } from "../../../records/kinds/labels.ts";
import { links } from "../../../records/kinds/links.ts";
import { labelTypes, models, stores } from "../../../records/kinds/tenants.ts";
import type { Item } from "../../../schemas/item.ts";
import {
  designKey,
  idOf,
  itemKey,
  labelKey,
  labelTypeKey,
  linkIdOf,
  linkKey,
  modelKey,
  sicKey,
} from "../../../schemas/keys.ts";
import type { Label, LabelPatch } from "../../../schemas/label.ts";
import type { Link, LinkDesign } from "../../../schemas/link.ts";
import { demoStore } from "../../../scripts/demo/catalogue.ts";
import { ownSystem } from "../../harness/own.ts";

const world = ownSystem();
const TENANT = "t/demo";
const STORE = `${TENANT}/s/main`;
const key = (id: string) => designKey(TENANT, id);

test.before(async () => {
  const { commit } = world.system;
  const design = { name: "a design", canvasId: `${TENANT}/canvasdesigns/a`, compatible_esltype_ids: [1328] };
  const keys = [key("one"), key("two"), designKey("t/other", "one")];
  await commit.change(designs, keys, () => design, "bulk");
});

/** A description of what the links name, the links, and the designs that are read for them. */
const cases: [string, Partial<LinkDesign>[], string[]][] = [
  ["no design", [], []],
  ["a design", [{ origin: "designer", designId: key("one") }], ["one"]],
  ["a design for certain label types", [{ forced_design_id: key("two") }], ["two"]],
  ["designs and a canvas", [{ origin: "designer", designId: key("one") }, { origin: "designer" }], ["one", "two"]],
  ["no design, since the rules choose it", [{ origin: "studio" }], []],
  ["the design of a link from another origin", [{ origin: "ecc", designId: key("one") } as Partial<LinkDesign>], []],
];
for (const [what, named, expected] of cases)
  test(`links that name ${what} cause reads of ${expected.join(" and ") || "none"}`, async (t) => {
    const read = await readDesigns(world.system.records, TENANT, named);
    t.deepEqual([...read.keys()].toSorted(), expected.map(key));
  });

test("a stored link is read only if its row names both an item and a different code for its position", async (t) => {
  const { commit, records } = world.system;
  const ends = { itemId: "apple", linkedItemId: "3850000000017", linkedAt: new Date(0), stamp: 1 };
  const link = { eslId: "A", displayPosition: 0, origin: "studio", status: "ACTIVE", ...ends } satisfies Link;
  const linkIds = [0, 1, 2].map((position) => linkIdOf("A", position));
  await commit.change(
    links,
    linkIds.map((id) => linkKey(STORE, id)),
    () => link,
    "bulk",
  );
  const named = [
    { itemId: "apple", linkedItemId: "3850000000017" },
    { itemId: "apple", linkedItemId: "apple", displayPosition: 1 },
    { linkedItemId: "3850000000017", displayPosition: 2 },
  ];
  const rows = [{ row: { barcode: "A", links: named }, stamp: 2 }];
  const facts = await loadLinkingFacts(records, async () => () => undefined, STORE, rows);
  t.deepEqual([...facts.links.keys()], [linkIdOf("A", 0)]);
  t.like(facts.links.get(linkIdOf("A", 0)), { itemId: "apple", linkedItemId: "3850000000017", status: "ACTIVE" });
});

const itemOf = (itemId: string, sics: string[], deleted?: true): Item => ({
  ...{ itemId, sics, properties: [], stamps: {}, created: 1 },
  ...(deleted && { deleted }),
});

test("a code means the item with that ID, or else the item with that SIC, and never a deleted item", async (t) => {
  const { commit, records } = world.system;
  const shop = `${TENANT}/s/codes`;
  const bodies = [
    itemOf("apple", ["385", "pear"]),
    itemOf("pear", []),
    itemOf("gone", [], true),
    itemOf("changed", ["new"]),
  ];
  const byKey = new Map(bodies.map((item) => [itemKey(shop, item.itemId), item]));
  await commit.change(items, [...byKey.keys()], (id) => byKey.get(id), "bulk");
  const assignments = { "385": "apple", pear: "apple", "386": "gone", old: "changed", new: "changed", lost: "nobody" };
  await commit.change(
    sics,
    Object.keys(assignments).map((code) => sicKey(shop, code)),
    (id) => ({ itemId: assignments[idOf(id) as keyof typeof assignments] }),
    "bulk",
  );
  const codes = ["apple", "385", "pear", "gone", "386", "new", "old", "lost", "unknown", ""];
  const resolved = await resolveCodes(records, shop, codes);
  t.deepEqual(
    codes.map((code) => [code, resolved(code)]),
    [
      ["apple", "apple"],
      ["385", "apple"],
      ["pear", "pear"],
      ["gone", undefined],
      ["386", undefined],
      ["new", "changed"],
      ["old", undefined],
      ["lost", undefined],
      ["unknown", undefined],
      ["", undefined],
    ],
  );
});

test("rows get their store's labels, models, types and departments, and the links that their codes name", async (t) => {
  const { commit, records } = world.system;
  const tenant = "t/facts";
  const shop = `${tenant}/s/main`;
  const patch = (barcode: string, row: Partial<LabelPatch> = {}) => ({ row: { barcode, ...row }, stamp: 2 });
  const label = { barcode: "A", type: 1328, modelName: "Single", stamps: {} };
  await commit.change(labels, [labelKey(shop, "A")], () => label as Label, "bulk");
  await commit.change(labelTypes, [labelTypeKey(tenant, 1328)], () => ({ type: 1328 }), "bulk");
  const single = { name: "Single", labelTypes: [1328], linkPositions: 1 };
  await commit.change(models, [modelKey(tenant, "Single")], () => single, "bulk");
  const milk = itemOf("milk", ["385"]);
  await commit.change(items, [itemKey(shop, "milk")], () => milk, "bulk");
  await commit.change(sics, [sicKey(shop, "385")], () => ({ itemId: "milk" }), "bulk");
  const schemeOf = async (owner: string) => (barcode: string) => (owner === shop && barcode === "A" ? 1328 : undefined);
  const load = (...rows: ReturnType<typeof patch>[]) => loadLinkingFacts(records, schemeOf, shop, rows);
  const facts = await load(patch("A", { links: [{ linkedItemId: "385" }, { itemId: "milk" }, {}] }), patch("B"));
  t.is(facts.readType("A"), 1328);
  t.deepEqual(facts.store, { linkDepartments: [] });
  t.deepEqual([...facts.labelTypes.keys()], [1328]);
  t.like(facts.models, { length: 1, 0: { name: "Single" } });
  t.deepEqual([...facts.labels.keys()], ["A"]);
  t.deepEqual([...facts.labelRecords.keys()], [labelKey(shop, "A")]);
  t.deepEqual(["385", "milk", "other"].map(facts.itemOf), ["milk", "milk", undefined]);
  const departments = [{ id: "floor", alias: "floor", transceivers: ["T1"] }];
  await commit.change(stores, [shop], () => ({ ...demoStore, linkDepartments: departments }), "bulk");
  t.like((await load(patch("A"))).store, { linkDepartments: departments });
});

test("for labels with a new model, the positions with an active link are loaded", async (t) => {
  const { commit, records } = world.system;
  const tenant = "t/positions";
  const shop = `${tenant}/s/main`;
  const models3 = { name: "Three", labelTypes: [1328], linkPositions: 3 };
  await commit.change(models, [modelKey(tenant, "Three")], () => models3, "bulk");
  const barcodes = ["remodeled", "kept"];
  for (const barcode of barcodes) {
    const label = { barcode, type: 1328, modelName: "Three", stamps: {} };
    await commit.change(labels, [labelKey(shop, barcode)], () => label as Label, "bulk");
    const places = [0, 1, 2].map((position) => linkKey(shop, linkIdOf(barcode, position)));
    const bodyOf = (at: number): Link => ({
      ...{ eslId: barcode, displayPosition: at, origin: "studio", status: at === 1 ? "INACTIVE" : "ACTIVE" },
      ...{ itemId: "milk", linkedItemId: "milk", linkedAt: new Date(0), stamp: 1 },
    });
    await commit.change(links, places, (id) => bodyOf(places.indexOf(id)), "bulk");
  }
  const rows = [
    { row: { barcode: "remodeled", modelName: "Single" }, stamp: 2 },
    { row: { barcode: "kept" }, stamp: 2 },
    { row: { barcode: "new", modelName: "Single" }, stamp: 2 },
  ];
  const { occupied } = await loadLinkingFacts(records, async () => () => undefined, shop, rows);
  t.deepEqual([...occupied], [["remodeled", [0, 2]]]);
});
