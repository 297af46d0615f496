import test from "ava";
import { openUploads } from "../../../records/files/uploads.ts";
import { EVERY_KEY, uploadKey } from "../../../schemas/keys.ts";
import { ownDatabase } from "../../harness/own.ts";

const world = ownDatabase();
const STORE = "t/demo/s/main";
const nothing: ReadonlySet<string> = new Set();

test.serial("an upload is stored unchanged under its digest until it has been unused for a while", async (t) => {
  let time = 1_000;
  const uploads = openUploads(world.db, () => new Date(time));
  const file = Buffer.from("a picture");
  const name = await uploads.put(STORE, file);
  t.deepEqual(Buffer.from((await uploads.read(STORE, name)) ?? []), file);
  t.is(await uploads.read("t/other/s/main", name), undefined, "another store has not uploaded it");

  time = 2_000;
  t.is(await uploads.put(STORE, file), name);
  t.is(await uploads.nextUnused(new Date(2_000), "", EVERY_KEY), undefined, "it was uploaded again");
  time = 3_000;
  await uploads.touch([uploadKey(STORE, name)]);
  t.is(await uploads.forget(STORE, new Date(3_000), nothing), 0, "an open request uses it");
  t.is(await uploads.nextUnused(new Date(3_001), "", EVERY_KEY), STORE);
  t.is(await uploads.nextUnused(new Date(3_001), STORE, EVERY_KEY), undefined);
  t.is(await uploads.forget(STORE, new Date(3_001), new Set([uploadKey(STORE, name)])), 0, "a record names the upload");
  t.is(await uploads.forget("t/other/s/main", new Date(3_001), nothing), 0, "the upload belongs to another store");
  t.is(await uploads.forget(STORE, new Date(3_001), nothing), 1);
  t.is(await uploads.read(STORE, name), undefined);
});

test.serial("only uploads that open requests use are touched", async (t) => {
  let time = 10_000;
  const uploads = openUploads(world.db, () => new Date(time));
  const store = "t/touched/s/main";
  const [used, unused] = await Promise.all(["used", "unused"].map((text) => uploads.put(store, Buffer.from(text))));
  time = 20_000;
  await uploads.touch([]);
  await uploads.touch([uploadKey(store, used ?? "")]);
  t.is(await uploads.forget(store, new Date(20_000), nothing), 1);
  t.is(await uploads.read(store, unused ?? ""), undefined);
  t.deepEqual(Buffer.from((await uploads.read(store, used ?? "")) ?? []), Buffer.from("used"));
  t.is(await uploads.forget(store, new Date(20_001), nothing), 1);
});

test.serial("many uploads are deleted in batches until the turn ends, least recently used first", async (t) => {
  const uploads = openUploads(world.db, () => new Date());
  const store = "t/many/s/main";
  const keyOf = (number: number) => uploadKey(store, `${9_999 - number}`);
  const documents = Array.from({ length: 1_001 }, (_, number) => ({
    _id: keyOf(number),
    store,
    usedAt: new Date(number),
  }));
  await world.db.collection<{ _id: string }>("upload").insertMany(documents);
  t.is(await uploads.forget(store, new Date(2_000), nothing, async () => false), 1_000);
  t.deepEqual(
    (await world.db.collection("upload").find({ store }).toArray()).map(({ _id }) => `${_id}`),
    [keyOf(1_000)],
  );
  t.is(await uploads.forget(store, new Date(2_000), nothing), 1);
});
