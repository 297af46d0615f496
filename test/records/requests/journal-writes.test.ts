import test from "ava";
import { type Chunk, type Journal, journalCollection, openJournal } from "../../../records/requests/journal.ts";
import { ownDatabase } from "../../harness/own.ts";
import { afterDrawn, DRAWN, storedChunk } from "./stored-chunk.ts";

const world = ownDatabase();
const NOW = new Date("2026-03-01T09:00:00Z");
let journal: Journal;
test.before(() => {
  journal = openJournal(world.db, () => NOW);
});
test.beforeEach(async () => {
  await journalCollection(world.db).deleteMany({});
});

const STORE = "t/demo/s/main";
const insert = (...chunks: Chunk[]) => journalCollection(world.db).insertMany(chunks);
const keysLeft = async (): Promise<string[]> =>
  (await journalCollection(world.db).find({}).toArray()).map(({ _id }) => _id.replace(`${STORE}/requests/`, "")).sort();

test.serial(
  "the parts of a request are read in their order, without its rows, and no part that it does not have",
  async (t) => {
    const COUNT = 12;
    const part = (index: number) =>
      storedChunk({ store: STORE, number: 1, index, chunks: COUNT, outcomes: `["${index}"]` });
    await insert(...Array.from({ length: COUNT + 2 }, (_, index) => part(COUNT + 1 - index)));
    const read = await journal.readOutcomes(STORE, 1);
    t.deepEqual(
      read.map(({ index, outcomes }) => [index, outcomes]),
      Array.from({ length: COUNT }, (_, index) => [index, `["${index}"]`]),
    );
    for (const chunk of read) t.false("rows" in chunk);
    for (const chunk of await journal.readRequest(STORE, 1)) t.false("rows" in chunk || "outcomes" in chunk);
  },
);

test.serial("chunks are read by their keys, with their rows, and no others", async (t) => {
  const [first, second] = [1, 2].map((number) => storedChunk({ store: STORE, number, rows: `[${number}]` }));
  if (first === undefined || second === undefined) return t.fail();
  await insert(first, second);
  t.deepEqual(await journal.read([second._id, "none"]), new Map([[second._id, second]]));
});

test.serial("outcomes close their chunks at the present time, and nothing to settle is settled", async (t) => {
  const chunks = [1, 2].map((number) => storedChunk({ store: STORE, number }));
  await insert(...chunks);
  t.true(await journal.settle(new Map()));
  t.true(await journal.settle(new Map(chunks.map(({ _id }) => [_id, [{ itemId: _id } as never]]))));
  for (const { _id } of chunks) {
    const { open, appliedAt, outcomes } = (await journal.read([_id])).get(_id) ?? {};
    t.deepEqual([open, appliedAt, outcomes], [false, NOW, JSON.stringify([{ itemId: _id }])]);
  }
  t.false(await journal.settle(new Map([["none", []]])));
});

test.serial("the next generation begins once, however many processes begin it, and only of open chunks", async (t) => {
  const open = storedChunk({ store: STORE, number: 1, generation: 4 });
  const other = storedChunk({ store: STORE, number: 2 });
  const closed = storedChunk({ store: STORE, number: 3, open: false });
  await insert(open, other, closed);
  await journal.beginNextGeneration([]);
  await Promise.all([1, 2].map(() => journal.beginNextGeneration([open, other, closed])));
  await journal.beginNextGeneration([{ ...open, generation: 2 }]);
  const read = await journal.read([open._id, other._id, closed._id]);
  t.deepEqual(
    [open, other, closed].map(({ _id }) => read.get(_id)?.generation),
    [5, 1, 0],
  );
});

const applied = (number: number, appliedAt: Date) => storedChunk({ store: STORE, number, open: false, appliedAt });
const TOO_LATE = afterDrawn(60_000);

test.serial("clean-up forgets what was applied before a time, and open chunks of that age that are void", async (t) => {
  const before = afterDrawn(1_000);
  await insert(
    applied(1, afterDrawn(999)),
    applied(2, before),
    storedChunk({ store: STORE, number: 3, journaledAt: TOO_LATE }),
    storedChunk({ store: STORE, number: 4, journaledAt: TOO_LATE, urgency: "interactive" }),
    storedChunk({ store: STORE, number: 5 }),
    storedChunk({ store: STORE, number: 6, urgency: "interactive" }),
    storedChunk({ store: STORE, number: 7, journaledAt: TOO_LATE, drawnAt: before }),
    // Void since the beginning, and closed: it goes by its time as what was applied.
    { ...applied(8, before), validFor: -1 },
  );
  t.is(await journal.forget(before), 3);
  t.deepEqual(await keysLeft(), ["2/0", "5/0", "6/0", "7/0", "8/0"]);
  t.is(await journal.forget(before), 0);
});

test.serial("clean-up stops behind a batch where it may not go on", async (t) => {
  const before = afterDrawn(1);
  const voids = Array.from({ length: 2_300 }, (_, number) =>
    storedChunk({ store: STORE, number, journaledAt: TOO_LATE, drawnAt: new Date(DRAWN.getTime() - number) }),
  );
  await insert(...voids, storedChunk({ store: STORE, number: 9_999, journaledAt: TOO_LATE, urgency: "interactive" }));
  let asked = 0;
  const goOn = async () => {
    asked += 1;
    return asked < 3;
  };
  t.is(await journal.forget(before, goOn), 1 + 2_000, "one interactive, and two batches of bulk");
  t.is(asked, 3);
  const [youngest] = await journalCollection(world.db).find({}).sort({ drawnAt: -1 }).limit(1).toArray();
  t.is(youngest?.number, 0, "the oldest went first");
  await insert(...voids.slice(300, 1_800));
  t.is(await journal.forget(before), 1_800, "without a bound all of them");

  const all = Array.from({ length: 1_001 }, (_, number) => applied(number, new Date(DRAWN.getTime() - number)));
  await insert(...all);
  t.is(await journal.forget(before, async () => false), 1_000);
  t.deepEqual(await keysLeft(), ["0/0"], "what was applied first goes first");
  t.is(await journal.forget(before), 1);
});
