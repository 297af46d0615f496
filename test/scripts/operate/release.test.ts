import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import test from "ava";
import { openDatabase } from "../../../records/client.ts";
import { communicationPacks } from "../../../records/kinds/designs.ts";
import type { CommunicationPack } from "../../../schemas/design.ts";
import type { Stored } from "../../../schemas/record.ts";
import { readRecording } from "../../../scripts/develop/releases/recording.ts";
import { findDatabasePlace } from "../../harness/databases/databases.ts";
import { PATIENT_MS } from "../../harness/patience.ts";

const folder = fileURLToPath(new URL("../../../", import.meta.url));

test("the release command reports its changes, and a second run changes nothing", async (t) => {
  const { mongoUrl, database, drop } = await findDatabasePlace();
  const { db, close } = openDatabase(mongoUrl, database, PATIENT_MS);
  t.teardown(async () => {
    await close();
    await drop();
  });
  const env = { ...process.env, MONGODB_URL: mongoUrl, MONGODB_DATABASE: database };
  const release = async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ["scripts/operate/release.ts"], {
      cwd: folder,
      env,
    });
    return stdout;
  };
  const packs = db.collection<Stored<CommunicationPack>>(communicationPacks.name);
  await packs.insertMany(readRecording("0.2.0").collections[communicationPacks.name] as Stored<CommunicationPack>[]);
  const first = await release();
  t.regex(first, /^the collection "journal" has the index /m);
  t.regex(first, /^1 documents of "communicationpack\.v1" now have the field "itemKeys"$/m);
  t.is(await release(), "nothing had to be changed\n");
  t.deepEqual((await packs.findOne())?.itemKeys, ["has(price)", "priceKind"]);
});

test("--shard is refused on an unsharded database, before anything is changed", async (t) => {
  const { mongoUrl, database, drop } = await findDatabasePlace();
  const { db, close } = openDatabase(mongoUrl, database, PATIENT_MS);
  t.teardown(async () => {
    await close();
    await drop();
  });
  const env = { ...process.env, MONGODB_URL: mongoUrl, MONGODB_DATABASE: database };
  const refused = promisify(execFile)(process.execPath, ["scripts/operate/release.ts", "--shard"], {
    cwd: folder,
    env,
  });
  const { stderr } = await t.throwsAsync<Error & { stderr: string }>(refused);
  t.regex(
    stderr,
    /--shard: MONGODB_URL does not lead to a sharded cluster, so nothing was changed\. Enter the address/,
  );
  t.deepEqual(await db.listCollections({}, { nameOnly: true }).toArray(), []);
});
