import { randomUUID } from "node:crypto";
import test from "ava";
import fc from "fast-check";
import { Type } from "typebox";
import { recordKind } from "../../../records/kind.ts";
import { openRecords, type Records } from "../../../records/records.ts";
import { ownDatabase } from "../../harness/own.ts";

const MAX = 5;
const diaries = recordKind(
  "testdiary",
  Type.Object({
    pages: Type.Array(Type.Integer()),
    mood: Type.Optional(Type.String()),
    seen: Type.Optional(Type.Unsafe<Date>({})),
    notes: Type.Optional(Type.Array(Type.String())),
  }),
  { appended: { field: "notes", max: MAX } },
);
type Diary = { pages: number[]; mood?: string | undefined; seen?: Date | undefined; notes?: string[] };

const database = ownDatabase();
let records: Records;
test.before(async () => {
  records = openRecords(database.db);
});

const write = () => ({ writeId: randomUUID(), at: new Date() });
const keyOf = (name: string) => `t/demo/s/main/diaries/${name}`;

async function begin(name: string, body: Diary): Promise<string> {
  await records.compareAndSet(diaries, [{ key: keyOf(name), current: undefined, body }], write());
  return keyOf(name);
}

/** Reads a record as a writer does, changes it and writes it. */
async function change(key: string, decide: (present: Diary) => Diary): Promise<{ lost: string[] }> {
  const current = (await records.read(diaries, [key])).get(key);
  if (current === undefined) throw new Error(`${key} is missing`);
  return records.compareAndSet(diaries, [{ key, current, body: decide(current) }], write());
}

const notesOf = async (key: string) => (await records.readFields(diaries, [key], ["notes"])).get(key)?.notes;

const scanned = async (key: string) =>
  (await Array.fromAsync(records.scan(diaries, "t/demo/s/main/diaries/"))).flat().find(({ _id }) => _id === key);

test("a record is read without its appended field unless that field is requested", async (t) => {
  const key = await begin("unread", { pages: [1], notes: ["a"] });
  t.false("notes" in ((await records.read(diaries, [key])).get(key) ?? { notes: [] }));
  t.deepEqual(await notesOf(key), ["a"]);
  t.deepEqual((await scanned(key))?.notes, ["a"], "a scan that copies whole records returns the field");
});

test("new entries in a body are appended, and a body without the field leaves the stored entries unchanged", async (t) => {
  const key = await begin("added", { pages: [] });
  await change(key, (diary) => ({ ...diary, notes: ["a", "b"] }));
  await change(key, (diary) => ({ ...diary, mood: "calm" }));
  await change(key, (diary) => ({ ...diary, notes: ["c"] }));
  t.deepEqual(await notesOf(key), ["a", "b", "c"]);
});

test("a record that was read with its field appends only new entries", async (t) => {
  const key = await begin("known", { pages: [], notes: ["a"] });
  const current = await scanned(key);
  const proposals = current ? [{ key, current, body: { ...current, notes: ["a", "b"] } }] : [];
  await records.compareAndSet(diaries, proposals, write());
  t.deepEqual(await notesOf(key), ["a", "b"]);
});

test("a write that loses appends nothing", async (t) => {
  const key = await begin("lost", { pages: [], notes: ["a"] });
  const stale = (await records.read(diaries, [key])).get(key);
  await change(key, (diary) => ({ ...diary, mood: "first" }));
  const proposals = stale ? [{ key, current: stale, body: { ...stale, mood: "late", notes: ["b"] } }] : [];
  t.deepEqual((await records.compareAndSet(diaries, proposals, write())).lost, [key]);
  t.like((await records.read(diaries, [key])).get(key), { mood: "first" });
  t.deepEqual(await notesOf(key), ["a"]);
});

const step = fc.record(
  {
    pages: fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 3 }),
    mood: fc.constantFrom("calm", undefined),
    seen: fc.constantFrom(new Date(1_700_000_000_000), undefined),
    notes: fc.array(fc.uuid(), { minLength: 1, maxLength: 7 }),
  },
  { requiredKeys: [] },
);

test("after any sequence of writes, a record has its last body and the newest appended entries", async (t) => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
      run += 1;
      const key = await begin(`law-${run}`, { pages: [] });
      let last: Diary = { pages: [] };
      for (const { notes, ...changed } of steps) {
        await change(key, (diary) => ({ ...diary, ...changed, ...(notes && { notes }) }));
        last = { ...last, ...changed };
      }
      const added = steps.flatMap(({ notes = [] }) => notes);
      const present = (await records.read(diaries, [key])).get(key);
      const { pages, mood, seen } = last;
      t.deepEqual({ pages: present?.pages, mood: present?.mood, seen: present?.seen }, { pages, mood, seen });
      t.is("mood" in (present ?? {}), mood !== undefined, "a field that is undefined is absent");
      t.deepEqual((await notesOf(key)) ?? [], added.slice(-MAX));
    }),
    { numRuns: 40 },
  );
});
