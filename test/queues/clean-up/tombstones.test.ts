import test from "ava";
import { createCommit } from "../../../queues/changes/commit.ts";
import { forgetAssignments } from "../../../queues/clean-up/sic-assignments.ts";
import { forgetTombstones } from "../../../queues/clean-up/tombstones.ts";
import type { RecordKind } from "../../../records/kind.ts";
import { itemLinks, itemPages, items, sics } from "../../../records/kinds/items.ts";
import { links, storeLinks } from "../../../records/kinds/links.ts";
import type { Item } from "../../../schemas/item.ts";
import { itemKey, linkIdOf, linkKey, sicKey } from "../../../schemas/keys.ts";
import type { Link } from "../../../schemas/link.ts";
import { stampOf } from "../../../schemas/stamp.ts";
import { ownSystem } from "../../harness/own.ts";

const world = ownSystem();
const STORE = "t/demo/s/main";
const [SETTLED, OPEN] = [stampOf(1, 0), stampOf(2, 0)];
const slice = { renew: async () => true, goOn: async () => true };
const TOMORROW = new Date(Date.now() + 86_400_000);
const YESTERDAY = new Date(Date.now() - 86_400_000);

/** Only the first of the store's two requests is applied. */
test.before(async () => {
  const request = { store: STORE, operation: "delete-items", rows: [{}], ordered: true };
  const first = await world.system.accept(request);
  await world.system.accept(request);
  await world.system.journal.settle(new Map(first.map(({ _id }) => [_id, []])));
});

const set = <Body>(kind: RecordKind<Body>, key: string, body: Body) =>
  world.system.commit.change(kind, [key], () => body, "bulk");
const isThere = async (kind: RecordKind<unknown>, key: string) =>
  (await world.system.records.readRevs(kind, [key])).has(key);

const tombstone = (itemId: string, floor = SETTLED): Item => {
  return { itemId, sics: [], properties: [], stamps: {}, created: 1, floor, deleted: true };
};
const link = (itemId: string, status: Link["status"]): Link => {
  const ends = { linkedItemId: itemId, status, stamp: SETTLED, linkedAt: new Date(0) };
  return { eslId: itemId, displayPosition: 0, itemId, origin: "studio", ...ends };
};
const image = { page: 0, width: 1, height: 1, colors: ["white" as const], image: "x", stamp: SETTLED };

/** Records next to a tombstone, whether the tombstone is then removed, and the time by which all must have changed. */
const cases: [string, boolean, (itemId: string, key: string) => Promise<unknown>, Date?][] = [
  ["a tombstone without pending requests below it", true, async () => {}],
  ["a young tombstone", false, async () => {}, YESTERDAY],
  ["a tombstone with a pending request below it", false, (id, key) => set(items, key, tombstone(id, OPEN))],
  ["an item that is not deleted", false, (id, key) => set(items, key, { ...tombstone(id), deleted: undefined })],
  ["an item that no label shows", true, (_, key) => set(itemLinks, key, { links: [] })],
  [
    "an item whose links are all deleted",
    true,
    async (id, key) => {
      await set(links, linkKey(STORE, linkIdOf(id, 0)), link(id, "DELETED"));
      await set(itemLinks, key, { links: [{ id: linkIdOf(id, 0), stamp: SETTLED }] });
    },
  ],
  [
    "an item that a label waits for",
    false,
    async (id, key) => {
      await set(links, linkKey(STORE, linkIdOf(id, 0)), link(id, "INACTIVE"));
      await set(itemLinks, key, { links: [{ id: linkIdOf(id, 0), stamp: SETTLED }] });
    },
  ],
  [
    "an item with a store-level link",
    false,
    (itemId, key) => set(storeLinks, key, { itemId, designId: "a", status: "ACTIVE", stamp: SETTLED }),
  ],
  [
    "an item whose store-level link has ended",
    true,
    (itemId, key) => set(storeLinks, key, { itemId, designId: "a", status: "DELETED", stamp: SETTLED }),
  ],
  [
    "an item whose store-level link a pending request may end",
    false,
    (itemId, key) => set(storeLinks, key, { itemId, designId: "a", status: "DELETED", stamp: OPEN }),
  ],
  [
    "an item whose list names a link that a pending request may change",
    false,
    (_, key) => set(itemLinks, key, { links: [{ id: linkIdOf("nowhere", 0), stamp: OPEN }] }),
  ],
  [
    "an item whose list names a link that is not stored",
    true,
    (_, key) => set(itemLinks, key, { links: [{ id: linkIdOf("nowhere", 0), stamp: SETTLED }] }),
  ],
  [
    "an item whose list names a link to another item",
    true,
    async (id, key) => {
      await set(links, linkKey(STORE, linkIdOf(id, 0)), link("another", "ACTIVE"));
      await set(itemLinks, key, { links: [{ id: linkIdOf(id, 0), stamp: SETTLED }] });
    },
  ],
  [
    "an item whose page images a pending request may set",
    false,
    (itemId, key) => set(itemPages, key, { itemId, images: [], removed: [], floor: OPEN }),
  ],
  [
    "an item whose page images a pending request may remove",
    false,
    (itemId, key) => set(itemPages, key, { itemId, images: [], removed: [{ page: 0, stamp: OPEN }] }),
  ],
  ["an item with a page image", false, (itemId, key) => set(itemPages, key, { itemId, images: [image], removed: [] })],
  [
    "an item whose page images were removed",
    true,
    (itemId, key) => set(itemPages, key, { itemId, images: [], removed: [{ page: 0, stamp: SETTLED }] }),
  ],
];
for (const [what, isRemoved, prepare, before = TOMORROW] of cases)
  test.serial(`${isRemoved ? "removed" : "kept"}: ${what}`, async (t) => {
    const itemId = what.replaceAll(" ", "-");
    const key = itemKey(STORE, itemId);
    await set(items, key, tombstone(itemId));
    await prepare(itemId, key);
    await forgetTombstones(world.system, before, slice);
    t.is(await isThere(items, key), !isRemoved);
    if (!isRemoved) return;
    for (const kind of [itemLinks, storeLinks, itemPages]) t.false(await isThere(kind, key), kind.name);
  });

test.serial("an old tombstone is kept if a neighbouring field changed later", async (t) => {
  const key = itemKey(STORE, "old-beside-young");
  const old = createCommit({ ...world.system, now: () => new Date("2026-01-01") });
  await old.change(items, [key], () => tombstone("old-beside-young"), "bulk");
  await set(itemLinks, key, { links: [] });
  const asked: string[] = [];
  const numbers = {
    settledThrough: (store: string) => {
      asked.push(store);
      return world.system.numbers.settledThrough(store);
    },
  };
  const pass = () => forgetTombstones({ ...world.system, numbers }, new Date("2026-02-01"), slice);
  t.is(await pass(), 0);
  t.true(await isThere(items, key));
  const [other, third] = [itemKey(STORE, "old-alone"), itemKey(STORE, "old-as-well")];
  await old.change(items, [other, third], () => tombstone("old-alone"), "bulk");
  asked.length = 0;
  t.is(await pass(), 2);
  t.deepEqual(asked, [STORE], "a store's settled numbers are read once");
  t.is(await forgetTombstones(world.system, TOMORROW, slice), 1);
});

test.serial("a pass that loses its slice ends after a batch, and the next one continues to the end", async (t) => {
  const keys = Array.from({ length: 1_700 }, (_, index) => itemKey("t/slices/s/main", String(index)));
  await world.system.commit.change(items, keys, () => tombstone("of-many", 0), "bulk");
  const first = await forgetTombstones(world.system, TOMORROW, { ...slice, goOn: async () => false });
  t.true(first > 0 && first < keys.length, `${first} in the first pass`);
  t.is(await forgetTombstones(world.system, TOMORROW, slice), keys.length - first);
});

const listing = (itemId: string, codes: string[]): Item => {
  return { itemId, sics: codes, properties: [], stamps: { sics: SETTLED }, created: 1 };
};

test.serial(
  "the assignment of a code is deleted when its item does not list the code and no request is pending",
  async (t) => {
    await set(items, itemKey(STORE, "owner"), listing("owner", ["listed", "again"]));
    await set(items, itemKey(STORE, "gone"), { ...tombstone("gone", OPEN), sics: ["of-deleted"] });
    const assignments: [string, string, number][] = [
      ["listed", "owner", SETTLED],
      ["removed", "owner", SETTLED],
      ["of-deleted", "gone", SETTLED],
      ["of-none", "never-stored", SETTLED],
      ["under-way", "owner", OPEN],
    ];
    for (const [sic, itemId, stamp] of assignments) await set(sics, sicKey(STORE, sic), { itemId, stamp });
    t.is(await forgetAssignments(world.system, YESTERDAY, slice), 0, "the assignments are too young");
    t.is(await forgetAssignments(world.system, TOMORROW, slice), 3);
    const left = await Promise.all(
      assignments.map(async ([sic]) => ((await isThere(sics, sicKey(STORE, sic))) ? [sic] : [])),
    );
    t.deepEqual(left.flat(), ["listed", "under-way"]);
  },
);

test.serial("interrupted passes continue after assignments that stay, and begin again after the end", async (t) => {
  const store = "t/alive/s/main";
  const codes = Array.from({ length: 1_200 }, (_, index) => `a${String(index).padStart(4, "0")}`);
  await set(items, itemKey(store, "owner"), listing("owner", codes));
  const keys = codes.map((code) => sicKey(store, code));
  await world.system.commit.change(sics, keys, () => ({ itemId: "owner" }), "bulk");
  await world.system.commit.change(sics, [sicKey(store, "z")], () => ({ itemId: "nowhere" }), "bulk");
  const cut = { renew: slice.renew, goOn: async () => false };
  const cursor = () =>
    world.system.db.collection<{ _id: string; after?: string }>("cursor").findOne({ _id: "claims on codes" });
  let passes = 0;
  for (let removed = 0; removed === 0 && passes < 10; passes += 1) {
    removed = await forgetAssignments(world.system, TOMORROW, cut);
    t.is(typeof (await cursor())?.after, "string");
  }
  t.true(passes > 1 && passes < 10, `${passes} passes`);
  for (let pass = 0; pass < 3; pass += 1) await forgetAssignments(world.system, TOMORROW, slice);
  t.is(await cursor(), null);
  t.is(await world.system.records.count(sics, `${store}/`), codes.length);
});
