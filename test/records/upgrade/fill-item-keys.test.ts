import test from "ava";
import { communicationPacks } from "../../../records/kinds/designs.ts";
import { fillItemKeys, planItemKeys } from "../../../records/upgrade/fill-item-keys.ts";
import type { CommunicationPack } from "../../../schemas/design.ts";
import type { Stored } from "../../../schemas/record.ts";
import { openADatabase } from "../../harness/databases/database.ts";

const keyOf = (id: string) => `t/demo/communicationpacks/${id}`;

/** A pack as the previous release stored it, without the field. */
function formerPack(id: string, cel_expression: string, rev = 7): Stored<CommunicationPack> {
  const child = { id: "child", name: "Child", cel_expression: "has(item.unit)", design_ids: [], children: [] };
  const scenarios = [{ id: "one", name: "One", cel_expression, design_ids: [], children: [child] }];
  return { _id: keyOf(id), store: "t/demo", rev, writeId: "w", changedAt: new Date(rev), name: id, scenarios };
}

async function open(t: { teardown(end: () => unknown): void }, stored: readonly Stored<CommunicationPack>[]) {
  const { db, close } = await openADatabase();
  t.teardown(close);
  const packs = db.collection<Stored<CommunicationPack>>(communicationPacks.name);
  await packs.insertMany([...stored]);
  return { db, packs };
}

test("packs from an earlier release get the keys that their expressions read, and are otherwise unchanged", async (t) => {
  const former = formerPack("shelf", ' item.priceKind == "special" ');
  const { db, packs } = await open(t, [former]);
  t.deepEqual(await fillItemKeys(db), ['1 documents of "communicationpack.v1" now have the field "itemKeys"']);
  t.deepEqual(await packs.findOne(), { ...former, itemKeys: ["has(unit)", "priceKind"] });
  t.deepEqual(await fillItemKeys(db), []);
  t.deepEqual(await packs.findOne(), { ...former, itemKeys: ["has(unit)", "priceKind"] });
});

test("a pack that the previous release stores again loses the field, and the next run fills it for the new scenarios", async (t) => {
  const { db, packs } = await open(t, [formerPack("shelf", "has(item.price)")]);
  await fillItemKeys(db);
  await packs.replaceOne({ _id: keyOf("shelf"), rev: 7 }, formerPack("shelf", 'item.price == "1.00"', 8));
  await fillItemKeys(db);
  t.like(await packs.findOne(), { rev: 8, itemKeys: ["has(unit)", "price"] });
});

test("a pack that was written after it was read keeps what was written", async (t) => {
  const read = formerPack("shelf", "has(item.price)");
  const { packs } = await open(t, [read]);
  const written = formerPack("shelf", "has(item.unit)", 8);
  await packs.replaceOne({ _id: read._id }, written);
  const { write } = planItemKeys(read);
  t.is((await packs.bulkWrite(write ? [write] : [])).matchedCount, 0);
  t.deepEqual(await packs.findOne(), written);
});

test("a run that ended early is continued, and its progress counts the remaining packs", async (t) => {
  const stored = Array.from({ length: 45 }, (_, index) => formerPack(`pack-${index}`, "has(item.price)"));
  const { db, packs } = await open(t, stored);
  const killed = new Error("the process ends here");
  await t.throwsAsync(
    fillItemKeys(db, () => () => {
      throw killed;
    }),
    { is: killed },
  );
  const left = await packs.countDocuments({ itemKeys: { $exists: false } });
  t.true(left > 0 && left < stored.length, String(left));
  const totals: number[] = [];
  const done: number[] = [];
  await fillItemKeys(db, (total) => {
    totals.push(total);
    return (count) => void done.push(count);
  });
  t.deepEqual(totals, [left]);
  t.is(done.at(-1), left);
  t.is(await packs.countDocuments({ itemKeys: { $exists: false } }), 0);
});

test("packs whose keys are known only during evaluation or that do not compile stay without the field", async (t) => {
  const stored = [formerPack("dynamic", "item.exists(key, key == 'price')"), formerPack("faulty", "item.price ==")];
  const { db, packs } = await open(t, stored);
  for (let run = 0; run < 2; run += 1) {
    const said = await fillItemKeys(db);
    t.is(said.length, 1);
    t.regex(said[0] ?? "", /^an expression of the pack "t\/demo\/communicationpacks\/faulty" does not compile: /);
  }
  t.deepEqual(await packs.find().sort({ _id: 1 }).toArray(), stored);
});
