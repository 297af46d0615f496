import test from "ava";
import { encodePng } from "../../drawing/pixels/png.ts";
import { subscribers } from "../../queues/topology.ts";
import { readWalks } from "../../queues/walks/walk-progress.ts";
import { communicationPacks } from "../../records/kinds/designs.ts";
import { links, studioLinks } from "../../records/kinds/links.ts";
import { tenants } from "../../records/kinds/tenants.ts";
import type { Scenario } from "../../schemas/design.ts";
import type { Item } from "../../schemas/item.ts";
import { designKey, linkIdOf, linkKey, storeKey, tenantKey } from "../../schemas/keys.ts";
import type { Link } from "../../schemas/link.ts";
import { labelTypes, TENANT_ID } from "../../scripts/demo/catalogue.ts";
import { demoPack } from "../../scripts/demo/designs.ts";
import { drawDemo } from "../../scripts/demo/draw.ts";
import { MAX_HOLD_MS } from "../../workers/transmitter/hold-picture.ts";
import { openStore, writeItems, writeLabels, writeLinks } from "../api/calls.ts";
import { auditStore, nothingBehind } from "../harness/audits/audit.ts";
import { eventually } from "../harness/eventually.ts";
import { DEMO_STORE, glassOf, labelFor, transmissions } from "../harness/glass.ts";
import { openShelfwire, type Shelfwire } from "../harness/shelfwire.ts";

/**
 * The link evaluation rules 1, 10 and 11 (docs/rules.md#the-eleven-rules) on the running pipeline: which changes are published to
 * which worker, and in which order.
 */
let shelfwire: Shelfwire;
/** The processes that the test of rule 11 stops and starts. */
let evaluator: { close(): Promise<void> };
let renderer: { close(): Promise<void> };
const tenant = tenantKey(TENANT_ID);

test.before(async () => {
  shelfwire = await openShelfwire({ workers: ["item", "link", "merger", "transmitter"] });
  evaluator = await shelfwire.openWorker("evaluator");
  renderer = await shelfwire.openWorker("renderer");
});
test.after.always(() => shelfwire.close());

const designOf = (occasion: string): string => designKey(tenant, `${occasion}-296x128`);

async function setRules(scenarios: readonly Scenario[]): Promise<void> {
  const { records, commit } = shelfwire.system;
  const pack = (await records.read(tenants, [tenant])).get(tenant)?.communicationPack ?? "";
  const changed = { name: demoPack.name, scenarios: [...scenarios] };
  await commit.change(communicationPacks, [pack], () => changed, "interactive");
}

const readStudioLink = async (barcode: string, store = DEMO_STORE) => {
  const key = linkKey(store, linkIdOf(barcode, 0));
  return (await shelfwire.system.records.read(studioLinks, [key])).get(key);
};

/** Waits until the rules have chosen a design for a label's link. */
const chooses = (barcode: string, occasion: string, store = DEMO_STORE) =>
  eventually(`${barcode} has the design ${occasion}`, async () => {
    const studioLink = await readStudioLink(barcode, store);
    return studioLink?.design_id === designOf(occasion) && studioLink;
  });

const scenario = (id: string, cel_expression: string, occasion: string): Scenario => ({
  id,
  name: id,
  cel_expression,
  design_ids: [designOf(occasion)],
  children: [],
});

test.serial("rule 1: a change to the item, the link or the pack triggers an evaluation", async (t) => {
  const barcode = labelFor("rule 1");
  await writeItems(shelfwire, [{ itemId: "milk", itemName: "Milk", price: "1.99" }]);
  await writeLabels(shelfwire, [{ barcode, links: [{ itemId: "milk" }] }]);
  await chooses(barcode, "regular");
  await writeItems(shelfwire, [{ itemId: "milk", properties: { priceKind: "special" } }]);
  await chooses(barcode, "special");
  await writeItems(shelfwire, [{ itemId: "milk", properties: { priceKind: "regular" } }]);
  await chooses(barcode, "regular");

  const byFacings = scenario("many", "link.facings > 3", "no-price");
  await setRules([byFacings, ...demoPack.scenarios]);
  await writeLinks(shelfwire, "PATCH", `/links/${linkIdOf(barcode, 0)}`, { facings: "4" });
  await chooses(barcode, "no-price");
  await writeLinks(shelfwire, "PATCH", `/links/${linkIdOf(barcode, 0)}`, { facings: "3" });
  await chooses(barcode, "regular");

  await setRules([scenario("all", "true", "special")]);
  await chooses(barcode, "special");
  await setRules(demoPack.scenarios);
  await chooses(barcode, "regular");
  for (const topic of ["storeitemvalues.v1", "link.v2", "communicationpack.v1"] as const)
    t.true(subscribers(topic, { operation: "UPDATED" }).includes("evaluator"), topic);
});

test.serial(
  "rule 10: a pack change evaluates every studio link of the tenant, in batches, and no other link",
  async (t) => {
    const COUNT = 30;
    const branch = await openStore(shelfwire, "rule-10");
    const branchKey = storeKey(TENANT_ID, "rule-10");
    const names = Array.from({ length: COUNT }, (_, index) => labelFor(`rule 10 ${index}`));
    for (const one of [shelfwire, branch]) {
      await writeItems(one, [{ itemId: "bread", itemName: "Bread", price: "0.99" }]);
      await writeLabels(
        one,
        names.map((barcode) => ({ barcode, links: [{ itemId: "bread" }] })),
      );
    }
    const forced = labelFor("rule 10 forced");
    await writeLabels(shelfwire, [{ barcode: forced, links: [{ itemId: "bread" }] }]);
    await writeLinks(shelfwire, "PATCH", `/links/${linkIdOf(forced, 0)}`, { forced_design_id: designOf("regular") });
    await linkOfAnotherTenant();
    for (const store of [DEMO_STORE, branchKey]) for (const barcode of names) await chooses(barcode, "regular", store);
    t.deepEqual(await auditStore(shelfwire), nothingBehind);
    const before = await readStudioLink(forced);

    await setRules([scenario("all", "true", "no-price")]);
    const writes = new Map<string, number>();
    for (const store of [DEMO_STORE, branchKey]) {
      for (const barcode of names) {
        const [write = ""] = (await chooses(barcode, "no-price", store)).writeId.split(" ");
        writes.set(write, (writes.get(write) ?? 0) + 1);
      }
    }
    t.true(writes.size <= 4, `${2 * COUNT} links were written in ${writes.size} batches`);
    t.deepEqual(await auditStore(shelfwire), nothingBehind);
    t.is((await readStudioLink(forced))?.rev, before?.rev, "a link with a forced design is not evaluated");
    const { records, db } = shelfwire.system;
    const walk = (await readWalks(db, tenant)).find(({ queue }) => queue === "evaluator");
    t.is(
      walk?.checked,
      await records.count(links, `${tenant}/`),
      "the tenant's links are walked, all of them and no others",
    );
    t.true((await records.count(links, "t/")) > (walk?.checked ?? 0));
    await setRules(demoPack.scenarios);
    for (const store of [DEMO_STORE, branchKey]) for (const barcode of names) await chooses(barcode, "regular", store);
  },
);

async function linkOfAnotherTenant(): Promise<void> {
  const barcode = labelFor("another tenant");
  const key = linkKey("t/another/s/main", linkIdOf(barcode, 0));
  const body: Link = {
    eslId: barcode,
    displayPosition: 0,
    itemId: "bread",
    linkedItemId: "bread",
    status: "INACTIVE",
    origin: "studio",
    linkedAt: new Date(0),
    stamp: 1,
  };
  await shelfwire.system.commit.change(links, [key], () => body, "bulk");
}

const type = labelTypes.find((one) => one.type === 1328) as (typeof labelTypes)[number];

/** Draws the picture of an item in a design, without the pipeline. */
function pictureOf(
  item: { itemId: string; itemName: string; price: string; priceKind: string },
  occasion: string,
): Buffer {
  const { priceKind, ...fields } = item;
  const properties = [{ key: "priceKind", value: priceKind, stamp: 1 }];
  const record: Item = { ...fields, sics: [], properties, stamps: {}, created: 1 };
  return encodePng(drawDemo(record, type, designOf(occasion)));
}

const onGlass = (barcode: string, picture: Buffer, what: string) =>
  eventually(what, async () => shelfwire.labelServer.labels.get(barcode)?.pages.get(0)?.png?.equals(picture));

const cheese = { itemId: "cheese", itemName: "Cheese", price: "5.99", priceKind: "regular" };
const offer = { ...cheese, price: "4.49", priceKind: "special" };
const rowOf = ({ priceKind, ...fields }: typeof cheese) => ({ ...fields, properties: { priceKind } });

test.serial(
  "rule 11: without an evaluator, the new values appear in the old design first, then in the new one",
  async (t) => {
    const barcode = labelFor("rule 11");
    await writeItems(shelfwire, [rowOf(cheese)]);
    await writeLabels(shelfwire, [{ barcode, links: [{ itemId: "cheese" }] }]);
    t.deepEqual(await glassOf(shelfwire, barcode), pictureOf(cheese, "regular"));
    t.is(transmissions(shelfwire, barcode), 1);

    // The renderer does not wait for the evaluator: it draws while no evaluator runs.
    await evaluator.close();
    await writeItems(shelfwire, [rowOf(offer)]);
    await onGlass(barcode, pictureOf(offer, "regular"), "the old design with the new values");
    t.is(transmissions(shelfwire, barcode), 2);
    t.is((await readStudioLink(barcode))?.design_id, designOf("regular"));

    evaluator = await shelfwire.openWorker("evaluator");
    await onGlass(barcode, pictureOf(offer, "special"), "the new design");
    await glassOf(shelfwire, barcode);
    t.is(transmissions(shelfwire, barcode), 3, "the choice caused one more picture, and nothing else did");
    t.deepEqual(await auditStore(shelfwire), nothingBehind);
  },
);

test.serial("rule 11: while the evaluator runs, no label shows new values in the old design", async (t) => {
  const barcode = labelFor("rule 11 held");
  await writeItems(shelfwire, [rowOf(offer)]);
  await writeLabels(shelfwire, [{ barcode, links: [{ itemId: "cheese" }] }]);
  t.deepEqual(await glassOf(shelfwire, barcode), pictureOf(offer, "special"));
  for (const [item, occasion] of [
    [cheese, "regular"],
    [offer, "special"],
    [cheese, "regular"],
  ] as const) {
    const sent = transmissions(shelfwire, barcode);
    const startedAt = performance.now();
    await writeItems(shelfwire, [rowOf(item)]);
    await onGlass(barcode, pictureOf(item, occasion), `the design ${occasion}`);
    // On a very busy machine the choice may take longer, and the picture is sent without it.
    if (performance.now() - startedAt < MAX_HOLD_MS)
      t.is(transmissions(shelfwire, barcode), sent + 1, "each flip is sent once");
  }
});

test.serial(
  "rule 11: an evaluator that is faster than the renderer also leaves the label with the new design",
  async (t) => {
    const barcode = labelFor("rule 11 quick");
    await writeItems(shelfwire, [rowOf(cheese)]);
    await writeLabels(shelfwire, [{ barcode, links: [{ itemId: "cheese" }] }]);
    t.deepEqual(await glassOf(shelfwire, barcode), pictureOf(cheese, "regular"));
    await renderer.close();
    await writeItems(shelfwire, [rowOf(offer)]);
    await chooses(barcode, "special");
    renderer = await shelfwire.openWorker("renderer");
    await onGlass(barcode, pictureOf(offer, "special"), "the new design");
    t.deepEqual(await auditStore(shelfwire), nothingBehind);
    t.deepEqual(await glassOf(shelfwire, barcode), pictureOf(offer, "special"));
  },
);

test("rule 11: the evaluator and the renderer receive an item's changes independently of each other", (t) => {
  const receivers = subscribers("storeitemvalues.v1", { operation: "UPDATED" });
  t.true(receivers.includes("evaluator"));
  t.true(receivers.includes("renderer"));
});
