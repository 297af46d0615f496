import test, { type ExecutionContext } from "ava";
import type { RecordKind } from "../../../records/kind.ts";
import { communicationPacks, designs } from "../../../records/kinds/designs.ts";
import { itemPages, items } from "../../../records/kinds/items.ts";
import { labels } from "../../../records/kinds/labels.ts";
import { links, storeLinks, studioLinks } from "../../../records/kinds/links.ts";
import { stores, tenants } from "../../../records/kinds/tenants.ts";
import type { Design } from "../../../schemas/design.ts";
import type { Item } from "../../../schemas/item.ts";
import { communicationPackKey, itemKey, tenantKey } from "../../../schemas/keys.ts";
import type { Link, StoreLink } from "../../../schemas/link.ts";
import type { Store } from "../../../schemas/store.ts";
import { TENANT_ID } from "../../../scripts/demo/catalogue.ts";
import { DEMO_STORE } from "../../harness/glass.ts";
import { openShelfwire, type Shelfwire } from "../../harness/shelfwire.ts";
import type { Changed, Value } from "./handlers-in-every-order.ts";
import * as inEachOrder from "./handlers-in-every-order.ts";
import { barcode, eccChain, eccRenderer, eccStage, label, link, type Stage, stages } from "./stages-of-a-label.ts";

/**
 * Two handlers of a stage, each started by a change to an input, in every order of their reads and writes: the second change may
 * happen at any step of the first handler.
 */
let shelfwire: Shelfwire;
test.before(async () => {
  shelfwire = await openShelfwire({ workers: [] });
  await set(labels, label, { barcode, type: 1328, modelName: "Medium", stamps: {} });
});
test.after.always(() => shelfwire.close());

const set = <Body>(kind: RecordKind<Body>, key: string, body: Body) =>
  inEachOrder.set(shelfwire.system, kind, key, body);
const endsWithLast = (t: ExecutionContext, one: Stage, input: Changed, values: readonly Value[]) =>
  inEachOrder.endsWithLast(t, shelfwire.system, one, input, values);
const madeBy = (one: Stage, values: readonly Value[]) => inEachOrder.madeBy(shelfwire.system, one, values);
const deriveUpTo = (last: Stage, chain?: readonly Stage[]) => inEachOrder.deriveUpTo(shelfwire.system, last, chain);

const item = (itemId: string, price: string, priceKind: string): Item => ({
  itemId,
  itemName: itemId,
  price,
  sics: [],
  properties: [{ key: "priceKind", value: priceKind, stamp: 1 }],
  stamps: {},
  created: 1,
});
const setItem = (itemId: string, price: string, priceKind = "regular") =>
  set(items, itemKey(DEMO_STORE, itemId), item(itemId, price, priceKind));

const linkTo = (itemId: string): Link => ({
  eslId: barcode,
  displayPosition: 0,
  itemId,
  linkedItemId: itemId,
  status: "ACTIVE",
  origin: "studio",
  linkedAt: new Date(0),
  stamp: 1,
});
const setLink = (itemId: string) => set(links, link, linkTo(itemId));

const itemX = itemKey(DEMO_STORE, "X");
const ofItem = { kind: items, key: itemX };
const ofPages = { kind: itemPages, key: itemX };
const ofLink = { kind: links, key: link };

const A = () => setItem("X", "1.00");
const B = () => setItem("X", "2.00", "special");
const toX = () => setLink("X");
const toY = () => setLink("Y");

for (const stageName of ["evaluator", "renderer"] as const) {
  test.serial(`${stageName}: a price that changes and changes back leaves nothing stale`, async (t) => {
    await toX();
    await endsWithLast(t, stages[stageName], ofItem, [A, B, A]);
  });
}

for (const [stageName, what, before] of [
  ["merger", "picture", stages.renderer],
  ["projection", "design", stages.evaluator],
] as const) {
  test.serial(`${stageName}: a ${what} that changes and changes back leaves nothing stale`, async (t) => {
    await toX();
    await endsWithLast(t, stages[stageName], before, await madeBy(before, [A, B, A]));
  });
}

const upload = (image: string) => () =>
  set(itemPages, itemX, {
    itemId: "X",
    images: [{ page: 0, width: 296, height: 128, colors: ["white", "black", "red"], image, stamp: 1 }],
    removed: [],
  });

test.serial("merger: an uploaded image that changes and changes back leaves nothing stale", async (t) => {
  await toX();
  await A();
  await endsWithLast(t, stages.merger, ofPages, ["a", "b", "a"].map(upload));
});

test.serial("merger: the first image of an item may be uploaded at any step of the merge", async (t) => {
  await toX();
  const { db } = shelfwire.system;
  await endsWithLast(t, stages.merger, ofPages, [
    async () => void (await db.collection(itemPages.name).deleteMany({})),
    async () => {
      await B();
      await deriveUpTo(stages.renderer);
    },
    upload("a"),
  ]);
});

for (const stageName of ["evaluator", "projection"] as const) {
  test.serial(`${stageName}: a relink from X to Y to X leaves nothing stale`, async (t) => {
    await A();
    await setItem("Y", "9.00", "special");
    await endsWithLast(t, stages[stageName], ofLink, [toX, toY, toX]);
  });
}

test.serial("evaluator: a different pack that is briefly active leaves nothing stale", async (t) => {
  const tenant = tenantKey(TENANT_ID);
  const present = (await shelfwire.system.records.read(tenants, [tenant])).get(tenant);
  const other = communicationPackKey(tenant, "other");
  const scenario = { id: "all", name: "All", design_ids: ["t/demo/designs/no-price-296x128"], children: [] };
  await set(communicationPacks, other, { name: "other", scenarios: [scenario] });
  const activate = (communicationPack: string | undefined) => () =>
    set(tenants, tenant, { name: "Demo", ...(communicationPack && { communicationPack }) });
  const [demo, another] = [activate(present?.communicationPack), activate(other)];
  await A();
  await toX();
  await endsWithLast(t, stages.evaluator, { kind: tenants, key: tenant }, [demo, another, demo]);
  await demo();
});

test.serial("evaluator: a store-level link that is created and removed leaves nothing stale", async (t) => {
  const setStoreLink = (status: StoreLink["status"]) => () =>
    set(storeLinks, itemX, {
      itemId: "X",
      designId: "t/demo/designs/special-296x128",
      status,
      stamp: 1,
    });
  await A();
  await toX();
  const [ended, made] = [setStoreLink("DELETED"), setStoreLink("ACTIVE")];
  await endsWithLast(t, stages.evaluator, { kind: storeLinks, key: itemX }, [ended, made, ended]);
  await ended();
});

test.serial("evaluator: a design that briefly fits no label leaves nothing stale", async (t) => {
  await A();
  await toX();
  await deriveUpTo(stages.evaluator);
  const { records } = shelfwire.system;
  const chosen = (await records.read(studioLinks, [link])).get(link)?.design_id ?? "";
  const present = (await records.read(designs, [chosen])).get(chosen) as Design;
  const fitting =
    (...types: number[]) =>
    () =>
      set(designs, chosen, { ...present, compatible_esltype_ids: types });
  const [fits, misfits] = [fitting(...present.compatible_esltype_ids), fitting()];
  await endsWithLast(t, stages.evaluator, { kind: designs, key: chosen }, [fits, misfits, fits]);
});

const designed = (designId: string) => () =>
  set(links, link, { ...linkTo("X"), origin: "designer", designId: `t/demo/designs/${designId}` });

test.serial("projection: a link that changes from rules to designer and back leaves nothing stale", async (t) => {
  await A();
  const poster = designed("special-296x128");
  await endsWithLast(t, stages.projection, ofLink, [toX, poster, toX]);
  await toX();
});

test.serial("projection: a link that is temporarily an ECC link leaves nothing stale", async (t) => {
  await A();
  const ecclink = { eccModelId: "m1", parameters: [], renderingHints: [] };
  const toEcc = () => set(links, link, { ...linkTo("X"), origin: "ecc", designId: "m1", ecclink });
  await endsWithLast(t, eccStage, ofLink, [toX, toEcc, toX]);
  // The same when a deleted ECC record already exists.
  await toEcc();
  await deriveUpTo(eccStage);
  await endsWithLast(t, eccStage, ofLink, [toX, toEcc, toX]);
  await toX();
});

const ofModel = (itemId: string) => () =>
  set(links, link, {
    ...linkTo(itemId),
    origin: "ecc",
    designId: "price-tag",
    ecclink: { eccModelId: "price-tag", parameters: [], renderingHints: [] },
  });

test.serial("ECC renderer: a price that changes and changes back leaves nothing stale", async (t) => {
  await ofModel("X")();
  await endsWithLast(t, eccRenderer, ofItem, [A, B, A]);
  await toX();
});

test.serial("merger: a model's picture that changes and changes back leaves nothing stale", async (t) => {
  await ofModel("X")();
  await deriveUpTo(stages.merger, eccChain);
  const pictures = await madeBy(eccRenderer, [A, B, A]);
  await endsWithLast(t, stages.merger, eccRenderer, pictures);
  await toX();
  await deriveUpTo(eccStage);
});

test.serial("renderer: a store's locale that changes and changes back leaves nothing stale", async (t) => {
  await A();
  await toX();
  const present = (await shelfwire.system.records.read(stores, [DEMO_STORE])).get(DEMO_STORE);
  const withLocale = (locale: string) => () => set(stores, DEMO_STORE, { ...(present as Store), locale });
  const [croatian, english] = [withLocale("hr-HR"), withLocale("en-GB")];
  await endsWithLast(t, stages.renderer, { kind: stores, key: DEMO_STORE }, [croatian, english, croatian]);
  await set(stores, DEMO_STORE, present as Store);
});

test.serial("renderer: a relink from X to Y to X leaves nothing stale", async (t) => {
  await A();
  await setItem("Y", "9.00", "special");
  const projections = await madeBy(stages.projection, [toX, toY, toX]);
  await endsWithLast(t, stages.renderer, stages.projection, projections);
});
