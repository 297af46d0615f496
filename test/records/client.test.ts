import test from "ava";
import { openDatabase } from "../../records/client.ts";
import { isUnavailable } from "../../records/mongodb/unavailable.ts";
import { openProxy } from "../../scripts/develop/proxy/database-proxy.ts";
import { openADatabase } from "../harness/databases/database.ts";
import { eventually } from "../harness/eventually.ts";

const TIMEOUT_MS = 2_000;

test("a client opened during an outage works when the database is reachable again", async (t) => {
  const database = await openADatabase();
  const proxy = await openProxy(database.url);
  proxy.cut();
  const { db, close } = openDatabase(proxy.url, database.name, TIMEOUT_MS);
  t.teardown(async () => {
    await close();
    await proxy.close();
    await database.close();
  });
  const count = () => db.collection("anything").countDocuments();
  for (const time of ["first", "second"]) t.true(isUnavailable(await t.throwsAsync(count)), time);
  proxy.restore();
  t.is(await eventually("the database answers", count), 0);
});

test("a client closed during an outage stops connecting", async (t) => {
  const database = await openADatabase();
  const proxy = await openProxy(database.url);
  proxy.cut();
  const { db, close } = openDatabase(proxy.url, database.name, TIMEOUT_MS);
  await t.throwsAsync(db.collection("anything").countDocuments());
  await close();
  await proxy.close();
  await database.close();
});

for (const [url, name] of [
  ["mongodb://127.0.0.1:1", "shelfwire-item"],
  ["mongodb://127.0.0.1:1/?appName=shelves", "shelves"],
] as const)
  test(`the database lists the connections to ${url} as ${name}`, async (t) => {
    const { db, close } = openDatabase(url, "any", TIMEOUT_MS, "shelfwire-item");
    t.teardown(close);
    t.is(db.client.options.appName, name);
  });
