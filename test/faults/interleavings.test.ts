import test, { type ExecutionContext } from "ava";
import { createDrawing } from "../../drawing/thread/drawing.ts";
import { createCommit } from "../../queues/changes/commit.ts";
import type { Derivation } from "../../queues/changes/derivation.ts";
import { createDerive, type Derive } from "../../queues/changes/derive.ts";
import { designerLinkDerivation } from "../../queues/derivations/designer-link.ts";
import { eccEslImageDerivation } from "../../queues/derivations/ecc-esl-image.ts";
import { eccLinkDerivation } from "../../queues/derivations/ecc-link.ts";
import { eslImageDerivation } from "../../queues/derivations/esl-image.ts";
import { renderedImageDerivation } from "../../queues/derivations/rendered-image.ts";
import { studioLinkDerivation } from "../../queues/derivations/studio-link.ts";
import { openImageFiles } from "../../records/files/image-files.ts";
import { openUploads } from "../../records/files/uploads.ts";
import type { RecordKind } from "../../records/kind.ts";
import { communicationPacks } from "../../records/kinds/designs.ts";
import { itemPages, items } from "../../records/kinds/items.ts";
import { labels } from "../../records/kinds/labels.ts";
import { designerLinks, eccLinks, links, storeLinks, studioLinks } from "../../records/kinds/links.ts";
import { eccEslImages, eslImages, renderedImages } from "../../records/kinds/pictures.ts";
import { tenants } from "../../records/kinds/tenants.ts";
import { openOutbox } from "../../records/outbox/outbox.ts";
import type { Records } from "../../records/records.ts";
import type { DesignerLink, EccLink, StudioLink } from "../../schemas/design.ts";
import type { EccEslImage, EslImage, RenderedImage } from "../../schemas/image.ts";
import type { Item } from "../../schemas/item.ts";
import { communicationPackKey, itemKey, labelKey, linkIdOf, linkKey, tenantKey } from "../../schemas/keys.ts";
import type { Link, StoreLink } from "../../schemas/link.ts";
import type { Stored } from "../../schemas/record.ts";
import { TENANT_ID } from "../../scripts/demo/catalogue.ts";
import { DEMO_STORE, labelFor } from "../harness/glass.ts";
import { openShelfwire, type Shelfwire } from "../harness/shelfwire.ts";
import { type Gate, inEveryOrder, inTurns } from "../harness/turns.ts";

/**
 * Two handlers of a stage, each begun by a change of an input, in every order of their reads and writes: the second
 * change may come at any step of the first handler.
 */
let shelfwire: Shelfwire;
const barcode = labelFor("interleaved");
const label = labelKey(DEMO_STORE, barcode);
const link = linkKey(DEMO_STORE, linkIdOf(barcode, 0));
const schemeOf = async () => () => 1328;
const drawing = createDrawing();

test.before(async () => {
  shelfwire = await openShelfwire({ workers: [] });
  await set(labels, label, { barcode, type: 1328, modelName: "Medium", stamps: {} });
});
test.after.always(() => shelfwire.close());

/** Writes a record in one step. */
async function set<Body>(kind: RecordKind<Body>, key: string, body: Body): Promise<void> {
  await shelfwire.system.commit.change(kind, [key], () => body, "bulk");
}

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

interface Stage {
  kind: RecordKind<unknown>;
  key: string;
  derivation(records: Records): Derivation<never, never>;
  /** The compared value of the derived record. */
  outcome(record: Stored<never>): unknown;
}

const stage = <Facts, Body>(
  kind: RecordKind<Body>,
  key: string,
  derivation: (records: Records) => Derivation<Facts, Body>,
  outcome: (record: Stored<Body>) => unknown,
) => ({ kind, key, derivation, outcome }) as unknown as Stage;

const stages = {
  evaluator: stage(
    studioLinks,
    link,
    (records) => studioLinkDerivation({ records, schemeOf, now: () => new Date(0), log: { error: () => {} } }),
    ({ design_id }: StudioLink) => design_id,
  ),
  projection: stage(designerLinks, link, designerLinkDerivation, ({ itemId, design_id }: DesignerLink) => [
    itemId,
    design_id,
  ]),
  renderer: stage(
    renderedImages,
    link,
    () => {
      const now = () => new Date();
      const [imageFiles, uploads] = [openImageFiles(shelfwire.system.db, now), openUploads(shelfwire.system.db, now)];
      return renderedImageDerivation({ imageFiles, uploads, drawing });
    },
    ({ image }: RenderedImage) => image,
  ),
  merger: stage(
    eslImages,
    label,
    (records) =>
      eslImageDerivation({
        records,
        imageFiles: openImageFiles(shelfwire.system.db, () => new Date()),
        orderSizes: async () => {},
      }),
    ({ pages }: EslImage) => pages,
  ),
};

/**
 * Stages in addition to those of the picture. A link that never was an ECC link has no ECC record, which equals a deleted one.
 */
const eccStage = stage(eccLinks, link, eccLinkDerivation, (record?: EccLink) => record?.status ?? "DELETED");

const eccRenderer = stage(
  eccEslImages,
  link,
  () => {
    const now = () => new Date();
    const [imageFiles, uploads] = [openImageFiles(shelfwire.system.db, now), openUploads(shelfwire.system.db, now)];
    return eccEslImageDerivation({ imageFiles, uploads, drawing });
  },
  ({ image }: EccEslImage) => image,
);

/** Derives a stage's record, each step controlled by a gate if one is given. */
function deriveOf(
  { kind, key, derivation }: Stage,
  input?: Changed,
  gate?: Gate,
): [Derive, Derivation<never, never>, string] {
  const { system } = shelfwire;
  const watched = [kind, ...(input ? [input.kind] : [])] as RecordKind<never>[];
  const records = gate ? inTurns(system.records, gate, watched) : system.records;
  const commit = createCommit({ ...system, records, outbox: openOutbox(system.db) });
  return [createDerive({ records, commit }), derivation(records), key];
}

const derive = ([{ derive: run }, derivation, key]: ReturnType<typeof deriveOf>) => run(derivation, [key], "bulk");

/** Derives the stages up to this one from the current records, for the rules or for an ECC link. */
async function deriveUpTo(last: Stage, chain: readonly Stage[] = chainOf(last)): Promise<void> {
  for (const one of chain) {
    await derive(deriveOf(one));
    if (one === last) return;
  }
}

const eccChain = [eccStage, eccRenderer, stages.projection, stages.renderer, stages.merger];
const chainOf = (last: Stage): readonly Stage[] =>
  last === eccStage || last === eccRenderer ? eccChain : Object.values(stages);

/** A record that a scenario changes. */
interface Changed {
  kind: { name: string };
  key: string;
}

const itemX = itemKey(DEMO_STORE, "X");
const ofItem = { kind: items, key: itemX };
const ofPages = { kind: itemPages, key: itemX };
const ofLink = { kind: links, key: link };

/** Reads records in their current state; returns a function that restores them. */
async function recordsOf(changed: readonly Changed[]): Promise<() => Promise<void>> {
  const restores = changed.map(async ({ kind, key }) => {
    const collection = shelfwire.system.db.collection<{ _id: string }>(kind.name);
    const document = await collection.findOne({ _id: key });
    return () =>
      document ? collection.replaceOne({ _id: key }, document, { upsert: true }) : collection.deleteOne({ _id: key });
  });
  const putBack = await Promise.all(restores);
  return async () => void (await Promise.all(putBack.map((restore) => restore())));
}

const recordOf = async ({ kind, key }: Stage) =>
  (await shelfwire.system.records.read(kind, [key])).get(key) as Stored<never>;

type Value = () => Promise<void>;

/** Makes a stage's record by each value; returns functions that write this record again, without the stages before it. */
async function madeBy(one: Stage, values: readonly Value[]): Promise<Value[]> {
  const made: Value[] = [];
  for (const value of values) {
    await value();
    await deriveUpTo(one);
    const record = await recordOf(one);
    made.push(() => set<unknown>(one.kind, one.key, record));
  }
  return made;
}

/**
 * The input is `values[0]` first; it becomes each other value, and each change begins a handler. In any order of steps
 * the record must end as the last value alone would have made it. Values A, B, A show most: a handler that reads the
 * last A writes nothing, so the compare-and-set of a slower one that read B succeeds.
 */
async function endsWithLast(t: ExecutionContext, one: Stage, input: Changed, values: readonly Value[]): Promise<void> {
  const [first, second, third] = values;
  if (!first || !second || !third) throw new Error("three values make a scenario");
  const outcome = async () => one.outcome(await recordOf(one));
  await third();
  await deriveUpTo(one);
  const expected = await outcome();
  await first();
  await deriveUpTo(one);
  await second();
  const orders = await inEveryOrder({
    prepare: await recordsOf([input, one]),
    works: [
      (gate) => derive(deriveOf(one, input, gate)),
      async (gate) => {
        await gate({ kind: input.kind.name, writes: true });
        await third();
        await derive(deriveOf(one, input, gate));
      },
    ],
    async check(order) {
      const [{ findStale }, derivation, key] = deriveOf(one);
      t.deepEqual(await outcome(), expected, `stale after the order ${order.join("")}`);
      t.deepEqual(await findStale(derivation, [key]), [], `behind after the order ${order.join("")}`);
    },
  });
  t.log(`${orders} orders`);
  t.true(orders > 5, "the handlers were interleaved");
}

const A = () => setItem("X", "1.00");
const B = () => setItem("X", "2.00", "special");
const toX = () => setLink("X");
const toY = () => setLink("Y");

for (const stageName of ["evaluator", "renderer"] as const) {
  test.serial(`${stageName}: a price that changes A, B, A leaves nothing stale`, async (t) => {
    await toX();
    await endsWithLast(t, stages[stageName], ofItem, [A, B, A]);
  });
}

for (const [stageName, what, before] of [
  ["merger", "picture", stages.renderer],
  ["projection", "design", stages.evaluator],
] as const) {
  test.serial(`${stageName}: a ${what} that changes A, B, A leaves nothing stale`, async (t) => {
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

test.serial("merger: an uploaded image that changes A, B, A leaves nothing stale", async (t) => {
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

test.serial("evaluator: another pack that is active for a while leaves nothing stale", async (t) => {
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
  // Again where a deleted ECC record already exists.
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

test.serial("ECC renderer: a price that changes A, B, A leaves nothing stale", async (t) => {
  await ofModel("X")();
  await endsWithLast(t, eccRenderer, ofItem, [A, B, A]);
  await toX();
});

test.serial("merger: a model's picture that changes A, B, A leaves nothing stale", async (t) => {
  await ofModel("X")();
  await deriveUpTo(stages.merger, eccChain);
  const pictures = await madeBy(eccRenderer, [A, B, A]);
  await endsWithLast(t, stages.merger, eccRenderer, pictures);
  await toX();
  await deriveUpTo(eccStage);
});

test.serial("renderer: a relink from X to Y to X leaves nothing stale", async (t) => {
  await A();
  await setItem("Y", "9.00", "special");
  const projections = await madeBy(stages.projection, [toX, toY, toX]);
  await endsWithLast(t, stages.renderer, stages.projection, projections);
});
