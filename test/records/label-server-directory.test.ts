import test from "ava";
import { openLabelServerDirectory } from "../../records/label-server-directory.ts";
import { ownDatabase } from "../harness/own.ts";

const database = ownDatabase();

const insert = (name: string, _id: string, more: object) =>
  database.db.collection<{ _id: string }>(name).insertOne({ _id, ...more } as never);

test.serial("the directory has every label server, and the stores that name one of their tenant's", async (t) => {
  const time = { ms: 0 };
  const readDirectory = openLabelServerDirectory(database.db, () => time.ms);
  await insert("labelserver", "t/a/labelservers/own", { url: "http://a", secret: "one" });
  await insert("labelserver", "t/b/labelservers/own", { url: "http://b", secret: "one" });
  await insert("store", "t/a/s/harbour", { labelServer: "own" });
  await insert("store", "t/a/s/market", {});
  const directory = await readDirectory(5000);
  t.deepEqual([...directory.serverOf], [["t/a/s/harbour", "t/a/labelservers/own"]]);
  t.is(directory.servers.get("t/b/labelservers/own")?.url, "http://b");
  t.deepEqual([...directory.withSecret.values()], [["t/a/labelservers/own", "t/b/labelservers/own"]]);

  await insert("store", "t/b/s/main", { labelServer: "own" });
  t.is((await readDirectory(5000)).serverOf.size, 1, "it is young enough");
  const [first, second] = [readDirectory(0), readDirectory(0)];
  t.is((await first).serverOf.size, 2);
  t.is((await second).serverOf.size, 2);
  time.ms = 5001;
  await insert("store", "t/b/s/second", { labelServer: "own" });
  t.is((await readDirectory(5000)).serverOf.size, 3);
});
