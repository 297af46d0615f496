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
  input?: RecordKind<never>,
  gate?: Gate,
): [Derive, Derivation<never, never>, string] {
  const { system } = shelfwire;
  const watched = [kind, input].filter((one) => one !== undefined) as RecordKind<never>[];
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

/** The records of some kinds in their current state; returns a function that restores them. */
async function recordsOf(kinds: ReadonlySet<RecordKind<never>>): Promise<() => Promise<void>> {
  const collections = [...kinds].map(({ name }) => shelfwire.system.db.collection<{ _id: string }>(name));
  const stored = await Promise.all(
    collections.map(async (collection) => ({ collection, documents: await collection.find().toArray() })),
  );
  return async () => {
    const putBack = stored.map(async ({ collection, documents }) => {
      await collection.deleteMany({});
      if (documents.length > 0) await collection.insertMany(documents);
    });
    await Promise.all(putBack);
  };
}

/**
 * The input is `values[0]` first; it becomes each other value, and each change begins a handler. In any order of steps
 * the record must end as the last value alone would have made it.
 */
async function endsWithLast(
  t: ExecutionContext,
  one: Stage,
  input: RecordKind<never>,
  values: readonly (() => Promise<void>)[],
): Promise<void> {
  const { system } = shelfwire;
  const [first, second, third] = values;
  if (!first || !second || !third) throw new Error("three values make a scenario");
  const outcome = async () =>
    one.outcome((await system.records.read(one.kind, [one.key])).get(one.key) as Stored<never>);
  await third();
  await deriveUpTo(one);
  const expected = await outcome();
  await first();
  await deriveUpTo(one);
  await second();
  const chain = chainOf(one);
  // No work derives a stage behind this one.
  const derived = chain.slice(0, chain.indexOf(one) + 1).map(({ kind }) => kind as RecordKind<never>);
  const putBack = await recordsOf(new Set([input, items as RecordKind<never>, ...derived]));
  const orders = await inEveryOrder({
    prepare: putBack,
    works: [
      (gate) => derive(deriveOf(one, input, gate)),
      async (gate) => {
        await gate({ kind: input.name, writes: true });
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
const C = () => setItem("X", "3.00");
const toX = () => setLink("X");
const toY = () => setLink("Y");

for (const [name, values] of [
  ["A, B, A", [A, B, A]],
  ["A, B, C", [A, B, C]],
] as const) {
  for (const stageName of ["evaluator", "renderer"] as const) {
    test.serial(`${stageName}: a price that changes ${name} leaves nothing stale`, async (t) => {
      await toX();
      await endsWithLast(t, stages[stageName], items as RecordKind<never>, values);
    });
  }

  test.serial(`merger: a picture that changes ${name} leaves nothing stale`, async (t) => {
    await toX();
    const draw = (value: () => Promise<void>) => async () => {
      await value();
      await deriveUpTo(stages.renderer);
    };
    await endsWithLast(t, stages.merger, renderedImages as RecordKind<never>, values.map(draw));
  });

  test.serial(`projection: a design that changes ${name} leaves nothing stale`, async (t) => {
    await toX();
    const evaluate = (value: () => Promise<void>) => async () => {
      await value();
      await deriveUpTo(stages.evaluator);
    };
    await endsWithLast(t, stages.projection, studioLinks as RecordKind<never>, values.map(evaluate));
  });
}

const upload = (image: string) =>
  set(itemPages, itemKey(DEMO_STORE, "X"), {
    itemId: "X",
    images: [{ page: 0, width: 296, height: 128, colors: ["white", "black", "red"], image, stamp: 1 }],
    removed: [],
  });

for (const [name, values] of [
  ["A, B, A", ["a", "b", "a"]],
  ["A, B, C", ["a", "b", "c"]],
] as const) {
  test.serial(`merger: an uploaded image that changes ${name} leaves nothing stale`, async (t) => {
    await toX();
    await A();
    await endsWithLast(
      t,
      stages.merger,
      itemPages as RecordKind<never>,
      values.map((image) => () => upload(image)),
    );
  });
}

test.serial("merger: the first image of an item may be uploaded at any step of the merge", async (t) => {
  await toX();
  const { db } = shelfwire.system;
  await endsWithLast(t, stages.merger, itemPages as RecordKind<never>, [
    async () => void (await db.collection(itemPages.name).deleteMany({})),
    async () => {
      await B();
      await deriveUpTo(stages.renderer);
    },
    () => upload("a"),
  ]);
});

for (const [stageName, input] of [
  ["evaluator", links],
  ["projection", links],
] as const) {
  test.serial(`${stageName}: a relink from X to Y to X leaves nothing stale`, async (t) => {
    await A();
    await setItem("Y", "9.00", "special");
    await endsWithLast(t, stages[stageName], input as RecordKind<never>, [toX, toY, toX]);
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
  await endsWithLast(t, stages.evaluator, tenants as RecordKind<never>, [demo, another, demo]);
  await demo();
});

test.serial("evaluator: a store-level link that is created and removed leaves nothing stale", async (t) => {
  const setStoreLink = (status: StoreLink["status"]) => () =>
    set(storeLinks, itemKey(DEMO_STORE, "X"), {
      itemId: "X",
      designId: "t/demo/designs/special-296x128",
      status,
      stamp: 1,
    });
  await A();
  await toX();
  const [ended, made] = [setStoreLink("DELETED"), setStoreLink("ACTIVE")];
  await endsWithLast(t, stages.evaluator, storeLinks as RecordKind<never>, [ended, made, ended]);
  await ended();
});

const designed = (designId: string) => () =>
  set(links, link, { ...linkTo("X"), origin: "designer", designId: `t/demo/designs/${designId}` });

test.serial("projection: a link that changes from rules to designer and back leaves nothing stale", async (t) => {
  await A();
  const poster = designed("special-296x128");
  await endsWithLast(t, stages.projection, links as RecordKind<never>, [toX, poster, toX]);
  await toX();
});

test.serial("projection: a link that is temporarily an ECC link leaves nothing stale", async (t) => {
  await A();
  const ecclink = { eccModelId: "m1", parameters: [], renderingHints: [] };
  const toEcc = () => set(links, link, { ...linkTo("X"), origin: "ecc", designId: "m1", ecclink });
  await endsWithLast(t, eccStage, links as RecordKind<never>, [toX, toEcc, toX]);
  // Again where a deleted ECC record already exists.
  await toEcc();
  await deriveUpTo(eccStage);
  await endsWithLast(t, eccStage, links as RecordKind<never>, [toX, toEcc, toX]);
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
  await endsWithLast(t, eccRenderer, items as RecordKind<never>, [A, B, A]);
  await toX();
});

test.serial("merger: a model's picture that changes A, B, A leaves nothing stale", async (t) => {
  await ofModel("X")();
  await deriveUpTo(stages.merger, eccChain);
  const draw = (value: () => Promise<void>) => async () => {
    await value();
    await deriveUpTo(stages.renderer, eccChain);
  };
  await endsWithLast(t, stages.merger, eccEslImages as RecordKind<never>, [A, B, A].map(draw));
  await toX();
  await deriveUpTo(eccStage);
});

test.serial("renderer: a relink from X to Y to X leaves nothing stale", async (t) => {
  await A();
  await setItem("Y", "9.00", "special");
  const project = (value: () => Promise<void>) => async () => {
    await value();
    await deriveUpTo(stages.projection);
  };
  await endsWithLast(t, stages.renderer, designerLinks as RecordKind<never>, [toX, toY, toX].map(project));
});
