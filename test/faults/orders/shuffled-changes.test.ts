import test from "ava";
import fc from "fast-check";
import { afterEvent } from "../../../domain/linking/link-transitions.ts";
import { itemLinks, items } from "../../../records/kinds/items.ts";
import { labels } from "../../../records/kinds/labels.ts";
import { designerLinks, eccLinks, links, studioLinks } from "../../../records/kinds/links.ts";
import { eslImages, renderedImages } from "../../../records/kinds/pictures.ts";
import { designKey, itemKey, labelKey, linkIdOf, linkKey, tenantKey } from "../../../schemas/keys.ts";
import type { Link } from "../../../schemas/link.ts";
import { TENANT_ID } from "../../../scripts/demo/catalogue.ts";
import { DEMO_STORE, labelFor } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";
import { runsToTry } from "../../harness/searches/effort.ts";
import { openPipeline, type Pipeline } from "./pipeline-by-hand.ts";

/**
 * The handlers of the whole pipeline on stored records. The test replaces Redis: it collects every published change and delivers
 * the changes in any order, some of them several times.
 */
const shelfwire = ownStack({ workers: [] });
test.before(async () => {
  pipeline = openPipeline(shelfwire);
});

let pipeline: Pipeline;

let scenes = 0;
/** Creates a label without links, and two items. */
async function aScene({ commit }: Pipeline) {
  scenes += 1;
  const barcode = labelFor(`shuffled ${scenes}`);
  const scene = { barcode, x: `X ${scenes}`, y: `Y ${scenes}`, link: linkKey(DEMO_STORE, linkIdOf(barcode, 0)) };
  const label = { barcode, type: 1328, modelName: "Medium", stamps: {} };
  await commit.change(labels, [labelKey(DEMO_STORE, barcode)], () => label, "bulk");
  for (const itemId of [scene.x, scene.y]) {
    const entry = { id: linkIdOf(barcode, 0), stamp: 1 };
    await commit.change(itemLinks, [itemKey(DEMO_STORE, itemId)], () => ({ links: [entry] }), "bulk");
  }
  return scene;
}
type Scene = Awaited<ReturnType<typeof aScene>>;

const setItem =
  (which: "x" | "y", price: string | undefined, priceKind = "regular") =>
  async ({ commit }: Pipeline, scene: Scene) => {
    const itemId = scene[which];
    // In these tests an item without a price is deleted.
    const body = {
      itemId,
      itemName: which,
      ...(price === undefined ? { deleted: true as const } : { price }),
      sics: [],
      properties: [{ key: "priceKind", value: priceKind, stamp: 1 }],
      stamps: {},
      created: 1,
    };
    await commit.change(items, [itemKey(DEMO_STORE, itemId)], () => body, "bulk");
  };

const setLink =
  (change: (link: Link, scene: Scene) => Link) =>
  async ({ commit }: Pipeline, scene: Scene) => {
    const fresh: Link = {
      eslId: scene.barcode,
      displayPosition: 0,
      itemId: scene.x,
      linkedItemId: scene.x,
      status: "ACTIVE",
      origin: "studio",
      linkedAt: new Date(0),
      stamp: 1,
    };
    await commit.change(links, [scene.link], (_, current) => change(current ?? fresh, scene), "bulk");
  };

const own = { designId: undefined, ecclink: undefined, forced_design_id: undefined };
/** The possible writes to records that are not derived. */
const happenings = {
  "X costs 1": setItem("x", "1.00"),
  "X costs 2": setItem("x", "2.00"),
  "X is an offer": setItem("x", "2.00", "special"),
  "X is deleted": setItem("x", undefined),
  "Y costs 3": setItem("y", "3.00"),
  "Y is an offer": setItem("y", "4.00", "special"),
  "link X": setLink((link, { x }) => ({ ...afterEvent(link, "LINK"), ...own, origin: "studio", itemId: x })),
  "link Y": setLink((link, { y }) => ({ ...afterEvent(link, "LINK"), ...own, origin: "studio", itemId: y })),
  facings: setLink((link) => ({ ...link, facings: String(Number(link.facings ?? 0) + 1) })),
  "force a design": setLink((link) => ({
    ...link,
    forced_design_id: designKey(tenantKey(TENANT_ID), "no-price-296x128"),
  })),
  "an ECC link": setLink((link) => ({
    ...link,
    ...own,
    origin: "ecc",
    designId: "m1",
    ecclink: { eccModelId: "m1", parameters: [], renderingHints: [] },
  })),
  "switch off": setLink((link) => afterEvent(link, "SWITCH_OFF")),
  "switch on": setLink((link) => afterEvent(link, "SWITCH_ON")),
  unlink: setLink((link) => afterEvent(link, "UNLINK")),
};
type Happening = keyof typeof happenings;
const names = Object.keys(happenings) as Happening[];

/** Returns the final contents of the records, without times and without the names of the scene. */
async function outcomeOf(scene: Scene) {
  const { records } = shelfwire.system;
  const [link, studioLink, designerLink, eccLink, rendered, image] = await Promise.all([
    one(records.read(links, [scene.link])),
    one(records.read(studioLinks, [scene.link])),
    one(records.read(designerLinks, [scene.link])),
    one(records.read(eccLinks, [scene.link])),
    one(records.read(renderedImages, [scene.link])),
    one(records.read(eslImages, [labelKey(DEMO_STORE, scene.barcode)])),
  ]);
  const isShown = link?.status === "ACTIVE";
  const isOfRules = isShown && link.origin === "studio";
  return {
    status: link?.status,
    facings: link?.facings,
    item: link?.itemId === scene.x ? "X" : "Y",
    // If the link shows nothing now, its studio link holds an earlier choice and is not compared.
    chosen: isOfRules ? studioLink?.design_id : undefined,
    drawn: isShown ? designerLink?.design_id : undefined,
    projected: designerLink?.linkRev === link?.rev && designerLink?.itemId === link?.itemId,
    ecc: isShown && link.origin === "ecc" ? eccLink?.linkRev === link.rev : eccLink?.status === "ACTIVE",
    picture: rendered?.image,
    fault: image?.fault?.reason,
    pages: image?.pages,
  };
}

const one = async <Body>(read: Promise<Map<string, Body>>): Promise<Body | undefined> => [...(await read).values()][0];

const SEED = 7;
/** The writes that every play starts with. */
const SCENE = ["Y costs 3", "X costs 1", "link X"] as const;

/** Performs the writes, delivers some of the collected changes after each, and all changes at the end. */
async function play(
  happening: readonly Happening[],
  next: { index(count: number): number; after(): number; isRepeated(): boolean },
): Promise<{ outcome: Awaited<ReturnType<typeof outcomeOf>>; stale: string[] }> {
  const { held, stages } = pipeline;
  held.length = 0;
  const scene = await aScene(pipeline);
  const handOver = async () => {
    const [{ handler, change } = never()] = held.splice(next.index(held.length), 1);
    if (next.isRepeated()) held.push({ handler, change });
    await handler([change]);
  };
  for (const name of [...SCENE, ...happening]) {
    await happenings[name](pipeline, scene);
    for (let count = next.after(); count > 0 && held.length > 0; count -= 1) await handOver();
  }
  while (held.length > 0) await handOver();
  const stale = await Promise.all(
    stages.map(async ({ name, findStale }) => ((await findStale([scene.link])).length > 0 ? [name] : [])),
  );
  return { outcome: await outcomeOf(scene), stale: stale.flat() };
}

function never(): never {
  throw new Error("there was nothing to deliver");
}

test.serial("the same changes end in the same records, in any order and with any repetition", async (t) => {
  const inOrder = { index: () => 0, after: () => Number.POSITIVE_INFINITY, isRepeated: () => false };
  const statuses = new Set<unknown>();
  const pictures = new Set<unknown>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 7 }),
      fc.infiniteStream(fc.nat(1_000)),
      async (happening, numbers) => {
        const draw = (): number => Number(numbers.next().value);
        const expected = await play(happening, inOrder);
        const shuffled = await play(happening, {
          index: (count) => draw() % count,
          after: () => draw() % 4,
          isRepeated: () => draw() % 5 === 0,
        });
        statuses.add(expected.outcome.status);
        pictures.add(expected.outcome.picture);
        t.deepEqual(shuffled, expected);
        t.deepEqual(expected.stale, []);
      },
    ),
    { numRuns: runsToTry(t, 12, 48, "histories"), seed: SEED },
  );
  t.true(statuses.size > 1 && pictures.size > 1, "the plays ended differently");
});

for (const [what, again] of [
  ["price", "X costs 2"],
  ["design", "X is an offer"],
] as const) {
  test.serial(`an item that is deleted and created again before any worker runs shows its new ${what}`, async (t) => {
    const inOrder = { index: () => 0, isRepeated: () => false };
    const expected = await play([again], { ...inOrder, after: () => Number.POSITIVE_INFINITY });
    const together = ["X is deleted", again] as const;
    // Changes are delivered after each write that sets up the scene; then the item is deleted and created again before the next
    // delivery.
    let writes = 0;
    const after = () => (++writes === SCENE.length + 1 ? 0 : Number.POSITIVE_INFINITY);
    t.deepEqual(await play(together, { ...inOrder, after }), expected);
    t.deepEqual(expected.stale, []);
  });
}
