import test from "ava";
import { digestOf, openLabelServerDirectory, serverKeyOf } from "../../records/label-server-directory.ts";
import { ownDatabase } from "../harness/own.ts";

const database = ownDatabase();

const insert = (name: string, _id: string, more: object) =>
  database.db.collection<{ _id: string }>(name).insertOne({ _id, ...more });

test.serial("the directory lists every label server, and its tenant's stores that name it", async (t) => {
  const time = { ms: 0 };
  const readDirectory = openLabelServerDirectory(database.db, () => time.ms);
  await insert("labelserver", "t/a/labelservers/own", { url: "http://a", secret: "one" });
  await insert("labelserver", "t/b/labelservers/own", { url: "http://b", secret: "one" });
  await insert("store", "t/a/s/harbour", { labelServer: "own" });
  await insert("store", "t/a/s/market", {});
  const directory = await readDirectory(5000);
  t.deepEqual([...directory.serverOf], [["t/a/s/harbour", "t/a/labelservers/own"]]);
  t.is(directory.servers.get("t/b/labelservers/own")?.url, "http://b");
  t.deepEqual([...directory.withSecret], [[digestOf("one"), ["t/a/labelservers/own", "t/b/labelservers/own"]]]);

  await insert("store", "t/b/s/main", { labelServer: "own" });
  t.is((await readDirectory(5000)).serverOf.size, 1, "the cached directory is recent enough");
  const [first, second] = [readDirectory(0), readDirectory(0)];
  t.is((await first).serverOf.size, 2);
  t.is((await second).serverOf.size, 2);
  time.ms = 5001;
  await insert("store", "t/b/s/second", { labelServer: "own" });
  t.is((await readDirectory(5000)).serverOf.size, 3);
});

test.serial("the directory lists a store's departments if one of them names a label server", async (t) => {
  const departments = [
    { id: "food", transceivers: ["T1"], labelServer: "own" },
    { id: "roof", transceivers: ["T2"] },
  ];
  await insert("store", "t/d/s/divided", { labelServer: "cellar", linkDepartments: departments });
  await insert("store", "t/d/s/undivided", { labelServer: "cellar", linkDepartments: departments.slice(1) });
  const directory = await openLabelServerDirectory(database.db, () => 0)(0);
  t.deepEqual([...directory.departmentsOf], [["t/d/s/divided", departments]]);
  const keyOf = (store: string, linkDepartment?: string) => serverKeyOf(directory, { store, linkDepartment });
  t.is(keyOf("t/d/s/divided", "food"), "t/d/labelservers/own");
  t.is(keyOf("t/d/s/divided", "roof"), "t/d/labelservers/cellar");
  t.is(keyOf("t/d/s/undivided", "food"), "t/d/labelservers/cellar");
  t.is(keyOf("t/d/s/another", "food"), undefined);
});

test.serial("a digest distinguishes secrets and reveals none", (t) => {
  t.regex(digestOf("one"), /^[\w-]{43}$/);
  t.not(digestOf("one"), digestOf("two"));
});

test.serial("calls share the current read, unless they require a read that begins after them", async (t) => {
  const time = { ms: 100_000 };
  let reads = 0;
  const counted = new Proxy(database.db, {
    get(target, name) {
      const member = Reflect.get(target, name);
      if (name !== "collection") return member;
      return (of: string) => {
        if (of === "labelserver") reads += 1;
        return target.collection(of);
      };
    },
  });
  const readDirectory = openLabelServerDirectory(counted, () => time.ms);
  const shared = [readDirectory(5_000), readDirectory(5_000)];
  await Promise.all(shared);
  t.is(reads, 1);
  time.ms += 5_000;
  await readDirectory(5_000);
  t.is(reads, 1, "exactly old enough");
  time.ms += 1;
  await Promise.all([readDirectory(5_000), readDirectory(0), readDirectory(0), readDirectory(5_000)]);
  t.is(reads, 3, "one read in progress, and one shared by both calls that arrived after it began");
  await readDirectory(0);
  t.is(reads, 4);
});
