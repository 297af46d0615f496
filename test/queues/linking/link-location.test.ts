import test from "ava";
import { MAX_LINKS_OF_ITEM } from "../../../domain/linking/links-of-item.ts";
import { itemLinks } from "../../../records/kinds/items.ts";
import { labels } from "../../../records/kinds/labels.ts";
import { links } from "../../../records/kinds/links.ts";
import { models } from "../../../records/kinds/tenants.ts";
import { itemKey, labelKey, linkIdOf, linkKey, modelKey, tenantOf } from "../../../schemas/keys.ts";
import type { LabelPatch } from "../../../schemas/label.ts";
import type { Outcome } from "../../../schemas/request.ts";
import { numberOf } from "../../api/calls.ts";
import { eventually } from "../../harness/eventually.ts";
import { DEMO_STORE, itemOutcomes, labelFor, labelOutcomes } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";

const MODEL = "Strip";
const POSITIONS = 3;

const shelfwire = ownStack({ workers: ["item", "link"] });
test.before(async () => {
  const { commit } = shelfwire.system;
  const model = { name: MODEL, labelTypes: [1328], linkPositions: POSITIONS };
  await commit.change(models, [modelKey(tenantOf(DEMO_STORE), MODEL)], () => model, "bulk");
  const items = ["milk", "bread", "salt", "tea"].map((itemId) => ({ itemId, price: "1.10" }));
  await itemOutcomes(shelfwire, await shelfwire.client.patchItems(items));
});

const patch = async (row: LabelPatch): Promise<Outcome[]> =>
  labelOutcomes(shelfwire, await shelfwire.client.patchLabels([row]));

/** A label with an item at each of its positions, on shelf A. */
async function hang(name: string): Promise<string> {
  const barcode = labelFor(name);
  const rows = ["milk", "bread", "salt"].map((itemId, displayPosition) => ({ itemId, displayPosition }));
  const outcomes = await patch({ barcode, modelName: MODEL, plLocation: "shelf A", links: rows });
  if (outcomes.some(({ status }) => status !== "SUCCESS")) throw new Error(JSON.stringify(outcomes));
  return barcode;
}

const linkKeys = (barcode: string): string[] =>
  Array.from({ length: POSITIONS }, (_, position) => linkKey(DEMO_STORE, linkIdOf(barcode, position)));

/** The location and the item of each of a label's links. */
async function linksOf(barcode: string): Promise<[string | undefined, string][]> {
  const found = await shelfwire.system.records.read(links, linkKeys(barcode));
  return linkKeys(barcode).flatMap((key) => {
    const link = found.get(key);
    return link ? [[link.location, link.itemId] as [string, string]] : [];
  });
}
const locationsOf = async (barcode: string) => (await linksOf(barcode)).map(([location]) => location);
const untilAt = (barcode: string, location: string) =>
  eventually(`all links of ${barcode} are at ${location}`, async () => {
    const locations = await locationsOf(barcode);
    return locations.length === POSITIONS && locations.every((found) => found === location);
  });

/** Waits until the link worker's queue is empty. */
const untilCalm = () =>
  eventually("the link worker is idle", async () => {
    const counts = await shelfwire.system.publisher
      .queue("link")
      .getJobCounts("active", "waiting", "prioritized", "delayed");
    return Object.values(counts).every((count) => count === 0);
  });
const readLabel = async (barcode: string) => {
  const key = labelKey(DEMO_STORE, barcode);
  return (await shelfwire.system.records.read(labels, [key])).get(key);
};

test.serial("the links of a new label have its location", async (t) => {
  const barcode = await hang("new");
  t.deepEqual(await linksOf(barcode), [
    ["shelf A", "milk"],
    ["shelf A", "bread"],
    ["shelf A", "salt"],
  ]);
});

test.serial("when a label moves, all its links move with it and keep their items", async (t) => {
  const barcode = await hang("moved");
  await patch({ barcode, plLocation: "shelf B" });
  await untilAt(barcode, "shelf B");
  t.is((await readLabel(barcode))?.plLocation, "shelf B");
  t.deepEqual(
    (await linksOf(barcode)).map(([, itemId]) => itemId),
    ["milk", "bread", "salt"],
  );
});

test.serial("a label that moves while one of its positions is relinked also moves its other links", async (t) => {
  const barcode = await hang("relinked");
  await patch({ barcode, plLocation: "shelf C", links: [{ itemId: "tea", displayPosition: 1 }] });
  await untilAt(barcode, "shelf C");
  t.deepEqual(
    (await linksOf(barcode)).map(([, itemId]) => itemId),
    ["milk", "tea", "salt"],
  );
});

test.serial("a new link has its label's current location", async (t) => {
  const barcode = labelFor("later");
  await patch({ barcode, modelName: MODEL, plLocation: "shelf A" });
  await patch({ barcode, plLocation: "shelf D" });
  await patch({ barcode, links: [{ itemId: "milk" }] });
  t.deepEqual(await linksOf(barcode), [["shelf D", "milk"]]);
});

test.serial("an empty location moves nothing", async (t) => {
  const barcode = await hang("empty");
  const [outcome] = await patch({ barcode, plLocation: "", links: [{ itemId: "tea" }] });
  t.is(outcome?.status, "SUCCESS");
  await untilCalm();
  t.deepEqual(await locationsOf(barcode), Array(POSITIONS).fill("shelf A"));
});

test.serial("an unknown item prevents its own link, but not the label's move", async (t) => {
  const barcode = await hang("not found");
  const unknown = { itemId: "nothing", displayPosition: 2 };
  const outcomes = await patch({ barcode, plLocation: "shelf E", links: [{ itemId: "tea" }, unknown] });
  t.deepEqual(
    outcomes.map(({ status }) => status),
    ["SUCCESS", "ITEM_NOT_FOUND"],
  );
  await untilAt(barcode, "shelf E");
  t.deepEqual(
    (await linksOf(barcode)).map(([, itemId]) => itemId),
    ["tea", "bread", "salt"],
  );
});

const refused: [string, Omit<LabelPatch, "barcode">, string][] = [
  ["its model is unknown", { modelName: "Nothing" }, "ERROR"],
  ["its model has too few positions", { modelName: "Medium" }, "ERROR"],
  ["its link department is unknown", { linkDepartment: "none" }, "ERROR_NO_LINK_DEPARTMENTS"],
  ["its transceiver is unknown", { homeTrx: "none" }, "ERROR"],
];
for (const [why, wrong, status] of refused) {
  test.serial(`a refused row moves nothing: ${why}`, async (t) => {
    const barcode = await hang(why);
    const label = await readLabel(barcode);
    const [outcome] = await patch({ barcode, plLocation: "shelf Z", ...wrong, links: [{ itemId: "tea" }] });
    t.is(outcome?.status, status as "ERROR");
    await untilCalm();
    t.deepEqual(await readLabel(barcode), label);
    t.deepEqual(await linksOf(barcode), [
      ["shelf A", "milk"],
      ["shelf A", "bread"],
      ["shelf A", "salt"],
    ]);
  });
}

test("only the link that exceeds its item's list is refused, and the item's existing links can be repeated", async (t) => {
  const { commit, records } = shelfwire.system;
  const full = {
    links: Array.from({ length: MAX_LINKS_OF_ITEM - 1 }, (_, index) => ({ id: `L${index}-0`, stamp: 1 })),
  };
  await itemOutcomes(shelfwire, await shelfwire.client.patchItems([{ itemId: "popular" }, { itemId: "rare" }]));
  await commit.change(itemLinks, [itemKey(DEMO_STORE, "popular")], () => full, "bulk");
  const [first, second] = [labelFor("the last"), labelFor("one too many")];
  const links = [{ itemId: "popular" }, { itemId: "rare", displayPosition: 1 }];
  const linked = await patch({ barcode: first, modelName: MODEL, links });
  t.deepEqual(
    linked.map(({ status }) => status),
    ["SUCCESS", "SUCCESS"],
  );
  const refused = await patch({ barcode: second, modelName: MODEL, links });
  t.like(refused, {
    0: { status: "ERROR", itemId: "popular", errors: ['the item "popular" already has the maximum of 20000 links'] },
    1: { status: "SUCCESS", itemId: "rare" },
  });
  t.deepEqual(
    (await linksOf(second)).map(([, itemId]) => itemId),
    ["rare"],
  );
  const onePosition = { barcode: labelFor("one position"), links: [{ itemId: "popular" }, { itemId: "rare" }] };
  t.deepEqual(
    (await patch(onePosition)).map(({ status }) => status),
    ["ERROR", "SUCCESS"],
  );
  const again = await patch({ barcode: first, modelName: MODEL, links });
  t.deepEqual(
    again.map(({ status }) => status),
    ["SUCCESS", "SUCCESS"],
  );
  const list = await records.read(itemLinks, [itemKey(DEMO_STORE, "popular")]);
  t.is(list.get(itemKey(DEMO_STORE, "popular"))?.links.length, MAX_LINKS_OF_ITEM);

  const moved = await shelfwire.call("PATCH", `/links/${linkIdOf(second, 1)}`, { itemId: "popular" });
  t.like((await labelOutcomes(shelfwire, await numberOf(moved)))[0], { status: "ERROR" });
  t.deepEqual(
    (await linksOf(second)).map(([, itemId]) => itemId),
    ["rare"],
  );
});
