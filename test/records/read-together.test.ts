import { randomUUID } from "node:crypto";
import test from "ava";
import { Type } from "typebox";
import { readAnnounced } from "../../records/announced-revs.ts";
import { openDatabase } from "../../records/client.ts";
import { recordKind } from "../../records/kind.ts";
import { openRecords } from "../../records/records.ts";
import { openProxy } from "../../scripts/develop/proxy/database-proxy.ts";
import { createMongoWatcher } from "../harness/cost/mongodb-watcher.ts";
import { counters, openADatabase } from "../harness/databases/database.ts";
import { PATIENT_MS } from "../harness/patience.ts";

const Note = Type.Object({ text: Type.String(), past: Type.Optional(Type.Array(Type.String())) });
const notes = recordKind("testnote", Note, { appended: { field: "past", max: 3 } });
const nobody = recordKind("testnobody", Type.Object({ name: Type.String() }));
const AT = new Date("2026-03-01T08:00:00Z");
const keyOf = (kind: string, index: number) => `t/demo/s/main/${kind}/${index}`;
const keysOf = (kind: string, count: number) => Array.from({ length: count }, (_, index) => keyOf(kind, index));

const watch = createMongoWatcher();
const opened = await openADatabase();
const proxy = await openProxy(opened.url, watch.watcher);
const { db, close } = openDatabase(proxy.url, opened.name, PATIENT_MS);
const records = openRecords(db);

test.before(async () => {
  const write = () => ({ writeId: randomUUID(), at: AT });
  const proposals = <Body>(kind: string, body: (index: number) => Body) =>
    keysOf(kind, 40).map((key, index) => ({ key, current: undefined, body: body(index) }));
  const ofCounters = proposals("counters", (count) => ({ count, note: `n${count}` }));
  await records.compareAndSet(counters, ofCounters, write());
  const ofNotes = proposals("notes", (index) => ({ text: `t${index}`, past: ["once"] }));
  await records.compareAndSet(notes, ofNotes, write());
});
test.after.always(async () => {
  await close();
  await proxy.close();
  await opened.close();
});

for (const [count, commands] of [
  [20, 1],
  [40, 3],
] as const)
  test.serial(`${count} keys of each of three kinds are read by ${commands} database commands`, async (t) => {
    const [counterKeys, noteKeys] = [keysOf("counters", count), keysOf("notes", count)];
    watch.take();
    const [found, none, ofNotes] = await records.readTogether([
      { kind: counters, keys: [...counterKeys, keyOf("counters", 99)], fields: ["count"] },
      { kind: nobody, keys: [keyOf("nobodies", 0)] },
      { kind: notes, keys: [...noteKeys, ...noteKeys] },
    ]);
    t.is(watch.take().length, commands);
    t.deepEqual([...found.keys()].toSorted(), counterKeys.toSorted());
    t.deepEqual(found.get(keyOf("counters", 7)) as object, { _id: keyOf("counters", 7), rev: AT.getTime(), count: 7 });
    t.is(none.size, 0);
    t.deepEqual(
      ofNotes,
      await records.read(notes, noteKeys),
      "as when each kind is read separately, without the appended field",
    );
  });

test.serial("a kind without keys is not read, wherever it is in the list", async (t) => {
  watch.take();
  const [none, found, alone] = await records.readTogether([
    { kind: notes, keys: [] },
    { kind: counters, keys: [keyOf("counters", 1)] },
    { kind: nobody, keys: [] },
  ]);
  t.deepEqual([none.size, found.size, alone.size], [0, 1, 0]);
  t.deepEqual(
    watch.take().map(({ name }) => name),
    [`find ${counters.name}`],
  );
  t.deepEqual(await records.readTogether([]), []);
});

test.serial("a first kind without stored records does not hide the other kinds", async (t) => {
  const [none, found] = await records.readTogether([
    { kind: nobody, keys: [keyOf("nobodies", 0)] },
    { kind: counters, keys: keysOf("counters", 2) },
  ]);
  t.deepEqual([none.size, found.size], [0, 2]);
});

test.serial("records older than their announced change are recorded as behind", async (t) => {
  const key = keyOf("counters", 3);
  const behind = await readAnnounced(counters.name, new Map([[key, AT.getTime() + 1]]), async () => {
    await records.readTogether([
      { kind: notes, keys: [keyOf("notes", 3)] },
      { kind: counters, keys: [key], fields: [] },
    ]);
  });
  t.deepEqual([...behind], [[key, AT.getTime()]]);
});
