import test from "ava";
import { deleteInBatches } from "../../../records/mongodb/delete-in-batches.ts";
import { ownDatabase } from "../../harness/own.ts";

const world = ownDatabase();
/** More than two batches. */
const MANY = 2_500;

interface Entry {
  _id: string;
  at: Date;
}
const entries = () => world.db.collection<Entry>("testentries");
const day = (count: number): Date => new Date(count * 86_400_000);
test.beforeEach(async () => {
  await entries().deleteMany({});
  await entries().insertMany(Array.from({ length: MANY }, (_, age) => ({ _id: String(age), at: day(age) })));
});

test.serial("all matching documents are deleted, and nothing else", async (t) => {
  const old = { at: { $lt: day(MANY - 100) } };
  t.is(await deleteInBatches(entries(), old, { sort: { at: 1 } }), MANY - 100);
  t.is(await entries().estimatedDocumentCount(), 100);
  t.is(await deleteInBatches(entries(), old, { sort: { at: 1 } }), 0);
});

test.serial("a deletion that loses its turn ends after a batch, and batches follow the requested order", async (t) => {
  let turns = 0;
  const goOn = async () => {
    turns += 1;
    return turns < 2;
  };
  const all = { at: { $lt: day(MANY) } };
  const deleted = await deleteInBatches(entries(), all, { sort: { at: 1 }, goOn });
  t.deepEqual([deleted, turns], [2_000, 2]);
  t.is(await entries().countDocuments({ at: { $lt: day(deleted) } }), 0, "the oldest first");
  t.is(await deleteInBatches(entries(), all, { sort: { at: 1 }, goOn }), MANY - deleted);
  t.is(turns, 2, "after the last batch the turn is not checked");
});
