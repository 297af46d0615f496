import { readdir, readFile } from "node:fs/promises";
import test from "ava";
import fc from "fast-check";
import { Type } from "typebox";
import { allKinds } from "../../records/all-kinds.ts";
import { digestOf, inputOf, partsOfInput, partsOfValueInput, recordKind, valueInputOf } from "../../records/kind.ts";
import { items } from "../../records/kinds/items.ts";
import { labelStates, labels } from "../../records/kinds/labels.ts";
import { links } from "../../records/kinds/links.ts";
import { Label } from "../../schemas/label.ts";
import { topics } from "../../schemas/topics.ts";

const kindName = fc.constantFrom("link.v2", "storeitemvalues.v1", "sic");
/** Item IDs may contain the separators of an input. */
const key = fc.array(fc.constantFrom("#", " ", "1", "/", "a", "#1"), { maxLength: 4 }).map((parts) => parts.join(""));
const rev = fc.nat({ max: 11 });

test("two inputs are equal only if their kind, key and rev are equal", (t) => {
  const input = fc.tuple(kindName, key, rev);
  fc.assert(
    fc.property(input, input, ([name, keyOf, revOf], [otherName, otherKey, otherRev]) => {
      const isSame = name === otherName && keyOf === otherKey && revOf === otherRev;
      t.is(inputOf({ name }, keyOf, revOf) === inputOf({ name: otherName }, otherKey, otherRev), isSame);
    }),
    { numRuns: 2000 },
  );
});

test("an input is read back as it was written, and a mark is not read as a record", (t) => {
  fc.assert(
    fc.property(kindName, key, fc.nat(), (name, keyOf, revOf) => {
      const parts = { kind: name, key: `t/demo/${keyOf}`, rev: revOf };
      t.deepEqual(partsOfInput(inputOf({ name }, parts.key, revOf)), parts);
    }),
  );
  const marks = [
    "fitting designs 1a2b",
    "sic demo#1",
    "two words t/demo#1",
    "link.v2 t/demo",
    "link.v2 t/#1",
    " t/demo#1",
  ];
  for (const mark of [...marks, "link.v2 t/demo#1 or so", "link.v2 t/demo#x"])
    t.is(partsOfInput(mark), undefined, mark);
});

test("records of every release are found under today's kind names", async (t) => {
  const names = new Set((await allKinds()).map(({ name }) => name));
  const folder = new URL("../fixtures/releases/", import.meta.url);
  const releases = (await readdir(folder)).filter((file) => file.endsWith(".json"));
  t.true(releases.length > 0);
  for (const release of releases) {
    const { collections } = JSON.parse(await readFile(new URL(release, folder), "utf8"));
    const ofRecords = Object.entries<object[]>(collections).filter(([, documents]) =>
      documents.some((one) => "rev" in one),
    );
    t.true(ofRecords.length > 20);
    for (const [name] of ofRecords) t.true(names.has(name), `${release}: ${name}`);
  }
});

test("an input is readable", (t) => {
  t.is(inputOf(items, "t/demo/s/main/items/milk", 7), "storeitemvalues.v1 t/demo/s/main/items/milk#7");
});

test("a kind with a topic's name is published there, and any other kind is not published", (t) => {
  t.is(recordKind("link.v2", Type.Object({})).topic, "link.v2");
  t.false("topic" in recordKind("journal", Type.Object({})));
});

test("every topic is published by exactly one kind", async (t) => {
  const published = (await allKinds()).flatMap(({ topic }) => topic ?? []);
  t.deepEqual(published.toSorted(), topics.toSorted());
});

test("each kind has its own collection", async (t) => {
  const names = (await allKinds()).map(({ name }) => name);
  t.is(new Set(names).size, names.length);
});

test("callers never see a tombstone", (t) => {
  const item = { itemId: "1", sics: [], properties: [], stamps: {}, created: 1 };
  t.true(items.isAlive(item));
  t.false(items.isAlive({ ...item, deleted: true }));
  const link = { eslId: "A4", displayPosition: 0, itemId: "1", linkedItemId: "1", stamp: 1, linkedAt: new Date(0) };
  for (const status of ["ACTIVE", "INACTIVE"] as const) t.true(links.isAlive({ ...link, status, origin: "studio" }));
  t.false(links.isAlive({ ...link, status: "DELETED", origin: "studio" }));
});

test("a tombstone of every deletable kind is recognized by its flag or status", async (t) => {
  const kinds = await allKinds();
  const aliveOf = (body: object) => kinds.flatMap((kind) => (kind.isAlive(body) ? [] : [kind.name])).sort();
  t.deepEqual(aliveOf({ deleted: true }), ["asset.v1", "canvasdesign.v1", "design.v1", "storeitemvalues.v1"]);
  t.deepEqual(aliveOf({ status: "DELETED" }), ["designerlink.v1", "ecclink.v1", "link.v2", "storelink.v1"]);
  t.deepEqual(aliveOf({ status: "ACTIVE" }), []);
});

test("tails of labels report what a label shows and its state, but no field that only controls its transmissions", (t) => {
  const told = ["battery", "fault", "givenUp", "history", "press", "refreshing", "sending", "shown", "wanted"];
  t.deepEqual([...labelStates.streamedFields].sort(), told);
  t.deepEqual([...labels.streamedFields].sort(), Object.keys(Label.properties).sort());
  t.deepEqual(items.streamedFields, []);
});

test("a kind has only what it declares: by default no index and no appended list, and every record exists", (t) => {
  const plain = recordKind("plain", Type.Object({}));
  t.deepEqual({ ...plain, isAlive: undefined, schema: undefined } as object, {
    ...{ name: "plain", indexes: [], streamedFields: [], isAlive: undefined, schema: undefined },
  });
  t.true(plain.isAlive({}));
  t.deepEqual(recordKind("list", Type.Object({}), { appended: { field: "history", max: 3 } }).appended, {
    field: "history",
    max: 3,
  });
  t.is(labelStates.appended?.field, "history");
});

test("an input is a kind, a key and a rev, and a mark has none of these", (t) => {
  t.deepEqual(partsOfInput("link.v2 t/a/s/b/links/A 1-0#12"), { kind: "link.v2", key: "t/a/s/b/links/A 1-0", rev: 12 });
  for (const mark of ["drawing 7", "link.v2 elsewhere#12", "link.v2 t/a#", "link.v2 t/#1"])
    t.is(partsOfInput(mark), undefined, mark);
});

test("an input compared by value has a digest of only those values, and is neither a rev nor a mark", (t) => {
  const store = { name: "Main", currency: "EUR", rev: 1 };
  const digest = digestOf(store, ["name", "currency"]);
  t.is(digestOf({ ...store, rev: 2 }, ["name", "currency"]), digest);
  for (const other of [{ ...store, currency: "CHF" }, { currency: "Main", name: "EUR" }, undefined])
    t.not(digestOf(other, ["name", "currency"]), digest);
  const input = valueInputOf({ name: "store" }, "t/demo/s/a=b", digest);
  t.deepEqual(partsOfValueInput(input), { kind: "store", key: "t/demo/s/a=b", digest });
  t.is(partsOfInput(input), undefined);
  for (const mark of ["drawing 7", "fitting designs 0123456789abcdef", "store t/demo/s/main#12", "store t/a=short"])
    t.is(partsOfValueInput(mark), undefined, mark);
});
