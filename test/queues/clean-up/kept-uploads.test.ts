import test from "ava";
import { openUploads } from "../../../records/files/uploads.ts";
import { itemPages } from "../../../records/kinds/items.ts";
import { openLeases } from "../../../records/leases/leases.ts";
import { itemKey, pageDrawingsKey, uploadKey } from "../../../schemas/keys.ts";
import { ownSystem } from "../../harness/own.ts";
import { ago, cleanUpOf, DAY_MS, STORE } from "./a-clean-up.ts";

const world = ownSystem();
const { runCleanUp, set } = cleanUpOf(world);
test.beforeEach(() => world.system.db.collection("lease").deleteMany({}));

const HOUR_MS = 3_600_000;

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
  t.deepEqual(await present(), [true, true, false], "the file was in use an hour ago");
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

test.serial(
  "requests are searched for uploads only if an upload was unused for a day, and without the lease uploads are kept",
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
