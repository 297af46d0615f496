import { createHash } from "node:crypto";
import test from "ava";
import { pino } from "pino";
import { cleanUp } from "../../../queues/clean-up/clean-up.ts";
import { createEnqueueLostChunks } from "../../../queues/requests/enqueue-lost-chunks.ts";
import { allKinds } from "../../../records/all-kinds.ts";
import { openImageFiles } from "../../../records/files/image-files.ts";
import { openUploads } from "../../../records/files/uploads.ts";
import { openGlassLog } from "../../../records/glass-log.ts";
import { indexesOf } from "../../../records/indexes.ts";
import type { RecordKind } from "../../../records/kind.ts";
import { assetFiles, assets, canvasDesigns } from "../../../records/kinds/designs.ts";
import { itemPages, items, schedules, sics } from "../../../records/kinds/items.ts";
import { labelStates } from "../../../records/kinds/labels.ts";
import { eccEslImages, eslImages, renderedImages } from "../../../records/kinds/pictures.ts";
import { tenants } from "../../../records/kinds/tenants.ts";
import { openLeases } from "../../../records/leases/leases.ts";
import { journalCollection, openJournal } from "../../../records/requests/journal.ts";
import type { ImageFile } from "../../../schemas/image-file.ts";
import { assetKey, itemKey, pageDrawingsKey, sicKey, uploadKey } from "../../../schemas/keys.ts";
import { type LabelState, newLabelState } from "../../../schemas/label-state.ts";
import { servedBy } from "../../../scripts/develop/queries/served-by.ts";
import { reasonWithout } from "../../../scripts/develop/queries/without-index.ts";
import { ownSystem } from "../../harness/own.ts";
import { shapesOf } from "../../harness/query-recorder.ts";
import { RESULT_TTL } from "../../harness/system.ts";

const TENANT = "t/demo";
const STORE = `${TENANT}/s/main`;
const NOW = new Date("2026-03-10T08:00:00Z");
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const ago = (ms: number) => (): Date => new Date(NOW.getTime() - ms);

const world = ownSystem();
test.beforeEach(() => world.system.db.collection("lease").deleteMany({}));

const runCleanUp = (now = ago(0), holder = world.system.holder, further: Partial<Parameters<typeof cleanUp>[0]> = {}) =>
  cleanUp({
    ...world.system,
    imageFiles: openImageFiles(world.system.db, now),
    uploads: openUploads(world.system.db, now),
    leases: openLeases({ ...world.system, holder, now }),
    now,
    glassLog: openGlassLog(world.system.db),
    resultTtl: RESULT_TTL,
    glassHistory: (35 * DAY_MS) / 1000,
    log: pino({ level: "silent" }),
    ...further,
  });

/** A picture that was marked as used `usedAgo` milliseconds ago. */
async function picture(name: string, usedAgo: number, tenant = TENANT): Promise<string> {
  const sha256 = createHash("sha256").update(name).digest("hex");
  const file: ImageFile = { sha256, png: Buffer.from(name), width: 1, height: 1 };
  await openImageFiles(world.system.db, ago(usedAgo)).put(tenant, [file]);
  return sha256;
}

const isStored = async (sha256: string, tenant = TENANT): Promise<boolean> =>
  (await openImageFiles(world.system.db, ago(0)).read(tenant, [sha256])).has(sha256);

const set = <Body>(kind: RecordKind<Body>, key: string, body: Body) =>
  world.system.commit.change(kind, [key], () => body, "bulk");

/** A request that was applied `appliedAgo` milliseconds ago; undefined if it is still open. */
async function request(name: string, appliedAgo: number | undefined) {
  const store = `${TENANT}/s/${name}`;
  const rows = Array.from({ length: 1_001 }, () => ({}));
  const chunks = await world.system.accept({ store, operation: "patch-items", rows, ordered: false });
  if (appliedAgo !== undefined) {
    const journal = openJournal(world.system.db, ago(appliedAgo));
    await journal.settle(new Map(chunks.map(({ _id }) => [_id, []])));
  }
  return () => journalCollection(world.system.db).countDocuments({ store });
}

test.serial("requests applied longer than RESULT_TTL ago are deleted, later ones are not", async (t) => {
  const old = await request("old", RESULT_TTL * 1_000 + 1);
  const young = await request("young", RESULT_TTL * 1_000);
  const waiting = await request("waiting", undefined);
  await runCleanUp();
  t.deepEqual([await old(), await young(), await waiting()], [0, 2, 2]);
});

test.serial("an open request is kept, whatever its age", async (t) => {
  const waiting = await request("very-old", undefined);
  await runCleanUp(() => new Date("2100-01-01"));
  t.is(await waiting(), 2);
});

test.serial("a picture without references is deleted after a day without use", async (t) => {
  const [unused, young] = [await picture("unused", DAY_MS + 1), await picture("young", DAY_MS)];
  await runCleanUp();
  t.false(await isStored(unused));
  t.true(await isStored(young), "its record may not be written yet");
});

const state: LabelState = { ...newLabelState(), battery: "OK" };
const shows = { link: "a", linkRev: 1, item: "b", itemRev: 1 };
const canvas = { name: "poster", width: 10, height: 10, background: "white" as const };
const area = { x: 0, y: 0, width: 1, height: 1 };

const pointers: [string, (image: string, key: string) => Promise<unknown>][] = [
  [
    "the picture of a link",
    (image, key) => set(renderedImages, key, { shows, image, width: 1, height: 1, empty: false, warnings: [] }),
  ],
  [
    "the ECC picture of a link",
    (image, key) => set(eccEslImages, key, { shows, image, width: 1, height: 1, empty: false, warnings: [] }),
  ],
  ["an image that designs name", (image, key) => set(assetFiles, key, { image })],
  [
    "a page image of an item",
    (image, key) => {
      const page = { page: 0, width: 1, height: 1, colors: ["white" as const], image, stamp: 1 };
      return set(itemPages, key, { itemId: "x", images: [page], removed: [] });
    },
  ],
  [
    "a label's page",
    (image, key) =>
      set(eslImages, key, {
        pages: [
          { page: 0, image: "x" },
          { page: 1, image },
        ],
        shows: [],
      }),
  ],
  [
    "a page that a label should show",
    (image, key) => set(labelStates, key, { ...state, wanted: [{ page: 0, image }] }),
  ],
  [
    "the page that is being sent to a label",
    (image, key) => set(labelStates, key, { ...state, sending: { number: 1, page: 0, image } }),
  ],
];
for (const [what, point] of pointers) {
  test.serial(`a picture is kept while it is ${what}, and deleted when it no longer is`, async (t) => {
    const image = await picture(what, 10 * DAY_MS);
    const key = `${STORE}/records/${what.replaceAll(" ", "-")}`;
    await point(image, key);
    await runCleanUp();
    t.true(await isStored(image));
    await point("0".repeat(64), key);
    await runCleanUp(ago(-DAY_MS));
    t.true(await isStored(image), "it was in use a day ago");
    await runCleanUp(ago(-DAY_MS - 1));
    t.false(await isStored(image));
  });
}

test.serial("a picture is kept while a canvas design draws it", async (t) => {
  const [drawn, notDrawn] = [await picture("drawn", 10 * DAY_MS), await picture("not drawn", 10 * DAY_MS)];
  const box = { kind: "box" as const, ...area };
  const image = { kind: "image" as const, ...area, image: drawn };
  await set(canvasDesigns, `${TENANT}/canvasdesigns/poster`, { ...canvas, elements: [box, image] });
  await runCleanUp();
  t.deepEqual([await isStored(drawn), await isStored(notDrawn)], [true, false]);
});

test.serial("a picture is kept while a canvas design's variant for another label size draws it", async (t) => {
  const drawn = await picture("of a variant", 10 * DAY_MS);
  const variant = { width: 20, height: 20, background: "white" as const };
  const elements = [{ kind: "image" as const, ...area, image: drawn }];
  const key = `${TENANT}/canvasdesigns/sizes`;
  await set(canvasDesigns, key, { ...canvas, elements: [], variants: [{ ...variant, elements }] });
  await runCleanUp();
  t.true(await isStored(drawn));
});

test.serial("a tenant's uploads for designs are kept, as sent and as decoded, until they are deleted", async (t) => {
  const uploads = openUploads(world.system.db, ago(10 * DAY_MS));
  const image = await picture("decoded", 10 * DAY_MS);
  const upload = await uploads.put(TENANT, Buffer.from("an image"));
  const key = assetKey(TENANT, "image", "logo");
  const asset = { type: "image", mediaType: "image/png", upload, bytes: 8, width: 1, height: 1 } as const;
  await set(assets, key, asset);
  await set(assetFiles, key, { image });
  const present = async () => [await isStored(image), (await uploads.read(TENANT, upload)) !== undefined];
  await runCleanUp();
  t.deepEqual(await present(), [true, true]);
  await set(assets, key, { ...asset, deleted: true });
  await set(assetFiles, key, {});
  await runCleanUp(ago(-DAY_MS - 1));
  t.deepEqual(await present(), [false, false]);
});

test.serial("a record keeps its own tenant's picture, not another tenant's", async (t) => {
  const image = await picture("shared", 10 * DAY_MS);
  await picture("shared", 10 * DAY_MS, "t/other");
  await set(eslImages, `${STORE}/labels/shared`, { pages: [{ page: 0, image }], shows: [] });
  await runCleanUp();
  t.deepEqual([await isStored(image), await isStored(image, "t/other")], [true, false]);
});

test.serial("a picture that is used again is kept like a new one", async (t) => {
  const image = await picture("again", 10 * DAY_MS);
  await picture("again", 0);
  await runCleanUp();
  t.true(await isStored(image));
});

test.serial("each of many records keeps its picture", async (t) => {
  const images = await Promise.all(Array.from({ length: 1_200 }, (_, index) => picture(`many-${index}`, 2 * DAY_MS)));
  const keys = new Map(images.map((image, index) => [`${STORE}/labels/many-${index}`, image]));
  const body = (key: string) => ({ pages: [{ page: 0, image: keys.get(key) ?? "" }], shows: [] });
  await world.system.commit.change(eslImages, [...keys.keys()].slice(0, 1_150), body, "bulk");
  await runCleanUp();
  const stored = await openImageFiles(world.system.db, ago(0)).read(TENANT, images);
  t.deepEqual(
    images.filter((image) => stored.has(image)),
    images.slice(0, 1_150),
  );
});

const scheduleOf = async (name: string) => (await world.system.records.read(schedules, [itemKey(STORE, name)])).size;
const pendingOf = async (name: string) =>
  (await world.system.records.read(schedules, [itemKey(STORE, name)])).get(itemKey(STORE, name))?.updates.length;

test.serial("a failed scheduled update is deleted after RESULT_TTL, and a waiting one is kept", async (t) => {
  const update = (stamp: number) => ({ due: NOW, stamp, patch: "{}" });
  const failed = { at: NOW, errors: ["taken"] };
  const updates = [{ ...update(1), failed }, update(2)];
  await set(schedules, itemKey(STORE, "failed"), { itemId: "failed", updates, due: NOW });
  await runCleanUp(ago(-RESULT_TTL * 1_000));
  t.is(await pendingOf("failed"), 2);
  await runCleanUp(ago(-RESULT_TTL * 1_000 - DAY_MS));
  t.is(await pendingOf("failed"), 1);
});

test.serial("a schedule without updates is deleted after a day, since its floor is needed until then", async (t) => {
  await set(schedules, itemKey(STORE, "empty"), { itemId: "empty", updates: [], floor: 7 });
  const now = Date.now();
  await runCleanUp(() => new Date(now + DAY_MS - 60_000));
  t.is(await scheduleOf("empty"), 1);
  await runCleanUp(() => new Date(now + 2 * DAY_MS));
  t.is(await scheduleOf("empty"), 0);
});

test.serial("an uploaded file is kept while its request waits, and deleted an hour later", async (t) => {
  const uploads = openUploads(world.system.db, ago(10 * DAY_MS));
  const [waiting, drawing, lost] = [
    await uploads.put(STORE, Buffer.from("waits")),
    await uploads.put(STORE, Buffer.from("is drawn")),
    await uploads.put(STORE, Buffer.from("lost")),
  ];
  const rows = [{ itemId: "x", page: 0, resize: 0, upload: waiting }];
  const chunks = [
    ...(await world.system.accept({ store: STORE, operation: "set-pages", rows, ordered: true })),
    ...(await world.system.accept({
      store: pageDrawingsKey(STORE),
      operation: "draw-pages",
      rows: rows.map((row) => ({ ...row, upload: drawing })),
      ordered: false,
    })),
  ];
  const present = async () => [
    (await uploads.read(STORE, waiting)) !== undefined,
    (await uploads.read(STORE, drawing)) !== undefined,
    (await uploads.read(STORE, lost)) !== undefined,
  ];
  await runCleanUp();
  t.deepEqual(await present(), [true, true, false]);
  await world.system.journal.settle(new Map(chunks.map(({ _id }) => [_id, []])));
  await runCleanUp(ago(-HOUR_MS));
  t.deepEqual(await present(), [true, true, false], "it was in use an hour ago");
  await runCleanUp(ago(-HOUR_MS - 1));
  t.deepEqual(await present(), [false, false, false]);
});

test.serial(
  "a file is kept without being rewritten while an item's page in its own store is drawn from it",
  async (t) => {
    const uploads = openUploads(world.system.db, ago(10 * DAY_MS));
    const upload = await uploads.put(STORE, Buffer.from("of a page"));
    await uploads.put(`${STORE}2`, Buffer.from("of a page"));
    const key = itemKey(STORE, "with a page");
    const source = { page: 0, upload, resize: 1 as const, width: 1, height: 1, stamp: 1 };
    const pages = { itemId: "with a page", images: [], removed: [] };
    await set(itemPages, key, { ...pages, sources: [source] });
    const stored = () =>
      world.system.db.collection<{ _id: string }>("upload").findOne({ _id: uploadKey(STORE, upload) });
    const before = await stored();
    await runCleanUp();
    t.deepEqual(await stored(), before);
    t.is(await uploads.read(`${STORE}2`, upload), undefined);
    await set(itemPages, key, { ...pages, sources: [] });
    await runCleanUp();
    t.is(await stored(), null);
  },
);

test.serial("one process at a time cleans up what is not divided", async (t) => {
  const old = await request("leased", RESULT_TTL * 1_000 + 1);
  t.true(await openLeases({ ...world.system, holder: "another", now: ago(0) }).hold("clean-up", 60_000));
  await runCleanUp();
  t.is(await old(), 2);
  await runCleanUp(ago(-60_001));
  t.is(await old(), 0);
});

test.serial(
  "a partition that another process cleans up is left to it, and taken over once its lease has ended",
  async (t) => {
    const [first, second] = [
      { $gte: "t/", $lt: "t/m" },
      { $gte: "t/m", $lt: "t0" },
    ];
    const partitions = { all: async () => [first, second] };
    const [ofFirst, ofSecond] = [await picture("a", 2 * DAY_MS, "t/l"), await picture("b", 2 * DAY_MS, "t/m")];
    const killed = openLeases({ ...world.system, holder: "killed", now: ago(0) });
    t.true(await killed.hold(`clean-up of ${first.$gte}`, 60_000));
    await runCleanUp(ago(0), undefined, { partitions });
    t.deepEqual([await isStored(ofFirst, "t/l"), await isStored(ofSecond, "t/m")], [true, false]);
    await runCleanUp(ago(-60_001), undefined, { partitions });
    t.false(await isStored(ofFirst, "t/l"));
  },
);

const recordsOf = ["renderedimage.v1", "ecceslimage.v1", "pageimage.v1", "eslimage.v1", "labelstate"];

test.serial("records are not read for their pictures if each picture was marked as used within a day", async (t) => {
  const kept = await picture("kept for long", 2 * DAY_MS);
  await set(eslImages, `${STORE}/labels/kept-for-long`, { pages: [{ page: 0, image: kept }], shows: [] });
  const first = await shapesOf(() => runCleanUp());
  t.true(first.some(({ collection }) => recordsOf.includes(collection)));
  const second = await shapesOf(() => runCleanUp(ago(-3_600_000)));
  t.deepEqual(
    second.filter(({ collection }) => recordsOf.includes(collection)),
    [],
  );
  t.true(await isStored(kept));
});

test.serial("one tenant's unused picture causes no reads of a tenant without any", async (t) => {
  const mine = await picture("not old", DAY_MS, "t/quiet");
  await picture("very old", 3 * DAY_MS, "t/busy");
  const scanned: string[] = [];
  const scanFields: typeof world.system.records.scanFields = (kind, prefix, fields) => {
    if (recordsOf.includes(kind.name)) scanned.push(prefix);
    return world.system.records.scanFields(kind, prefix, fields);
  };
  await runCleanUp(ago(0), undefined, { records: { ...world.system.records, scanFields } });
  t.deepEqual([...new Set(scanned)], ["t/busy/"]);
  t.true(await isStored(mine, "t/quiet"));
});

test.serial("every query of the clean-up uses an index", async (t) => {
  const old = await picture("for its shape", 2 * DAY_MS);
  await request("for-its-shape", RESULT_TTL * 1_000 + 1);
  const shapes = await shapesOf(() => runCleanUp());
  const indexes = indexesOf(await allKinds());
  t.deepEqual(
    shapes.filter((shape) => servedBy(shape, indexes) === undefined && reasonWithout(shape) === undefined),
    [],
  );
  t.false(await isStored(old));
});

test.serial("expired records are deleted in batches, and later passes delete the rest", async (t) => {
  const keys = world.system.db.collection<{ _id: string; takenAt: Date }>("idempotencykey");
  await keys.insertMany(Array.from({ length: 2_500 }, (_, index) => ({ _id: `expired-${index}`, takenAt: ago(2)() })));
  const left = () => keys.countDocuments({ takenAt: { $lt: ago(1)() } });
  t.is(await world.system.idempotencyKeys.forget(ago(1)(), async () => false), 1_000);
  t.is(await left(), 1_500);
  t.is(await world.system.idempotencyKeys.forget(ago(1)(), async () => true), 1_500);
  t.is(await left(), 0);
});

test.serial("a refused request is deleted after RESULT_TTL, an open one of the same age is not", async (t) => {
  const [refused, open] = [await request("refused", undefined), await request("not-refused", undefined)];
  await journalCollection(world.system.db).updateMany({ store: `${TENANT}/s/refused` }, { $set: { validFor: -1 } });
  // Closes what is void.
  await createEnqueueLostChunks(world.system)();
  await runCleanUp(() => new Date("2100-01-01"));
  t.deepEqual([await refused(), await open()], [0, 2]);
});

test.serial("a deleted item and the assignment of an unlisted code are gone a day later", async (t) => {
  const key = itemKey(STORE, "deleted");
  const item = {
    itemId: "deleted",
    sics: [],
    properties: [],
    stamps: {},
    created: 0,
    floor: 0,
    deleted: true as const,
  };
  await set(items, key, item);
  await set(sics, sicKey(STORE, "of-deleted"), { itemId: "deleted", stamp: 0 });
  const left = async () => [
    (await world.system.records.readRevs(items, [key])).size,
    (await world.system.records.readRevs(sics, [sicKey(STORE, "of-deleted")])).size,
  ];
  const now = Date.now();
  await runCleanUp(() => new Date(now + DAY_MS - 60_000));
  t.deepEqual(await left(), [1, 1]);
  await runCleanUp(() => new Date(now + DAY_MS + 60_000));
  t.deepEqual(await left(), [0, 0]);
});

test.serial(
  "a pass also deletes expired keys, old entries of the glass and removed tenants, and reports their numbers",
  async (t) => {
    const asked: [string, number, boolean][] = [];
    const forget = (name: string, count: number) => async (before: Date, goOn?: () => Promise<boolean>) => {
      asked.push([name, NOW.getTime() - before.getTime(), (await goOn?.()) ?? false]);
      return count;
    };
    const lines: Record<string, unknown>[] = [];
    const due = ago(1)();
    const gone = `t/gone-${Date.now()}`;
    await set(tenants, gone, { name: "gone", removal: { since: due, due } });
    await runCleanUp(ago(0), world.system.holder, {
      idempotencyKeys: { ...world.system.idempotencyKeys, forget: forget("keys", 3) },
      glassLog: { forget: (before, _, goOn) => forget("glass", 5)(before, goOn) },
      log: pino({}, { write: (line) => void lines.push(JSON.parse(line)) }),
    });
    t.deepEqual(asked, [
      ["keys", RESULT_TTL * 1_000, true],
      ["glass", 35 * DAY_MS, true],
    ]);
    t.like(lines[0], { keys: 3, glass: 5, msg: "deleted data that is no longer needed" });
    t.is((await world.system.records.readRevs(tenants, [gone])).size, 0);
  },
);

test.serial(
  "requests are searched for uploads only if an upload was unused for a day, and uploads stay without the lease",
  async (t) => {
    let scans = 0;
    const openChunks = {
      ...world.system.openChunks,
      async *scan(): AsyncGenerator<never[]> {
        scans += 1;
        yield [];
      },
    };
    const forgotten: number[] = [];
    const uploads = (hasUnused: boolean) => ({
      ...openUploads(world.system.db, ago(0)),
      nextUnused: async (_: Date, after: string) => (hasUnused && after === "" ? STORE : undefined),
      forget: async () => forgotten.push(1),
    });
    await runCleanUp(ago(0), world.system.holder, { openChunks, uploads: uploads(false) });
    t.deepEqual([scans, forgotten], [0, []]);
    const leases = openLeases({ ...world.system, now: ago(0) });
    const losing = {
      ...leases,
      hold: async (name: string, ms: number) => scans === 0 && leases.hold(name, ms),
    };
    await runCleanUp(ago(0), world.system.holder, { openChunks, uploads: uploads(true), leases: losing });
    t.deepEqual([scans, forgotten], [1, []]);
    await runCleanUp(ago(0), world.system.holder, { openChunks, uploads: uploads(true) });
    t.deepEqual([scans, forgotten], [2, [1]]);
  },
);
