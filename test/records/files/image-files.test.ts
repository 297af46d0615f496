import { randomUUID } from "node:crypto";
import test from "ava";
import { openImageFiles } from "../../../records/files/image-files.ts";
import { EVERY_KEY, imageFileKey } from "../../../schemas/keys.ts";
import { ownDatabase } from "../../harness/own.ts";

const database = ownDatabase();
const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
const picture = (sha256: string, byte = 1) => ({ sha256, png: new Uint8Array([byte, 2, 3]), width: 4, height: 5 });

/** The files of a separate installation, so that its pictures do not disturb other tests. */
function scene() {
  const clock = { now: at(0) };
  const tenant = `t/${randomUUID()}`;
  const files = openImageFiles(database.db, () => clock.now);
  const namesOf = async (of = tenant) => [...(await files.read(of, ["a", "b", "c"])).keys()].toSorted();
  return { clock, tenant, namesOf, keyOf: (sha256: string) => imageFileKey(tenant, sha256), ...files };
}

test("a picture is read as it was first stored, and equal pixels of two tenants are two files", async (t) => {
  const { tenant, put, read } = scene();
  const other = `t/${randomUUID()}`;
  await put(tenant, []);
  await put(tenant, [picture("a"), picture("b", 7)]);
  await put(tenant, [picture("a", 9), picture("c")]);
  await put(other, [picture("a", 8)]);
  const found = await read(tenant, ["a", "b", "unknown"]);
  t.deepEqual([...found.keys()].toSorted(), ["a", "b"]);
  t.deepEqual(found.get("a"), { ...picture("a"), png: Buffer.from(picture("a").png) });
  t.is(found.get("b")?.png[0], 7);
  t.is((await read(other, ["a"])).get("a")?.png[0], 8);
  t.is((await read(other, ["b"])).size, 0);
});

test("keys without a stored file are reported", async (t) => {
  const { tenant, keyOf, put, findMissing } = scene();
  await put(tenant, [picture("a"), picture("b")]);
  t.deepEqual(await findMissing(["a", "c", "d", "b"].map(keyOf)), new Set(["c", "d"].map(keyOf)));
  t.deepEqual(await findMissing([]), new Set());
});

test("storing or touching a file marks it as used, and a recent mark is not renewed", async (t) => {
  const { clock, tenant, keyOf, put, touch, forget, namesOf } = scene();
  await put(
    tenant,
    ["a", "b", "c"].map((name) => picture(name)),
  );
  clock.now = at(10);
  await put(tenant, [picture("a")]);
  await touch([], at(20));
  await touch([keyOf("b")], at(5));
  await touch([keyOf("c")], at(0));
  t.is(await forget(tenant, at(10)), 1);
  t.deepEqual(await namesOf(), ["a", "b"]);
  t.is(await forget(tenant, at(10)), 0, "a picture used at that time is kept");
  t.is(await forget(tenant, at(11)), 2);
  t.deepEqual(await namesOf(), []);
});

test("tenants with unused pictures are found one after another, and only the given tenant's pictures are deleted", async (t) => {
  const { clock, put, nextUnused, forget, namesOf } = scene();
  const [first, second, third] = ["1", "2", "3"].map((name) => `t/~${name}${randomUUID()}`) as [string, string, string];
  await put(first, [picture("a")]);
  await put(third, [picture("a")]);
  clock.now = at(10);
  await put(second, [picture("a")]);
  t.is(await nextUnused(at(5), "t/~", EVERY_KEY), first);
  t.is(await nextUnused(at(5), first, EVERY_KEY), third);
  t.is(await nextUnused(at(5), third, EVERY_KEY), undefined);
  t.is(await nextUnused(at(11), first, EVERY_KEY), second);
  t.is(await forget(first, at(5)), 1);
  t.deepEqual([await namesOf(first), await namesOf(third)], [[], ["a"]]);
  t.is(await forget(third, at(5)), 1);
  t.is(await forget(second, at(11)), 1);
});

test("many pictures are deleted in batches until the turn ends, least recently used first", async (t) => {
  const { tenant, keyOf, forget } = scene();
  const collection = database.db.collection<{ _id: string; store: string; usedAt: Date }>("image");
  const documents = Array.from({ length: 1_001 }, (_, index) => ({
    ...{ _id: keyOf(`${1_001 - index}`.padStart(4, "0")), store: tenant, usedAt: at(index / 1_000) },
  }));
  await collection.insertMany(documents);
  t.is(await forget(tenant, at(60), async () => false), 1_000);
  t.deepEqual(
    (await collection.find({ store: tenant }).toArray()).map(({ _id }) => _id),
    [keyOf("0001")],
  );
  t.is(await forget(tenant, at(60)), 1);
});
