import test from "ava";
import { openUploads } from "../../../records/files/uploads.ts";
import { uploadKey } from "../../../schemas/keys.ts";
import { ownDatabase } from "../../harness/own.ts";

const world = ownDatabase();
const STORE = "t/demo/s/main";

test("an upload is there under its digest, unchanged, until it was unused for a while", async (t) => {
  let time = 1_000;
  const uploads = openUploads(world.db, () => new Date(time));
  const file = Buffer.from("a picture");
  const name = await uploads.put(STORE, file);
  t.deepEqual(Buffer.from((await uploads.read(STORE, name)) ?? []), file);
  t.is(await uploads.read("t/other/s/main", name), undefined, "another store has not uploaded it");

  time = 2_000;
  t.is(await uploads.put(STORE, file), name);
  t.false(await uploads.hasUnused(new Date(2_000)), "it was uploaded again");
  time = 3_000;
  await uploads.touch([uploadKey(STORE, name)]);
  t.is(await uploads.forget(new Date(3_000)), 0, "an open request uses it");
  t.true(await uploads.hasUnused(new Date(3_001)));
  t.is(await uploads.forget(new Date(3_001)), 1);
  t.is(await uploads.read(STORE, name), undefined);
});
