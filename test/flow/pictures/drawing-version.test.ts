import test from "ava";
import { createDrawing } from "../../../drawing/thread/draw-within-limits.ts";
import { stageOf } from "../../../queues/changes/stage.ts";
import { designerLinkDerivation } from "../../../queues/derivations/designer-link.ts";
import { eccEslImageDerivation } from "../../../queues/derivations/ecc-esl-image.ts";
import { eccLinkDerivation } from "../../../queues/derivations/ecc-link.ts";
import { eslImageDerivation } from "../../../queues/derivations/esl-image.ts";
import { renderedImageDerivation } from "../../../queues/derivations/rendered-image.ts";
import { createWalker } from "../../../queues/walks/walk.ts";
import { openImageFiles } from "../../../records/files/image-files.ts";
import { openUploads } from "../../../records/files/uploads.ts";
import type { RecordKind } from "../../../records/kind.ts";
import { items } from "../../../records/kinds/items.ts";
import { labels } from "../../../records/kinds/labels.ts";
import { designerLinks, eccLinks, links } from "../../../records/kinds/links.ts";
import { eslImages, renderedImages } from "../../../records/kinds/pictures.ts";
import { walks } from "../../../records/kinds/work.ts";
import { designKey, itemKey, labelKey, linkIdOf, linkKey, tenantKey, walkKey } from "../../../schemas/keys.ts";
import type { Link } from "../../../schemas/link.ts";
import { TENANT_ID } from "../../../scripts/demo/catalogue.ts";
import { DEMO_STORE, labelFor } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";
import { jobsOf } from "../../harness/system.ts";

const shelfwire = ownStack({ workers: [] });
const drawing = createDrawing();
const linkOf = (name: string) => linkKey(DEMO_STORE, linkIdOf(labelFor(name), 0));
const design = designKey(tenantKey(TENANT_ID), "regular-296x128");

async function set<Body>(kind: RecordKind<Body>, key: string, body: Body): Promise<void> {
  await shelfwire.system.commit.change(kind, [key], () => body, "bulk");
}

async function hang(name: string, fields: Partial<Link>): Promise<void> {
  const barcode = labelFor(name);
  const shared = {
    eslId: barcode,
    displayPosition: 0,
    itemId: "X",
    linkedItemId: "X",
    linkedAt: new Date(0),
    stamp: 1,
  };
  await set(labels, labelKey(DEMO_STORE, barcode), { barcode, type: 1328, modelName: "Medium", stamps: {} });
  await set(links, linkOf(name), { ...shared, status: "ACTIVE", origin: "designer", ...fields });
}

/** Returns the renderer's derivations in a release whose drawing has this mark. */
function release(mark: string) {
  const { system } = shelfwire;
  const imageFiles = openImageFiles(system.db, system.now);
  const uploads = openUploads(system.db, system.now);
  const dependencies = { records: system.records, imageFiles, uploads, drawing, mark };
  return { drawn: renderedImageDerivation(dependencies), ecc: eccEslImageDerivation(dependencies) };
}

test.serial(
  "after a release that draws differently an audit redraws every picture in bulk and sends only the changed ones",
  async (t) => {
    const { system } = shelfwire;
    const { records, derive, findStale } = system;
    await set(items, itemKey(DEMO_STORE, "X"), {
      itemId: "X",
      price: "1.99",
      sics: [],
      properties: [],
      stamps: {},
      created: 1,
    });
    await hang("designed", { designId: design });
    await hang("off", { designId: design, status: "INACTIVE" });
    const ecclink = { eccModelId: "offer", parameters: [{ key: "banner", value: "TODAY" }], renderingHints: [] };
    await hang("modelled", { origin: "ecc", ecclink });
    const keys = ["designed", "off", "modelled"].map(linkOf);
    const labelKeys = ["designed", "off", "modelled"].map((name) => labelKey(DEMO_STORE, labelFor(name)));
    const merged = eslImageDerivation({
      records,
      imageFiles: openImageFiles(system.db, system.now),
      orderSizes: async () => {},
    });
    const drawIn = async ({ drawn, ecc }: ReturnType<typeof release>) => {
      await derive(drawn, keys, "bulk");
      await derive(ecc, keys, "bulk");
      await derive(merged, labelKeys, "bulk");
    };
    const [one, two] = [release("drawing 1"), release("drawing 2")];
    await derive(designerLinkDerivation(), keys, "bulk");
    await derive(eccLinkDerivation(), keys, "bulk");
    await drawIn(one);
    t.deepEqual([await findStale(one.drawn, keys), await findStale(one.ecc, keys)], [[], []]);

    const stale = [await findStale(two.drawn, keys), await findStale(two.ecc, keys)];
    t.deepEqual(
      stale,
      [[linkOf("designed"), linkOf("modelled")], [linkOf("modelled")]],
      "links that show nothing are left out",
    );
    const stages = [
      stageOf(system, two.drawn, designerLinks, "designerlink.v1"),
      stageOf(system, two.ecc, eccLinks, "ecclink.v1"),
    ];
    const walker = createWalker({ ...system, queue: "renderer", stages });
    const walk = walkKey(DEMO_STORE, "renderer");
    await system.publisher.queue("renderer").obliterate({ force: true });
    await walker.begin(walk, `${DEMO_STORE}/`, { reason: "a test requests it" });
    const started = (await records.read(walks, [walk])).get(walk);
    if (started) await walker.walk(started, async () => false);
    const asked = (await jobsOf(system, "renderer")).flatMap(({ data }) => data.changes);
    t.deepEqual(new Set(asked.map(({ urgency }) => urgency)), new Set(["bulk"]));
    t.deepEqual(asked.map(({ key }) => key).toSorted(), [...stale.flat()].toSorted());

    const read = async () => ({
      pictures: [...(await records.read(renderedImages, keys)).values()].map(({ image }) => image),
      pages: [...(await records.read(eslImages, labelKeys)).values()].map(({ pages }) => pages),
      sent: (await jobsOf(system, "transmitter")).length,
    });
    const before = await read();
    t.is(before.pages.length, 3);
    await drawIn(two);
    t.deepEqual(await read(), before, "equal pictures are not published to the transmitter");
    t.deepEqual([await findStale(two.drawn, keys), await findStale(two.ecc, keys)], [[], []]);
  },
);

test.serial(
  "while two releases run side by side, the older one does not redraw pictures of the newer one",
  async (t) => {
    const { records, derive, findStale } = shelfwire.system;
    const setPrice = (price: string) =>
      set(items, itemKey(DEMO_STORE, "Y"), { itemId: "Y", price, sics: [], properties: [], stamps: {}, created: 1 });
    await setPrice("1.99");
    await hang("between", { designId: design, itemId: "Y", linkedItemId: "Y" });
    const keys = [linkOf("between")];
    await derive(designerLinkDerivation(), keys, "bulk");
    const [older, newer] = [release("drawing 8"), release("drawing 9")];
    const revOf = async () => (await records.readRevs(renderedImages, keys)).get(keys[0] ?? "");
    /** Lets both releases audit and derive in turn; returns how many pictures they write. */
    const settle = async () => {
      let written = 0;
      for (const { drawn } of [older, newer, older, newer, older]) {
        const before = await revOf();
        if ((await findStale(drawn, keys)).length > 0) await derive(drawn, keys, "bulk");
        if ((await revOf()) !== before) written += 1;
      }
      return written;
    };
    t.is(await settle(), 2, "the older release draws the new price, and the newer one redraws it once");
    t.is(await settle(), 0);
    await setPrice("2.49");
    t.is(await settle(), 2, "a price is always drawn, whichever release finds it first");
    t.is(await settle(), 0);
    const [picture] = (await records.read(renderedImages, keys)).values();
    t.is(picture?.inputs?.at(-1), "drawing 9");
  },
);
